import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import * as z from "zod";

import { timed } from "../parts/timing.ts";
import { judged } from "./judged.ts";
import { runPods } from "./pods.ts";
import { twoArms } from "./server.ts";

/** The head waits 10% longer. */
const waitsMs = { base: 150, head: 165 } as const;
const pods = 4;

const documentsSchema = z.tuple([
  z.object({ data: z.record(z.string(), z.string()) }),
  z.object({ spec: z.object({ arguments: z.string(), parallelism: z.literal(pods) }) }),
]);

/** The verdict on a known change from an exported manifest, as four pods run it, and from their logs. */
export async function exportedSlowDown(): Promise<Record<string, number | string>> {
  const folder = await mkdtemp(join(tmpdir(), "bench-scale-"));
  const results = join(folder, "results");
  const program = (verb: string[], statuses = [0]) =>
    timed([process.execPath, "dist/cli.js", ...verb, "--results-directory", results], { statuses });
  try {
    await using arms = await twoArms(waitsMs);
    const settings = [...arms.settings, `generators: ${pods}`, "max-minutes: 1.4"].join("\n");
    await program([
      ...["export", "k6-operator", "--endpoints", "/", "--vus", "8"],
      ...["--settings", settings],
    ]);
    const [config, run] = await manifestIn(join(results, "k6-operator"));
    const files = config.data;
    const outputs = await runPods(files, run.spec.arguments.split(" "), pods, join(folder, "pods"));
    const logs = join(folder, "logs");
    await mkdir(logs);
    for (const [index, { log }] of outputs.entries()) await writeFile(join(logs, `${index}.log`), log);
    await program(["report", "--logs", logs], [0, 3]);
    const { verdict, effectPercent } = await judged(`${pods} pods`, results);
    return { verdictOfPods: verdict, effectPercentOfPods: effectPercent };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function manifestIn(folder: string): Promise<z.infer<typeof documentsSchema>> {
  const [name = ""] = (await readdir(folder)).filter((each) => each.endsWith(".yaml"));
  const documents = parseAllDocuments(await readFile(join(folder, name), "utf8"));
  return documentsSchema.parse(documents.map((each): unknown => each.toJS()));
}
