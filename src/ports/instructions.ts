import type { CallgrindCounts } from "../model/measurement/callgrind.ts";
import type { ServerCommand } from "./app.ts";

/** Counts the instructions of one server in user space. Disposal removes what it wrote. */
export interface InstructionCounter extends AsyncDisposable {
  /** The command that starts the same server, counted and much slower. */
  watch(command: ServerCommand): ServerCommand;
  /** Counts from now on, which makes the server several times slower again. */
  begin(): Promise<void>;
  /** Those of all processes of the server since the last reading, or since the beginning. */
  read(): Promise<CallgrindCounts>;
  /** Instructions of the server in each second without requests: what polls, and what waits for a time. */
  idlePerSecond(): Promise<number>;
}

export interface InstructionPorts {
  countingProblem(): Promise<string | undefined>;
  openCounter(): Promise<InstructionCounter>;
}
