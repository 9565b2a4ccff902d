/** A wish to stop that comes by itself when the time is over, and earlier where somebody cancels. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time was over before anybody cancelled. */
  readonly isOver: boolean;
  abort(reason?: unknown): void;
}
