import type { Deadline } from "../../ports/machine.ts";

/** Reason for giving something up: its time was over. */
export class TimeOver extends Error {
  override readonly name = "TimeoutError";

  constructor(seconds: number) {
    super(`not done within ${Number(seconds.toFixed(1))} s`);
  }
}

interface DeadlineOptions {
  /** Absent: no limit, only cancelling. */
  readonly ms?: number | undefined;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a time limit. The timer and the listener hold everything that is needed until the disposal: on Node 20 a
 * signal of `AbortSignal.timeout` inside `AbortSignal.any` is collected as garbage and never fires.
 */
export function startDeadline({ ms, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const cancel = () => controller.abort(signal?.reason);
  const end = (seconds: number) => {
    if (controller.signal.aborted) return;
    isOver = true;
    controller.abort(new TimeOver(seconds));
  };
  const timer = ms === undefined ? undefined : setTimeout(() => end(ms / 1_000), Math.ceil(ms));
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

/**
 * Waits for some work until the limit and no longer, even when the work ignores its signal: a stalled reply of `fetch`
 * sometimes does. Rejects with `TimeOver`, or with the reason of the cancelling.
 */
export async function within<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = startDeadline(options);
  return await untilAborted(deadline.signal, work(deadline.signal));
}

/** The result of some work, or the reason of the signal, whichever comes first. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined); // nobody may be listening any more
  signal.throwIfAborted();
  const heard = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const options = { once: true, signal: heard.signal };
    signal.addEventListener("abort", () => reject(signal.reason), options);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    heard.abort(); // a signal that lives long must not keep a listener for each wait
  }
}
