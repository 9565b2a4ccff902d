/** A signal that aborts when the time is over, or earlier when somebody cancels. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** True when the time was over before anybody cancelled. */
  readonly isOver: boolean;
  abort(reason?: unknown): void;
}

/** Sources of time and of chance, which differ from run to run. */
export interface ClockPorts {
  /** ISO 8601, UTC. */
  now(): string;
  /** Seconds of a steady clock. */
  clock(): number;
  /** Starts a time limit of so many seconds. The signal ends it, too; without a number only the signal does. */
  startDeadline(signal: AbortSignal, seconds?: number): Deadline;
  /** A number from 0 up to but not including 2^32. */
  random(): number;
}
