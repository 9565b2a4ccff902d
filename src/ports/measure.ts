import type { AppPorts } from "./app.ts";
import type { ClockPorts } from "./clock.ts";
import type { DatabasePorts } from "./database.ts";
import type { LoadPorts } from "./load.ts";
import type { MachinePorts } from "./machine.ts";
import type { Progress } from "./progress.ts";
import type { PythonPorts } from "./python.ts";
import type { RepositoryPorts } from "./repository.ts";
import type { ResultsPorts } from "./results.ts";
import type { SecretsPorts } from "./secrets.ts";

/** Ports of `measure`, by subject; a function that needs fewer takes only those. */
export interface MeasurePorts
  extends AppPorts,
    ClockPorts,
    DatabasePorts,
    LoadPorts,
    MachinePorts,
    PythonPorts,
    RepositoryPorts,
    ResultsPorts,
    SecretsPorts {
  /** Aborts when the user cancels; everything that was started then stops by itself. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}
