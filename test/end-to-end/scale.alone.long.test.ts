import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { findK6 } from "../../src/adapters/k6/index.ts";
import { segmentOf, sequenceOf } from "../../src/model/scale/segments.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pods = 4;
let folder = "";
let k6 = "";
let settings = "";
/** For each server: how often k6 asked it. Looks at the clock, and our own at an endpoint, are not k6's requests. */
const asked = [0, 0];
const servers: AsyncDisposable[] = [];

/** The head waits four times as long, which no machine hides. */
const waitsMs = [20, 80];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scale-test-"));
  const logPath = join(folder, "version.log");
  const toolsFolder = join(root, ".tools");
  ({ path: k6 } = await findK6({
    ...{ path: process.env["LOADTEST_K6"], toolsFolder, logPath, signal: new AbortController().signal },
  }));
  const [base, head] = await Promise.all(waitsMs.map((ms, arm) => serverThatWaits(ms, arm)));
  settings = [
    ...[`base-url: http://${base}`, `head-url: http://${head}`, `allow-target: [${base}, ${head}]`],
    ...[`generators: ${pods}`, "max-minutes: 0.75", "fail-on: never", "min-change: 5%"],
  ].join("\n");
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function serverThatWaits(ms: number, arm: number): Promise<string> {
  const server = createServer(({ method, headers }, response) => {
    if (method !== "HEAD" && /k6/i.test(headers["user-agent"] ?? "")) asked[arm] = (asked[arm] ?? 0) + 1;
    setTimeout(() => response.end("ok"), ms);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  servers.push({ [Symbol.asyncDispose]: stop });
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

async function output(argv: readonly [string, ...string[]], cwd: string, variables = {}) {
  const [program, ...args] = argv;
  const env = { ...process.env, ...variables };
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, text };
}

const programWith = (variables: Readonly<Record<string, string>>, ...args: string[]) =>
  output([process.execPath, join(root, "dist/cli.js"), ...args], folder, variables);
const program = (...args: string[]) => programWith({}, ...args);

async function cellOf(results: string) {
  const { cells } = JSON.parse(await readFile(join(results, "figures.json"), "utf8"));
  return cells[0];
}

/**
 * A machine that lets processes wait for a tenth of a second has no clock that they share, and one whose hypervisor takes
 * the CPU measures nothing: the report must say so.
 */
async function expectSlower({ status, text }: Awaited<ReturnType<typeof program>>, results: string) {
  const cell = await cellOf(results);
  if (cell.status === "invalid" || cell.verdict === "invalid") {
    expect(text).toMatch(/the generators' clocks differ by|\bsteal: | s late\b| s after the start/);
    return;
  }
  expect(status, text).toBe(0);
  // How soon it is certain is up to the machine; that the head answers a fraction is not.
  expect(cell, text).toMatchObject({
    status: "measured",
    verdict: expect.stringMatching(/^(?:slower|inconclusive)$/),
  });
  expect(cell.throughputRequestsPerSecond).toBeLessThan(0.6 * cell.base.throughputRequestsPerSecond);
}

/** What the operator does with a TestRun: the ConfigMap's files side by side, and its arguments for each pod. */
async function logsOfPods(manifest: string, work: string): Promise<string[]> {
  const [config, run] = parseAllDocuments(manifest).map((each) => each.toJS());
  await mkdir(work);
  for (const [name, text] of Object.entries(config.data)) await writeFile(join(work, name), String(text));
  const { arguments: given, parallelism, script } = run.spec;
  expect(parallelism).toBe(pods);
  return await Promise.all(
    Array.from({ length: pods }, async (_, index) => {
      const segment = [
        `--execution-segment=${segmentOf(index + 1, pods)}`,
        `--execution-segment-sequence=${sequenceOf(pods)}`,
      ];
      const argv = ["run", "--quiet", ...segment, ...given.split(" "), script.configMap.file, "--address="];
      const { status, text } = await output([k6, ...argv], work);
      expect(status, text).toBe(0);
      return text;
    }),
  );
}

test("exported manifests, run as pods are, give the verdict from the pods' logs", async () => {
  const place = await mkdtemp(join(folder, "try-")); // each try has its own
  const results = join(place, "exported");
  const options = ["--endpoints", "/", "--settings", settings, "--results-directory", results];
  const { status, text } = await program("export", "k6-operator", ...options);
  expect(status, text).toBe(0);
  const [name = ""] = (await readdir(join(results, "k6-operator"))).filter((each) => each.endsWith(".yaml"));
  const manifest = await readFile(join(results, "k6-operator", name), "utf8");
  const all = await logsOfPods(manifest, join(place, "pods"));
  const logs = join(place, "logs");
  await mkdir(logs);
  const prefixed = all.map((log, index) =>
    log
      .split("\n")
      .map((line) => `[pod/load-${index}/k6] ${line}`)
      .toReversed(),
  );
  const report = () => program("report", "--results-directory", results, "--logs", logs);

  await writeFile(join(logs, "three.log"), prefixed.slice(1).flat().join("\n"));
  const some = await report();
  expect(some.status, some.text).toBe(3);
  expect(await cellOf(results)).toMatchObject({ status: "invalid" });
  expect(some.text).toContain("no records came for the segment 0:1/4");

  await writeFile(join(logs, "first.log"), prefixed.slice(0, 2).flat().join("\n")); // one pod's lines come twice
  const whole = await report();
  await expectSlower(whole, results);
}, 240_000);

test("the same by four k6 processes that one run starts", async () => {
  const results = join(await mkdtemp(join(folder, "try-")), "together");
  const { status, text } = await program(
    ...["run", "--endpoints", "/", "--settings", settings, "--results-directory", results],
  );
  await expectSlower({ status, text }, results);
  const [name = ""] = await readdir(join(results, "cells"));
  const { generators } = JSON.parse(await readFile(join(results, "cells", name), "utf8"));
  expect(generators.each.map(({ segment }: { segment: string }) => segment)).toEqual(
    [1, 2, 3, 4].map((number) => segmentOf(number, 4)),
  );
}, 240_000);
