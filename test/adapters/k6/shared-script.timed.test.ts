import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { inspectScript, runScript } from "../../../src/adapters/k6/index.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { mergeSlices, parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { countOf } from "../../../src/model/load/script-samples.ts";
import { mergeParts } from "../../../src/model/scale/script-part.ts";
import { segmentOf, sequenceOf } from "../../../src/model/scale/segments.ts";
import { sum } from "../../../src/statistics/estimate.ts";
import { after, type K6Bench, never, ok, openK6, serving } from "./k6-fixture.ts";

let bench: K6Bench;
beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

const text = `
import http from "k6/http";
import { check, group } from "k6";
import { Counter, Trend } from "k6/metrics";
import { path } from "./paths.js";
const orders = new Counter("orders");
const wait = new Trend("wait", true);
const shape = { duration: "2s", gracefulStop: "1s" };
export const options = {
  scenarios: {
    visits: { executor: "constant-vus", vus: 3, ...shape, exec: "visit" },
    orders: { executor: "constant-arrival-rate", rate: 20, preAllocatedVUs: 4, ...shape, exec: "order" },
  },
  thresholds: { orders: ["count>25"], wait: ["max<60000"] },
};
export function visit() {
  group("visit", () => {
    const reply = http.get(__ENV.BASE_URL + path);
    check(reply, { "is fine": ({ status }) => status === 200 });
    wait.add(reply.timings.duration);
  });
}
export function order() {
  http.post(__ENV.BASE_URL + "/orders", "{}");
  orders.add(1);
}
`;

async function written(name: string, script: string): Promise<string> {
  const folder = join(bench.folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "paths.js"), 'export const path = "/items";\n');
  await writeFile(join(folder, "script.js"), script);
  return join(folder, "script.js");
}

/** One run of a script as one of two generators. */
async function runOf(number: number, scriptPath: string, baseUrl: string, startMs: number) {
  const generator = {
    ...{ cell: "cell-1", run: "run1", plan: "plan1", startMs, withinSeconds: 1 },
    ...{ segment: segmentOf(number, 2), sequence: sequenceOf(2) },
  };
  const request = {
    targets: [{ arm: "head", baseUrl }],
    name: `run-${number}`,
    cpus: undefined,
    generator,
  } as const;
  return await runScript(bench.k6, request, { scriptPath, folder: bench.folder, signal: never });
}

test("two segments of a script, put together, hold what the server counted", async () => {
  await using server = await serving(after(5));
  const scriptPath = await written("both", text);
  const startMs = Date.now() + 1_000;
  const outputs = await Promise.all(
    [1, 2].map((number) => runOf(number, scriptPath, server.baseUrl, startMs)),
  );
  const merged = mergeSlices(outputs.map(({ records }) => parseLoadRecords(records)));
  const requests = sum(merged.map((slice) => slice.requests));
  expect(requests).toBe(server.seen.length);
  expect(sum(outputs.map(({ summary }) => parseK6Summary(summary).requests))).toBe(requests);
  // Both count slices from the same instant, at which no k6 has a request yet.
  for (const { turn } of outputs) {
    expect(turn?.begunMs).toBeGreaterThanOrEqual(startMs);
    expect(turn?.firstMs).toBeGreaterThan(0);
    expect(turn?.firstMs).toBeLessThan(10_000);
  }
  const parts = outputs.flatMap(({ script, turn }) => (script && turn ? [{ ...script, ...turn.parts }] : []));
  const results = mergeParts(parts);
  const sent = (line: string) => server.seen.filter((each) => each === line).length;
  expect(new Map(results.requests?.map(({ name, count }) => [name, count]))).toEqual(
    new Map(["GET /items", "POST /orders"].map((line) => [line, sent(line)])),
  );
  expect(results.checks).toEqual([
    { group: "::visit", name: "is fine", passes: sent("GET /items"), fails: 0 },
  ]);
  const visits = parts.flatMap(({ groups }) => groups).filter(({ name }) => name === "::visit");
  expect(results.groups).toMatchObject([{ name: "::visit", count: sum(visits.map(countOf)) }]);
  const metrics = Object.fromEntries(results.metrics.map(({ name, values }) => [name, values]));
  expect(metrics["orders"]).toEqual({ count: sent("POST /orders") });
  expect(metrics["wait"]).toEqual({
    ...{ avg: expect.any(Number), min: expect.any(Number), max: expect.any(Number) },
    count: sent("GET /items"),
  });
  // Both together send 40 orders, and neither of them more than 25.
  expect(results.thresholds.toSorted((a, b) => (a.metric < b.metric ? -1 : 1))).toEqual([
    { metric: "orders", condition: "count>25", isKept: false },
    { metric: "wait", condition: "max<60000", isKept: true },
  ]);
}, 60_000);

test("a segment without users is told, and nothing is made up for it", async () => {
  await using server = await serving(ok);
  const options = 'export const options = { vus: 1, duration: "1s" };';
  const scriptPath = await written(
    "one",
    `import http from "k6/http";\n${options}\nexport default () => http.get(__ENV.BASE_URL);\n`,
  );
  await expect(runOf(2, scriptPath, server.baseUrl, Date.now())).rejects.toThrow(
    "has no users for the generator 1/2:1; give it more, or take fewer generators",
  );
}, 60_000);

describe("the facts of a script", () => {
  const inspected = async (scriptPath: string, isCompared?: true, limitSeconds = 60) =>
    await inspectScript(
      bench.k6,
      {
        targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
        name: "facts",
        ...(isCompared && { isCompared }),
      },
      { scriptPath, folder: bench.folder, signal: never, limitSeconds },
    );

  test("are not waited for without end", async () => {
    const scriptPath = await written("endless", `${text}while (true) {}\n`);
    await expect(inspected(scriptPath, undefined, 2)).rejects.toThrow(
      `k6 inspect was still reading ${scriptPath} after 2 s`,
    );
  }, 20_000);

  test("have nothing of what is no plain file, whatever it names", async () => {
    const names = '// "./pipe" "./none" "../../../../../../../../dev/zero"\n';
    const scriptPath = await written("names", text + names);
    execFileSync("mkfifo", [join(scriptPath, "..", "pipe")]);
    expect(await inspected(scriptPath)).toMatchObject({ seconds: 3 });
  }, 20_000);

  test("have its longest time, with graceful stops, as it is when it is compared", async () => {
    expect(await inspected(await written("length", text))).toMatchObject({
      seconds: 3,
      mark: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    const compared = text.replace('duration: "2s"', 'duration: __ENV.LOADTEST_COMPARED ? "7s" : "2s"');
    expect((await inspected(await written("compared", compared), true)).seconds).toBe(8);
  });

  test("tell scripts and what they import apart, wherever they lie", async () => {
    const [one, other] = [await written("one-place", text), await written("another", text)];
    const { mark } = await inspected(one);
    expect((await inspected(other)).mark).toBe(mark);
    await writeFile(join(other, "..", "paths.js"), 'export const path = "/others";\n');
    expect((await inspected(other)).mark).not.toBe(mark);
    await writeFile(one, `${text}// changed\n`);
    expect((await inspected(one)).mark).not.toBe(mark);
  });

  test("have no length when k6 cannot read it, but its words", async () => {
    const { seconds, logTail } = await inspected(await written("broken", "export default ("));
    expect(seconds).toBeUndefined();
    expect(logTail).toContain("Unexpected end of input");
  });
});
