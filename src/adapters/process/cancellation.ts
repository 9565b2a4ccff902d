import { Cancelled } from "../../errors/errors.ts";

/** Ctrl-C and the runner's TERM become one abort; the first one decides the exit status. */
export function cancellation() {
  const controller = new AbortController();
  let status: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    status ??= signal === "SIGINT" ? 130 : 143;
    controller.abort(new Cancelled(status));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    status: () => status,
    forget: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}
