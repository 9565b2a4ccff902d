import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { askOtava } from "../../../src/adapters/python/otava.ts";
import { changesOf, openTrends, trendsOf } from "../../../src/history/trends/trends.ts";
import { normalChance } from "../../../src/statistics/chance.ts";
import { root } from "../../contract/files.ts";
import { machineA, machineB, nights, textOf } from "../../history/trends/lines.ts";
import { answeredChanges, picturedLines } from "../../page/histories.ts";

const signal = new AbortController().signal;
let folder: string;
let steps: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-otava-"));
  // uv, which the set-up has, installs in a second what takes pip ten.
  vi.stubEnv("PATH", [join(root, ".tools/python/bin"), process.env["PATH"]].join(delimiter));
});
afterEach(() => {
  steps = [];
});
afterAll(() => {
  vi.unstubAllEnvs();
  return rm(folder, { recursive: true, force: true });
});

/** Asks the real engine, in an environment that earlier runs of the tests may have left. */
function ask(question: string, changes: { readonly python?: string; readonly cacheFolder?: string } = {}) {
  return askOtava(question, {
    programFolder: join(root, "tools/otava"),
    python: "auto",
    cacheFolder: join(tmpdir(), "fastapi-loadtest-tests", String(process.getuid?.() ?? 0)),
    logFolder: folder,
    signal,
    onStep: (text) => steps.push(text),
    ...changes,
  });
}

/** A level that scatters by 2%, the same each time. */
function scattered(seed: number) {
  const normal = normalChance(seed);
  return (level: number) => level * (1 + 0.02 * normal());
}

test("finds a step where it is, in the cell and on the machine that have it, and none elsewhere", async () => {
  const [steady, stepped, slower] = [scattered(31_415_926), scattered(27_182_818), scattered(16_180_339)];
  const lines = [
    ...nights(30, () => ({
      cell: "steady",
      endpoint: "/steady",
      throughputRequestsPerSecond: steady(1_000),
    })),
    ...nights(30, (night) => ({
      cell: "stepped",
      endpoint: "/stepped",
      throughputRequestsPerSecond: stepped(night < 17 ? 1_000 : 880),
    })),
    // Each machine by itself is steady: only a series of both would have a step.
    ...nights(30, (night) => ({
      cell: "moved",
      endpoint: "/moved",
      machine: night < 15 ? machineA : machineB,
      throughputRequestsPerSecond: slower(night < 15 ? 1_000 : 600),
    })),
  ];
  const open = openTrends([textOf(lines)]);
  const found = changesOf(trendsOf(open, await ask(open.question ?? "")));
  expect(
    found.map(({ series, index, isBetter }) => [series.trend.endpoint, series.metric.key, index, isBetter]),
  ).toEqual([["/stepped", "throughputRequestsPerSecond", 17, false]]);
  const [{ change = 0, pValue, before, after } = {}] = found;
  expect(change).toBeGreaterThan(-0.14);
  expect(change).toBeLessThan(-0.1);
  expect(pValue).toBeLessThan(0.001);
  expect([before?.points, after?.points]).toEqual([17, 13]);
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining("otava-")); // questions are removed
});

test("answers what the pictures of the docs show", async () => {
  const answer = await ask(openTrends([textOf(picturedLines())]).question ?? "");
  const { changes } = JSON.parse(answer.kind === "answer" ? answer.text : "");
  const rounded = (made: readonly object[]) =>
    made.map((each) => Object.entries(each).map(([name, value]) => [name, Number(value.toPrecision(5))]));
  expect(rounded(changes)).toEqual(rounded(answeredChanges));
});

test("takes series that scatter not at all, that are short, and that are many", async () => {
  const series = [
    [],
    [1],
    new Array(20).fill(3),
    [3, 3, 3, 3, 4, 4, 4, 4],
    ...Array.from({ length: 200 }, (_, index) => Array.from({ length: 40 }, () => index)),
  ];
  const answer = await ask(JSON.stringify({ schemaVersion: 1, series }));
  expect(answer).toEqual({ kind: "answer", text: expect.any(String) });
  expect(JSON.parse(answer.kind === "answer" ? answer.text : "").changes).toEqual([
    { series: 3, index: 4, meanBefore: 3, meanAfter: 4, sdBefore: 0, sdAfter: 0, pValue: 0 },
  ]);
});

test("is installed once, and says so", async () => {
  await ask('{"schemaVersion":1,"series":[]}');
  expect(steps).toEqual([]);
});

test.for([
  ["no Python by that name", { python: "/nowhere/python" }, 'there is no Python at "/nowhere/python"'],
  ["a package index that is not there", { cacheFolder: "empty" }, "installing it failed"],
] as const)("%s is told in one line with its remedy", async ([, changes, reason]) => {
  const variables = {
    ...Object.fromEntries(
      ["UV_INDEX_URL", "UV_DEFAULT_INDEX", "PIP_INDEX_URL"].map((name) => [
        name,
        "http://127.0.0.1:9/simple",
      ]),
    ),
    ...{ UV_NO_CACHE: "1", UV_HTTP_RETRIES: "0", PIP_RETRIES: "0" },
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const cacheFolder = "cacheFolder" in changes ? { cacheFolder: join(folder, changes.cacheFolder) } : {};
  const answer = await ask("{}", { ...changes, ...cacheFolder });
  for (const name of Object.keys(variables)) vi.stubEnv(name, undefined);
  if (answer.kind === "answer") throw new Error("there should be no answer");
  expect(answer.reason).toContain(`Apache Otava cannot be used: ${reason}`);
  expect(answer.reason).toMatch(
    /It needs Python 3\.11 to 3\.14, 200 MB of disk and a package index\. [^\n]+$/,
  );
});

test("a question that it cannot read is told with its last words", async () => {
  expect(await ask("no JSON")).toEqual({
    kind: "no answer",
    reason: expect.stringMatching(
      /^Apache Otava cannot be used: it ended with code 1 \(.*JSONDecodeError.*\)\.$/,
    ),
  });
});

test("stops with the run that asked", async () => {
  const stopped = AbortSignal.abort(new Error("stop"));
  const asking = askOtava("{}", {
    ...{ programFolder: join(root, "tools/otava"), python: "auto", cacheFolder: folder, logFolder: folder },
    ...{ signal: stopped, onStep: () => undefined },
  });
  await expect(asking).rejects.toThrow("stop");
});
