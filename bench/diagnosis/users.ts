import { setTimeout as pause } from "node:timers/promises";

import { median } from "../parts/timing.ts";
import { HttpUser } from "./http-user.ts";

export interface Load {
  readonly seconds: number;
  readonly requests: number;
  readonly failures: number;
  readonly latencyMeanMs: number;
  readonly latencyMedianMs: number;
  readonly connectionsOpened: number;
}

/** The users of one app. Their connections are opened when they are first needed. */
export function usersOf(port: number, count: number): readonly HttpUser[] {
  return Array.from({ length: count }, () => new HttpUser(port));
}

/**
 * Users who each wait for their reply before they go on, like those of k6 in a closed model. `dropsRest`: requests
 * under way at the end are not waited for, and the users must be closed.
 */
export async function load(
  users: readonly HttpUser[],
  iteration: readonly (string | number)[],
  seconds: number,
  { dropsRest = false } = {},
): Promise<Load> {
  const latencies: number[] = [];
  let failures = 0;
  const began = performance.now();
  const isOver = () => performance.now() - began >= seconds * 1_000;
  const use = async (user: HttpUser) => {
    while (!isOver()) {
      for (const step of iteration) {
        if (isOver()) break;
        if (typeof step === "number") {
          await pause(step * 1_000);
          continue;
        }
        const sent = performance.now();
        const status = await user.get(step);
        latencies.push(performance.now() - sent);
        if (status >= 400) failures += 1;
      }
    }
  };
  const all = Promise.all(users.map(use));
  await (dropsRest ? Promise.race([all, pause(seconds * 1_000)]) : all);
  const took = (performance.now() - began) / 1_000;
  return {
    seconds: took,
    requests: latencies.length,
    failures,
    latencyMeanMs: latencies.reduce((sum, each) => sum + each, 0) / latencies.length,
    latencyMedianMs: median(latencies),
    connectionsOpened: users.reduce((sum, each) => sum + each.opened, 0),
  };
}

/** Mean pause of a user between two requests. */
export function pauseSeconds(iteration: readonly (string | number)[]): number {
  const pauses = iteration.filter((step) => typeof step === "number");
  return pauses.reduce((sum, each) => sum + each, 0) / (iteration.length - pauses.length);
}
