import type { Deadline } from "./deadline.ts";

/** What no two runs have in common. */
export interface ClockPorts {
  /** ISO 8601, UTC. */
  now(): string;
  /** Seconds of a steady clock. */
  clock(): number;
  /** Starts a limit of so many seconds, which the signal ends, too; without a number there is the signal alone. */
  startDeadline(signal: AbortSignal, seconds?: number): Deadline;
  /** A number from 0 up to but not including 2^32. */
  random(): number;
}
