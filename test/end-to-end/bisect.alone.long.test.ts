import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { type PlantedHistory, plantedHistories, plantHistory } from "./planted-histories.ts";
import { runProgram } from "./program.ts";

async function bisected(history: PlantedHistory, ...options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "bisect-"));
  try {
    const planted = await plantHistory(folder, history);
    const found = await runProgram(folder, ["bisect", "--good", "v1", "--bad", "main", ...options]);
    expect(await planted.status()).toBe("");
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Some minutes each: `npm run test:weekly`. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;
const decides: Readonly<Record<keyof typeof plantedHistories, string>> = {
  "10% more CPU in a loop": "CPU instructions",
  "an N+1 query": "CPU instructions|SQL statements",
  "longer waiting": "throughput",
  "more fields to serialise": "CPU instructions",
  "10% more CPU among commits that cannot be started": "CPU instructions",
};
const names = Object.keys(plantedHistories) as (keyof typeof plantedHistories)[];

test.runIf(isLong).for(names)(
  "the commit is found among twenty: %s",
  { timeout: 1_800_000 },
  async (name) => {
    const history: PlantedHistory = plantedHistories[name];
    const { status, output } = await bisected(history);
    const last = `\nThe change began with \\w{10}\\.\n {2}Ana, .*: Commit ${history.guilty}\n {2}by (?:${decides[name]})`;
    expect(output).toMatch(new RegExp(last));
    if (history.broken) expect(output).toMatch(/could not be measured and is skipped: .*nowhere/);
    expect(status).toBe(0);
  },
);

test.runIf(isLong)("ends that do not differ end the search", { timeout: 900_000 }, async () => {
  const equal = { ...plantedHistories["10% more CPU in a loop"], guilty: Number.POSITIVE_INFINITY };
  const { status, output } = await bisected(equal, "--min-change", "20%");
  expect(output).toMatch(/\nThe ends do not differ: there is no change of 20% or more from \w+ to \w+\.\n/);
  expect(status).toBe(0);
});
