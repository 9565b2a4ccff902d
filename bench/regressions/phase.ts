import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  compareFunctions,
  files,
  makePlan,
  mean,
  measurePorts,
  measureRounds,
  openShared,
  parseConfig,
  prepare,
  sendingMaterials,
  startingOnce,
  throughputEffects,
  withFunctions,
} from "../../src/engine.ts";
import type { Pair } from "./pairs.ts";
import { app, commitArms, installedBy, type PairRun } from "./run.ts";

/**
 * Measures a pair for a short time and looks for functions whatever the verdict: on a machine that others use as well
 * there often is none.
 */
export async function comparePair(pair: Pair): Promise<PairRun> {
  const folder = mkdtempSync(join(tmpdir(), "bench-regressions-"));
  try {
    const repository = join(folder, "repository");
    cpSync(app, repository, { recursive: true });
    commitArms(repository, pair);
    await using shared = await openShared(process.env);
    const { workload } = parseConfig(
      "measure",
      {
        ...{
          app: "main:app",
          "working-directory": repository,
          install: installedBy(pair, repository),
          database: "none",
        },
        ...{ "ready-path": "/health", workers: "1", endpoints: "/quotes", vus: "8", "base-ref": "HEAD~1" },
        ...{ "max-minutes": "0.6", "only-affected": "false", "results-directory": join(folder, "results") },
      },
      files,
    );
    if (workload === undefined) throw new Error("measure has a workload");
    const plan = makePlan(workload);
    const ports = {
      ...(await measurePorts({ resultsDirectory: join(folder, "results") }, workload, shared)),
      progress: () => undefined,
    };
    await using prepared = await prepare(workload, {}, ports);
    const sending = sendingMaterials(ports, prepared);
    if (plan.design === undefined) throw new Error("it compares");
    const [measurement] = await measureRounds(
      plan.cells,
      plan.design,
      prepared,
      startingOnce(sending),
      async (all) => all,
    );
    if (measurement === undefined) throw new Error("the pair was not measured");
    await Promise.allSettled(prepared.leaving);
    const began = performance.now();
    const told = await compareFunctions(measurement, prepared, sending);
    const seconds = (performance.now() - began) / 1_000;
    const effect = Math.expm1(mean(throughputEffects(measurement.replicates)));
    const head = withFunctions({ findings: [], unseen: [] }, told);
    return {
      verdict: "not asked for",
      effect,
      seconds,
      measurement: { ...measurement, diagnosis: { head } },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
