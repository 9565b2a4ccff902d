import type { AppServer } from "../../ports/app.ts";
import type { Ended } from "./beside.ts";

/** Something that runs beside an app's server. Disposal ends it. */
export interface RunningBeside extends AsyncDisposable {
  readonly name: string;
  readonly kind: "service" | "process";
  /** Resolves when it ends by itself; never, once we end it. */
  readonly hasEnded: Promise<Ended>;
  /** The same now; `undefined` while it runs. */
  ended(): Ended | undefined;
  /** So far; `undefined` without procfs, and for a container. */
  cpuSeconds(): number | undefined;
}

/**
 * The server, which now also fails when something beside it ends, and tells the CPU time of all of that. The caller ends
 * it.
 */
export function withBeside(server: AppServer, all: readonly RunningBeside[]): AppServer {
  if (all.length === 0) return server;
  const sentence = ({ kind, name }: RunningBeside, { how }: Ended) =>
    `${kind} ${name} ended (${how}) while the app ran`;
  const lost = () =>
    all
      .map((each) => ({ each, end: each.ended() }))
      .flatMap(({ each, end }) => (end === undefined ? [] : [{ said: sentence(each, end), end }]))[0];
  return {
    ...server,
    failure: Promise.race([server.failure, ...all.map(async (each) => sentence(each, await each.hasEnded))]),
    failureNow: async () => {
      const own = await server.failureNow();
      return own ?? lost()?.said;
    },
    endedProcess: () => all.find((each) => each.kind === "process" && each.ended() !== undefined)?.name,
    besideCpuSeconds: () => {
      const used = all.flatMap(({ name, cpuSeconds }) => {
        const seconds = cpuSeconds();
        return seconds === undefined ? [] : [[name, seconds] as const];
      });
      return used.length < all.length ? undefined : Object.fromEntries(used);
    },
    logTail: () => lost()?.end.logTail ?? server.logTail(),
  };
}
