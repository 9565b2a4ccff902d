import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod";

import type { LoadTarget } from "../../ports/load.ts";
import { sum } from "../../statistics/estimate.ts";
import { textOfPlainFile } from "../process/index.ts";
import { samplesIn } from "./user-script.ts";

/** What one process of Locust says of itself at its end. */
const endSchema = z.object({
  cpuSeconds: z.number().nonnegative(),
  isWorker: z.boolean(),
  /** True when a shape would have gone on after the load's time. */
  isCut: z.boolean(),
  /** The exit status that the Locust file itself decided on; absent: none. */
  exitCode: z.int().optional(),
});

/** All that the processes of one run of Locust left. */
export async function locustSamples(path: string, target: Pick<LoadTarget, "arm" | "baseUrl">) {
  const files = await filesOf(path);
  const ends = files
    .filter((file) => file.endsWith(".json"))
    .map((file) => endSchema.parse(JSON.parse(textOfPlainFile(file, limits) ?? "")));
  const main = ends.find(({ isWorker }) => !isWorker);
  const workers = ends.filter(({ isWorker }) => isWorker).length;
  const lines = files.filter((file) => /\.\d+$/.test(file));
  return {
    samples: await samplesIn(lines, target),
    /** `undefined` when the main process left none: it ended before its time. */
    main,
    /** Number of Locust's own worker processes that came to their end. */
    workers,
    /** Of all processes together; `undefined` where there is one only, whose time is known better from outside. */
    cpuSeconds: workers === 0 ? undefined : sum(ends.map((end) => end.cpuSeconds)),
  };
}

const limits = { largestBytes: 10_000, followsLinks: false } as const;

export async function removeLocustSamples(path: string): Promise<void> {
  for (const file of await filesOf(path)) await rm(file, { force: true });
}

async function filesOf(path: string): Promise<string[]> {
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name.startsWith(`${basename(path)}.`))
    .toSorted()
    .map((name) => join(dirname(path), name));
}
