import { describe, expect, test } from "vitest";

import { parseConfig } from "../../../src/core/config/config-parser.ts";
import { InputError } from "../../../src/core/errors.ts";

const files = {
  resolve: (path: string) => `/repo/${path}`,
  isFile: (path: string) => path.endsWith(".sql") && !path.includes("missing"),
  isFolder: (path: string) => !path.includes("missing"),
};
const minimal = { app: "app.main:app" };
const parse = (raw: Record<string, string>) => parseConfig("run", { ...minimal, ...raw }, files);

function problemsOf(raw: Record<string, string>): readonly string[] {
  try {
    parse(raw);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("parseConfig", () => {
  test("an import string is enough", () => {
    const { workload, reporting } = parse({});
    expect(workload).toMatchObject({
      app: { importString: "app.main:app", folder: "/repo/.", install: "auto", variables: {} },
      server: { port: undefined, readyPath: "/", readyWithinSeconds: 30 },
      database: { kind: "private", scale: 0.01, seedFiles: [], variable: "DATABASE_URL" },
      workerCounts: [1, 2],
      endpoints: [{ method: "GET", path: "/" }],
      load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
      warmupSeconds: 0.5,
    });
    expect(reporting).toEqual({
      resultsFolder: "/repo/loadtest-results",
      reportId: "default",
      comment: true,
      planText: undefined,
    });
  });

  test("report needs no app", () => {
    expect(parseConfig("report", {}, files).workload).toBeUndefined();
  });

  test.for([
    { raw: { workers: " 4, 1" }, expected: { workerCounts: [4, 1] } },
    {
      raw: { endpoints: "/a?b=c\n\n  post /d\n" },
      expected: {
        endpoints: [
          { method: "GET", path: "/a?b=c" },
          { method: "POST", path: "/d" },
        ],
      },
    },
    { raw: { duration: "1m30s" }, expected: { load: { kind: "constant", durationSeconds: 90 } } },
    { raw: { duration: "1500ms" }, expected: { load: { durationSeconds: 1.5 } } },
    {
      raw: { requests: "1000", vus: "100" },
      expected: { load: { kind: "requests", requests: 1000, virtualUsers: 100 } },
    },
    {
      raw: { rate: "12.5" },
      expected: { load: { kind: "rate", requestsPerSecond: 12.5, durationSeconds: 10 } },
    },
    {
      raw: { stages: "1s:50, 30s:50" },
      expected: {
        load: {
          kind: "stages",
          stages: [
            { durationSeconds: 1, virtualUsers: 50 },
            { durationSeconds: 30, virtualUsers: 50 },
          ],
        },
      },
    },
    { raw: { database: "none" }, expected: { database: { kind: "none" } } },
    {
      raw: { "database-url": "postgresql://u:p@127.0.0.1/x", seed: "a.sql\nb.sql" },
      expected: { database: { kind: "existing", seedFiles: ["/repo/a.sql", "/repo/b.sql"] } },
    },
    { raw: { "app-env": "A=1\nB=x=y" }, expected: { app: { variables: { A: "1", B: "x=y" } } } },
    { raw: { install: "venv" }, expected: { app: { install: { environmentFolder: "/repo/venv" } } } },
    { raw: { port: "8000" }, expected: { server: { port: 8000 } } },
  ])("reads $raw", ({ raw, expected }) => {
    expect(parse(raw).workload).toMatchObject(expected);
  });

  test.for([
    { raw: { workers: "0" }, problem: 'workers: must be at least 1 (got "0")' },
    { raw: { workers: "1,,2" }, problem: 'workers: must be a whole number (got "1,,2")' },
    { raw: { workers: "2,2" }, problem: 'workers: must not repeat a worker count (got "2,2")' },
    { raw: { workers: "x" }, problem: 'workers: must be a whole number (got "x")' },
    { raw: { duration: "10" }, problem: 'duration: must be a duration, e.g. 10s, 1m30s or 500ms (got "10")' },
    { raw: { duration: "0s" }, problem: 'duration: must be at least 1s (got "0s")' },
    { raw: { warmup: "soon" }, problem: 'warmup: must be a duration, e.g. 10s, 1m30s or 500ms (got "soon")' },
    {
      raw: { stages: "50" },
      problem: 'stages: must be pairs of duration and VUs, e.g. 1s:50,30s:50 (got "50")',
    },
    {
      raw: { endpoints: "items" },
      problem: 'endpoints: "items" must start with / (a path, or a method and a path) (got "items")',
    },
    {
      raw: { endpoints: "FETCH /a" },
      problem:
        'endpoints: "FETCH /a" has an unknown method; known are GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS (got "FETCH /a")',
    },
    {
      raw: { endpoints: "GET /a b" },
      problem:
        'endpoints: "GET /a b" must be a path without spaces, percent-encoded where needed, of at most 2000 characters (got "GET /a b")',
    },
    { raw: { endpoints: "/a\n/a" }, problem: 'endpoints: must not repeat an endpoint (got "/a\\n/a")' },
    { raw: { app: "app.py" }, problem: 'app: must be an import string, e.g. app.main:app (got "app.py")' },
    { raw: { "app-folder": "missing" }, problem: 'app-folder: must be an existing folder (got "missing")' },
    { raw: { seed: "missing.sql" }, problem: 'seed: must name existing files (got "missing.sql")' },
    { raw: { install: "missing" }, problem: 'install: must be an existing folder (got "missing")' },
    { raw: { workres: "1" }, problem: "workres: is not an input; did you mean workers?" },
    { raw: { comment: "yes" }, problem: 'comment: must be true or false (got "yes")' },
    { raw: { rate: "1", requests: "1" }, problem: "requests, rate: only one of these may be given" },
    { raw: { database: "none", seed: "a.sql" }, problem: "seed: has no use with database none" },
    { raw: { port: "70000" }, problem: 'port: must be at most 65535 (got "70000")' },
    {
      raw: { server: "uvicorn {app} --workers {wrokers} --port {port}" },
      problem: expect.stringContaining("{wrokers}"),
    },
  ])("rejects $raw", ({ raw, problem }) => {
    expect(problemsOf(raw)).toEqual([problem]);
  });

  test("names every bad input at once", () => {
    expect(
      problemsOf({ workers: "x", duration: "", vus: "0", seed: "missing.sql", nonsense: "1" }),
    ).toHaveLength(4);
  });

  test("never repeats a secret", () => {
    const problems = problemsOf({ "database-url": "mysql://u:hunter2@h/x", "app-env": "TOKEN hunter2" });
    expect(problems).toHaveLength(2);
    expect(problems.join("\n")).not.toContain("hunter2@");
    expect(problems.join("\n")).not.toContain('(got "TOKEN');
  });

  test("the app is needed by everything but report", () => {
    expect(() => parseConfig("plan", {}, files)).toThrow("app: is needed, e.g. app.main:app");
  });
});
