import { EnvironmentError } from "../errors/errors.ts";
import type { MeasurePorts } from "../ports/measure.ts";

/** Postgres' words for a table, or a part of one, that another worker made a moment before. */
const lostRace =
  /\b(?:relation|type|index) "[^"\n]{1,200}" already exists|"pg_(?:type|class|namespace)_\w{1,60}"/;

/**
 * Ports with which an app of several workers starts once more after they made the same tables at once: one was first, and
 * now the others find them there. In a database that is kept, as anywhere but here, nobody meets that twice.
 */
export function startingAgain(ports: MeasurePorts): MeasurePorts {
  return {
    ...ports,
    startApp: async (command, python, name) => {
      const start = () => ports.startApp(command, python, name);
      return await start().catch(async (error: unknown) => {
        const isLost =
          error instanceof EnvironmentError && lostRace.test(`${error.message}\n${error.logTail}`);
        if (!isLost || (command.workers ?? 1) === 1 || ports.signal.aborted) throw error;
        return await start();
      });
    },
  };
}
