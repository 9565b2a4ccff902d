import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

import type { Cell } from "../../../src/model/plan/cell.ts";
import { rerunCommand } from "../../../src/report/page/rerun.ts";
import { shellWords } from "../../../src/text/shell-words.ts";
import { cell } from "../../fixtures/measurement.ts";
import { commits, design } from "../compared.ts";

const start = "fastapi-loadtest run --endpoints";
const server = "--server 'uvicorn {app} --host {host} --port {port} --workers {workers}'";

test.for<
  [
    name: string,
    line: string | undefined,
    parts: Parameters<typeof cell>[0],
    compared?: "control" | "comparison",
  ]
>([
  ["a head alone", `${start} /health --workers 1 ${server} --vus 8 --duration 10s --base none`, {}],
  [
    "a comparison",
    `${start} '/a?b=1&c=2' --workers 4 ${server} --vus 8 --base ${commits.base}`,
    { path: "/a?b=1&c=2", workers: 4 },
    "comparison",
  ],
  ["a control", `${start} /health --workers 1 ${server} --vus 8 --control`, {}, "control"],
  [
    "another method, stages and ways of sending",
    `${start} 'PUT /x' --workers 1 ${server} --stages 1s:50,2.5s:0 --connections new --request-timeout 5s --graceful-stop 0s --base none`,
    {
      endpoint: { method: "PUT", path: "/x" },
      load: {
        kind: "stages",
        stages: [
          { durationSeconds: 1, virtualUsers: 50 },
          { durationSeconds: 2.5, virtualUsers: 0 },
        ],
        connections: "new",
        timeoutSeconds: 5,
        gracefulStopSeconds: 0,
      },
    },
  ],
  [
    "a count of requests",
    `${start} /health --workers 1 ${server} --vus 2 --requests 9 --first-request-alone --base none`,
    { load: { kind: "requests", virtualUsers: 2, requests: 9, firstRequestAlone: true } },
  ],
  [
    "a count of requests without a first one",
    `${start} /health --workers 1 ${server} --vus 2 --requests 9 --base none`,
    { load: { kind: "requests", virtualUsers: 2, requests: 9 } },
  ],
  [
    "an arrival rate",
    `${start} /health --workers 1 ${server} --vus 2 --rate 9.5 --duration 3s --base none`,
    { load: { kind: "rate", virtualUsers: 2, requestsPerSecond: 9.5, durationSeconds: 3 } },
  ],
  [
    "an iteration",
    `fastapi-loadtest run --iteration '/\nsleep 100ms\nPOST /api' --workers 1 ${server} --vus 8 --duration 10s --base none`,
    {
      endpoint: {
        steps: [{ method: "GET", path: "/" }, { pauseSeconds: 0.1 }, { method: "POST", path: "/api" }],
      },
    },
  ],
  [
    "a mix",
    `fastapi-loadtest run --endpoints mix --workers 1 ${server} --vus 8 --duration 10s --base none`,
    {
      endpoint: {
        mix: [
          { weight: 3, endpoint: { method: "GET", path: "/" } },
          { weight: 1, endpoint: { method: "POST", path: "/api" } },
        ],
      },
    },
  ],
  [
    "a script",
    `fastapi-loadtest run --script load/shop.js --workers 1 ${server} --base none`,
    { endpoint: { script: "load/shop.js" }, load: { kind: "script" } },
  ],
  [
    "a Locust file",
    `fastapi-loadtest run --script locustfile.py --workers 1 ${server} --vus 3 --duration 5s --base none`,
    {
      endpoint: { script: "locustfile.py" },
      load: { kind: "script", locust: { users: 3, durationSeconds: 5 } },
    },
  ],
  [
    "Locust's own processes",
    `fastapi-loadtest run --script locustfile.py --workers 1 ${server} --vus 3 --duration 5s --generators 2 --base none`,
    {
      endpoint: { script: "locustfile.py" },
      load: { kind: "script", locust: { users: 3, durationSeconds: 5, processes: 2 } },
    },
  ],
  ["what cannot be seen", undefined, { path: "/a\u202eb" }],
])("%s", ([, line, parts, compared]) => {
  const made: Cell = cell(parts);
  const wanted = compared === undefined ? undefined : design({ kind: compared });
  expect(rerunCommand(made, wanted, commits)).toBe(line);
});

test("a base that nobody knows is left to the program", () => {
  expect(rerunCommand(cell(), design(), {})).toContain("--base auto");
});

test("a shell reads back what was written", () => {
  const words = ["a b", "'", "$(id)", "`id`", "\\", '"', "a\nb", "*", "", "-x", "é", "!"];
  const line = `printf '%s\\0' ${shellWords(words)}`;
  expect(execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(words);
});
