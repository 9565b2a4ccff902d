import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

import { type LoadFiles, type LoadRequest, loadFiles, segmentOf, sequenceOf } from "../../src/engine.ts";

const root = process.cwd();
const folders = [join(root, ".tools", "bin"), ...(process.env["PATH"] ?? "").split(delimiter)];

/**
 * Runs a load in as many k6 processes as a TestRun has pods, with the same files and arguments, and also with every
 * sample in a file. Returns their logs, and the latencies of all samples after the start.
 */
export async function runAsPods(request: LoadRequest, count: number, folder: string) {
  const files = await loadFiles(request, join(root, "k6"));
  const given = ["--log-format=raw", "--no-usage-report", "-e", "LOADTEST=./input.json"];
  const pods = await runPods(files, given, count, folder);
  const startMs = request.generator?.startMs ?? 0;
  const latencies = pods.flatMap(({ samples }) =>
    samples.split("\n").flatMap((line) => {
      const [metric, at = "0", value = "0"] = line.split(",");
      return metric === "http_req_duration" && Number(at) >= startMs ? [Number(value)] : [];
    }),
  );
  return { logs: pods.map(({ log }) => log), latencies };
}

/** What k6-operator does with a TestRun: the files side by side, and its arguments in each pod. Samples are CSV. */
export async function runPods(files: LoadFiles, given: readonly string[], count: number, folder: string) {
  const k6 = folders.map((each) => join(each, "k6")).find((path) => existsSync(path));
  if (k6 === undefined) throw new Error("k6 is needed for this benchmark and was not found");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const samples = join(folder, `${count}-${index}.csv`);
      const child = spawn(
        k6,
        [
          ...["run", "--quiet", `--execution-segment=${segmentOf(index + 1, count)}`],
          ...[`--execution-segment-sequence=${sequenceOf(count)}`, ...given],
          ...["load.ts", "--address=", `--out=csv=${samples}`],
        ],
        {
          cwd: folder,
          env: { PATH: process.env["PATH"], K6_CSV_TIME_FORMAT: "unix_milli" },
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      let log = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (log += text));
      await new Promise((resolve) => child.once("close", resolve));
      return { log, samples: await readFile(samples, "utf8") };
    }),
  );
}
