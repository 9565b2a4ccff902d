import { EnvironmentError } from "../../errors/errors.ts";
import type { AppPorts } from "../../ports/app.ts";
import type { MeasurePorts } from "../../ports/measure.ts";

type StartPorts = Pick<AppPorts, "startApp"> & Pick<MeasurePorts, "progress" | "signal">;

/** Postgres' words for a table, or a row, that another worker made a moment before. */
const lostRace =
  /\b(?:relation|type|index) "[^"\n]{1,200}" already exists|duplicate key value violates unique constraint/;
/** A race for the tables, and one for the rows in them. */
const mostRaces = 2;

/**
 * Ports with which an app of several workers starts once more after they made the same tables or rows at once: one was
 * first, and now the others find them there, as they do at each later start on a database that lasts.
 */
export function startingAgain<P extends StartPorts>(ports: P): P {
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
          const text = "its workers tried to create the same tables at once, so it is started again";
          ports.progress({ kind: "step", text });
        }
    },
  };
}

/**
 * Ports with which an app that cannot start fails once, not again for each cell: an arm that does not start with some
 * number of workers does not start with more either. A failure is not remembered when the same number of workers had
 * started before: then only that one start failed.
 */
export function startingOnce<P extends StartPorts>(ports: P): P {
  let failed: { folder: string; workers: number; error: EnvironmentError; isOfItsOwn?: true }[] = [];
  const started = new Set<string>();
  return {
    ...ports,
    startApp: async (command, python, name) => {
      const { folder, workers = 1 } = command;
      const known = failed.find((each) => each.folder === folder && each.workers <= workers);
      if (known !== undefined && (command.trial === undefined || known.isOfItsOwn)) throw known.error;
      const key = `${workers} in ${folder}`;
      try {
        const app = await ports.startApp(command, python, name);
        started.add(key);
        failed = failed.filter((each) => each !== known); // it had failed next to the other version
        return app;
      } catch (error) {
        if (!(error instanceof EnvironmentError) || started.has(key) || ports.signal.aborted) throw error;
        if (command.trial === undefined) failed.push({ folder, workers, error });
        else if (command.trial === "alone" && known !== undefined) known.isOfItsOwn = true;
        throw error;
      }
    },
  };
}
