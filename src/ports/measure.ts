import type { AppPorts, InstructionPorts } from "./app.ts";
import type { DatabasePorts } from "./database.ts";
import type { LoadPorts } from "./load.ts";
import type { ClockPorts, MachinePorts } from "./machine.ts";
import type { Progress } from "./progress.ts";
import type { PythonPorts } from "./python.ts";
import type { RepositoryPorts } from "./repository.ts";

interface ResultsPorts {
  /** Writes a document into the results folder, whole or not at all. */
  save(name: string, text: string): Promise<void>;
  /** Removes the results of an earlier run, or only those in the folder `below` the results folder. */
  clearResults(below?: string): Promise<void>;
}

export interface SecretsPorts {
  readonly secrets: {
    /** The value of an environment variable, hidden in all output from now on; `undefined` when it is not set. */
    read(name: string): string | undefined;
    hide(value: string): Promise<void>;
  };
}

/** Ports of `measure`, by subject; a function that needs fewer takes only those. */
export interface MeasurePorts
  extends AppPorts,
    ClockPorts,
    DatabasePorts,
    InstructionPorts,
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
