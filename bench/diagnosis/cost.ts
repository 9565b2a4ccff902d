import { mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { openProbe } from "../../src/engine.ts";
import { median } from "../parts/timing.ts";
import type { Case } from "./cases.ts";
import type { Ground } from "./phase.ts";
import { type Server, startServer } from "./server.ts";
import { load, usersOf } from "./users.ts";

export interface Cost {
  readonly name: string;
  /** Share of throughput, median over pairs. */
  readonly percent: number;
  /** Middle half of the pairs. */
  readonly lowPercent: number;
  readonly highPercent: number;
  readonly plainRate: number;
  readonly pairs: number;
}

const sliceSeconds = 0.12;
const settleMs = 10;

/**
 * Throughput with the probe against throughput without it. Both servers are up on the same CPU and take turns, in
 * random order within each pair. The waiting one is halted, because its probe would look on.
 */
export async function costOf(app: Case, ground: Ground, pairs: number): Promise<Cost> {
  const folder = await mkdtemp(join(ground.workFolder, "cost-"));
  const { signal } = new AbortController();
  await using probe = await openProbe({ packageFolder: resolve("probe"), workFolder: folder, signal });
  await using copy = app.data && (await ground.databases.copy(app.data));
  const variables: Record<string, string> = copy === undefined ? {} : { DATABASE_URL: copy.url };
  const cpus = ground.cpuSets?.app;
  await using plain = await startServer(app, { variables, cpus, logPath: join(folder, "plain.log") });
  await using watched = await startServer(app, {
    ...{ probe, variables, cpus, logPath: join(folder, "watched.log") },
  });
  // Connections are kept: opening them is not measured.
  const users = new Map([plain, watched].map((server) => [server, usersOf(server.port, app.users)]));
  for (const each of users.values()) await load(each, app.iteration, 1);
  halt(plain);
  halt(watched);
  const rate = async (server: Server) => {
    resume(server);
    await pause(settleMs);
    const { requests, seconds } = await load(users.get(server) ?? [], app.iteration, sliceSeconds);
    halt(server);
    return requests / seconds;
  };
  const ratios: number[] = [];
  const plainRates: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const isFirst = Math.random() < 0.5;
    const early = await rate(isFirst ? plain : watched);
    const late = await rate(isFirst ? watched : plain);
    const [without, withProbe] = isFirst ? [early, late] : [late, early];
    plainRates.push(without);
    ratios.push(withProbe / without);
  }
  for (const each of [...users.values()].flat()) each.close();
  resume(plain);
  resume(watched);
  const sorted = ratios.map((ratio) => (1 - ratio) * 100).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    ...{ name: app.name, pairs, percent: median(sorted), lowPercent: at(0.25), highPercent: at(0.75) },
    plainRate: median(plainRates),
  };
}

/** Halts the group that has the server's pid. */
function halt({ pid }: Server): void {
  process.kill(-pid, "SIGSTOP");
}

function resume({ pid }: Server): void {
  process.kill(-pid, "SIGCONT");
}
