import { readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabaseServer } from "../../src/engine.ts";
import { median, print, rounded } from "./timing.ts";

/** Seconds to seed the default data (scale 0.01, `sql/`), and to make one copy of the template. Medians. */
export async function seedCost(root: string): Promise<{ seedSeconds: number; copySeconds: number }> {
  const seedFiles = readdirSync(join(root, "sql"))
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => join(root, "sql", name));
  const seeds: number[] = [];
  const copies: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const empty = await start([]);
    const seeded = await start(seedFiles);
    // An empty template needs initdb and a start, too. Neither is seeding.
    seeds.push(seeded.seconds - empty.seconds);
    copies.push(...seeded.copySeconds);
    print(`start ${empty.seconds.toFixed(2)} s, with seed ${seeded.seconds.toFixed(2)} s`);
  }
  return { seedSeconds: rounded(median(seeds)), copySeconds: rounded(median(copies)) };
}

async function start(seedFiles: readonly string[]) {
  const workFolder = await mkdtemp(join(tmpdir(), "bench-seed-"));
  await chmod(workFolder, 0o711);
  const started = performance.now();
  const seed = { seedFiles, scale: 0.01, variable: "DATABASE_URL" };
  const server = await openDatabaseServer(
    { kind: "private", ...seed },
    {
      workFolder,
      toolsFolder: join(homedir(), ".cache", "fastapi-loadtest"),
      signal: new AbortController().signal,
      onStep: () => undefined,
    },
  );
  try {
    const template = await server.seed(seed);
    const seconds = (performance.now() - started) / 1_000;
    const copySeconds: number[] = [];
    for (let copy = 0; copy < 5; copy += 1) {
      const before = performance.now();
      await using _ = await template.copy();
      copySeconds.push((performance.now() - before) / 1_000);
    }
    return { seconds, copySeconds };
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(workFolder, { recursive: true, force: true });
  }
}
