/** A signal that aborts when the time is over, or earlier when somebody cancels. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** True when the time was over before anybody cancelled. */
  readonly isOver: boolean;
  abort(reason?: unknown): void;
}
