import { mkdtemp } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";

import {
  type CpuSets,
  diagnosisSeconds,
  type Evidence,
  type Finding,
  findCauses,
  gatherEvidence,
  type LoadFacts,
  openProbe,
  parseProbeDocuments,
} from "../../src/engine.ts";
import type { Case } from "./cases.ts";
import type { Databases } from "./databases.ts";
import { startServer, startService } from "./server.ts";
import { type Load, load, pauseSeconds, usersOf } from "./users.ts";

export interface Ground {
  readonly workFolder: string;
  readonly databases: Databases;
  readonly cpuSets: CpuSets | undefined;
}

export interface Phase {
  readonly findings: readonly Finding[];
  readonly evidence: Evidence | undefined;
  /** From the start of the server to its end. Services and data that the app needs are ready before. */
  readonly seconds: number;
  readonly warnings: readonly string[];
}

/** The diagnosis phase of one app, as a run would have it: start through the probe, load, documents, findings. */
export async function diagnose(app: Case, ground: Ground): Promise<Phase> {
  const { cpuSets } = ground;
  const folder = await mkdtemp(join(ground.workFolder, "case-"));
  await using probe = await openProbe({
    packageFolder: resolve("probe"),
    workFolder: folder,
    signal: new AbortController().signal,
  });
  await using copy = app.data && (await ground.databases.copy(app.data));
  await using databaseWatch = await copy?.watch();
  await using service =
    app.serviceMs === undefined ? undefined : await startService(app.serviceMs, cpuSets?.others, folder);
  const variables = {
    ...(copy && { DATABASE_URL: copy.url }),
    ...(service && { FAKE_DB_URL: `http://127.0.0.1:${service.port}` }),
  };
  const began = performance.now();
  const isOnOne = app.workers === 1 || app.onOneCpu === true;
  const cpus = isOnOne ? cpuSets?.app : cpuSets && [cpuSets.app, cpuSets.others].join();
  const found = await (async () => {
    await using server = await startServer(app, {
      ...{ probe, variables, cpus, logPath: join(folder, "server.log") },
    });
    const window = "load";
    await probe.openWindow(window);
    await databaseWatch?.begin();
    const seen = await use(server.port, app, diagnosisSeconds);
    const database = await databaseWatch?.read();
    const { documents, warnings } = parseProbeDocuments(await probe.readFiles(), window);
    const facts: LoadFacts = {
      ...seen,
      virtualUsers: app.users,
      pauseSeconds: pauseSeconds(app.iteration),
      workers: app.workers,
      appCpus: isOnOne && cpuSets !== undefined ? 1 : availableParallelism(),
      generatorCpus: 1,
      database: database?.facts,
    };
    const evidence = gatherEvidence(documents, facts);
    const findings = evidence === undefined ? [] : findCauses(evidence);
    const failed = seen.failures > 0 ? [`${seen.failures} of ${seen.requests} requests failed`] : [];
    const unseen = [
      ...documents.flatMap((each) => each.unseen.map(({ what, reason }) => `${what}: ${reason}`)),
      ...(database?.unseen ?? []),
    ];
    const blind = evidence === undefined ? ["no document"] : [];
    return { findings, evidence, warnings: [...warnings, ...failed, ...unseen, ...blind] };
  })();
  return { ...found, seconds: (performance.now() - began) / 1_000 };
}

async function use(port: number, app: Case, seconds: number): Promise<Load> {
  const users = usersOf(port, app.users);
  try {
    return await load(users, app.iteration, seconds, { dropsRest: true });
  } finally {
    for (const user of users) user.close();
  }
}
