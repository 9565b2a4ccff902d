import { EnvironmentError } from "../errors/errors.ts";
import type { ServerCommand } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";

interface FailedStart {
  readonly folder: string;
  readonly workers: number;
  readonly error: EnvironmentError;
}

/**
 * Ports by which an app that cannot be started fails once, and not for each cell anew: what kept so many workers of an
 * arm from starting keeps as many or more of them from it. Not where as many were seen to start: then it was that start.
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
