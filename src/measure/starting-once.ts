import { EnvironmentError } from "../errors/errors.ts";
import type { ServerCommand } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";

interface FailedStart {
  readonly folder: string;
  readonly workers: number;
  readonly error: EnvironmentError;
}

/**
 * Ports with which an app that cannot start fails once, not again for each cell: an arm that does not start with some
 * number of workers does not start with more either. A failure is not remembered when the same number of workers had
 * started before: then only that one start failed.
 */
export function startingOnce(ports: MeasurePorts): MeasurePorts {
  const failed: FailedStart[] = [];
  const started = new Set<string>();
  return {
    ...ports,
    startApp: async (command, python, name) => {
      const [{ folder }, workers] = [command, workersOf(command)];
      const known = failed.find((each) => each.folder === folder && each.workers <= workers);
      if (known !== undefined) throw known.error;
      const key = `${workers} in ${folder}`;
      try {
        const app = await ports.startApp(command, python, name);
        started.add(key);
        return app;
      } catch (error) {
        if (error instanceof EnvironmentError && !started.has(key) && !ports.signal.aborted)
          failed.push({ folder, workers, error });
        throw error;
      }
    },
  };
}

function workersOf({ workers = 1 }: ServerCommand): number {
  return workers;
}
