import { EnvironmentError } from "../errors/errors.ts";
import type { MeasurePorts } from "../ports/measure.ts";

/** Postgres' words for a table, or a row, that another worker made a moment before. */
const lostRace =
  /\b(?:relation|type|index) "[^"\n]{1,200}" already exists|duplicate key value violates unique constraint/;
/** A race for the tables, and one for the rows in them. */
const mostRaces = 2;

/**
 * Ports with which an app of several workers starts once more after they made the same tables or rows at once: one was
 * first, and now the others find them there, as they do at each later start on a database that is kept.
 */
export function startingAgain(ports: MeasurePorts): MeasurePorts {
  return {
    ...ports,
    startApp: async (command, python, name) => {
      for (let races = 0; ; races += 1)
        try {
          return await ports.startApp(command, python, name);
        } catch (error) {
          const isLost =
            error instanceof EnvironmentError && lostRace.test(`${error.message}\n${error.logTail}`);
          const isOneWorker = (command.workers ?? 1) === 1;
          if (!isLost || isOneWorker || races === mostRaces || ports.signal.aborted) throw error;
          ports.progress({
            kind: "step",
            text: "its workers made the same tables at once, so it starts again",
          });
        }
    },
  };
}
