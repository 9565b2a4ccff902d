import { describe, expect, test } from "vitest";

import { parseConfig } from "../../src/config/config-parser.ts";
import { inputs } from "../../src/config/inputs.ts";
import { InputError } from "../../src/errors/errors.ts";
import type { PullRequestOfRun } from "../../src/model/pull-request.ts";
import { serverTemplateOf } from "../../src/model/workload/server-command.ts";

const files = {
  resolve: (path: string, folder = "/repo") => `${folder.replace(/\/\.$/, "")}/${path}`,
  isFile: (path: string) => path.endsWith(".sql") && !path.includes("missing"),
  isFolder: (path: string) => !path.includes("missing"),
  findApps: () => [],
};
const minimal = { app: "app.main:app" };
const parse = (raw: Record<string, string>, run?: PullRequestOfRun) =>
  parseConfig("run", { ...minimal, ...raw }, files, run && { pullRequest: run });
const pullRequest = {
  kind: "pull request",
  number: 7,
  headSha: "a".repeat(40),
  baseSha: "b".repeat(40),
  isFork: false,
} as const;

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
  test.for<Record<string, string>>([
    { "max-slowdown": "3%" },
    { "max-slowdown": "2%", "min-change": "2%" },
    { "max-slowdown": "2%", "fail-on": "slower" },
    { "max-slowdown": "2%", "fail-on": "never" },
    // What cannot be compared by costs the comparison, and is told as that.
    { "max-slowdown": "2%", "min-change": "0%" },
    // Nobody asked for the usual threshold: what is smaller than this matters to nobody.
    { "min-change": "20%" },
  ])("a threshold that changes can pass: %j", (raw) => {
    expect(problemsOf(raw)).toEqual([]);
  });

  test("a module may have a name that only a server can import", () => {
    expect(parse({ app: "my-app:app" }).workload?.app).toMatchObject({ importString: "my-app:app" });
  });

  test("extra packages are names, with extras and versions if need be", () => {
    const extraPackages = [
      "email-validator",
      "psycopg[binary,pool]>=3.1, <4",
      "bcrypt==4.*",
      "Jinja2 ~= 3.1",
    ];
    expect(parse({ "extra-packages": extraPackages.join("\n") }).workload?.app).toMatchObject({
      extraPackages,
    });
  });

  test("a report does not judge its threshold by a smallest effect that the plan knows", () => {
    const { reporting } = parseConfig("report", { "max-slowdown": "2%" }, files);
    expect(reporting.check.maxSlowdown).toBe(0.02);
  });

  test("thresholds without a line are none", () => {
    expect(parse({ thresholds: " \n\n" }).workload?.check).toEqual(parse({}).workload?.check);
  });

  test("a check run has the name that it was given", () => {
    expect(parse({ "check-name": "Load test (api)" }).reporting.checkRun).toBe("Load test (api)");
  });

  test("the history has the branch that it was given", () => {
    expect(parse({ "history-branch": "bench/history-1" }).reporting.historyBranch).toBe("bench/history-1");
  });

  test("an import string is enough", () => {
    const { workload, reporting } = parse({});
    expect(workload).toMatchObject({
      app: { importString: "app.main:app", folder: "/repo/.", install: "auto", variables: {} },
      server: {
        template: serverTemplateOf("uvicorn"),
        port: undefined,
        readyPath: "/",
        readyWithinSeconds: 30,
      },
      database: { kind: "private", scale: 0.01, seedFiles: [], variable: "DATABASE_URL" },
      workerCounts: [1, 2],
      discovery: { isAll: true, isOnly: true, lines: [] },
      load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
      warmupSeconds: 0.2,
      comparing: { base: { kind: "none" }, minChange: 0.03, falseAlarmRate: 0.01, maxMinutes: 15 },
      separateCpus: true,
      sameAddressLayout: true,
      diagnose: "on-change",
      check: { failOn: "regression", maxSlowdown: 0.05 },
      planText: undefined,
    });
    expect(reporting).toEqual({
      resultsDirectory: "/repo/loadtest-results",
      reportId: "default",
      comment: "always",
      planText: undefined,
      check: { failOn: undefined, maxSlowdown: undefined },
    });
  });

  test.for<Record<string, string>>([{ endpoints: "/a" }, { iteration: "/a" }, { script: "load/x.js" }])(
    "the app's own endpoints are not looked up with %j",
    (raw) => {
      const existing = { ...files, isFile: () => true };
      expect(parseConfig("run", { ...minimal, ...raw }, existing).workload?.discovery).toBeUndefined();
    },
  );

  test("report needs no app", () => {
    expect(parseConfig("report", {}, files).workload).toBeUndefined();
    expect(() => parseConfig("report", { comment: "maybe" }, files)).toThrow(
      'comment: must be true or false (got "maybe")',
    );
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
    { raw: { "request-timeout": "1500ms" }, expected: { load: { timeoutSeconds: 1.5 } } },
    { raw: { connections: "new" }, expected: { load: { kind: "constant", connections: "new" } } },
    {
      raw: { connections: "new", "first-request-alone": "true", requests: "50", vus: "20" },
      expected: {
        load: {
          kind: "requests",
          requests: 50,
          virtualUsers: 20,
          firstRequestAlone: true,
          connections: "new",
        },
      },
    },
    {
      raw: { iteration: " / \nsleep 100ms\n\nSLEEP  1m\npost /api\n", endpoints: "auto" },
      expected: {
        endpoints: [
          {
            steps: [
              { method: "GET", path: "/" },
              { pauseSeconds: 0.1 },
              { pauseSeconds: 60 },
              { method: "POST", path: "/api" },
            ],
          },
        ],
        load: { kind: "constant" },
      },
    },
    { raw: { iteration: "/sleep" }, expected: { endpoints: [{ steps: [{ path: "/sleep" }] }] } },
    { raw: { database: "none" }, expected: { database: { kind: "none" } } },
    {
      raw: { "database-url": "postgresql://u:p@127.0.0.1/x", seed: "a.sql\nb.sql" },
      expected: { database: { kind: "existing", seedFiles: ["/repo/a.sql", "/repo/b.sql"] } },
    },
    { raw: { "app-env": "A=1\nB=x=y" }, expected: { app: { variables: { A: "1", B: "x=y" } } } },
    {
      raw: { "install-command": "pip install -e .\n\n pip check" },
      expected: { app: { install: { commands: ["pip install -e .", "pip check"] } } },
    },
    { raw: { install: "venv" }, expected: { app: { install: { environmentFolder: "/repo/venv" } } } },
    {
      raw: {
        "min-change": "2.5%",
        "false-alarm-rate": "20%",
        "max-minutes": "0.5",
        "base-ref": "origin/main",
      },
      expected: {
        comparing: {
          base: { kind: "ref", ref: "origin/main" },
          minChange: 0.025,
          falseAlarmRate: 0.2,
          maxMinutes: 0.5,
        },
      },
    },
    { raw: { "separate-cpus": "false" }, expected: { separateCpus: false } },
    { raw: { "same-address-layout": "false" }, expected: { sameAddressLayout: false } },
    { raw: { diagnose: "always" }, expected: { diagnose: "always" } },
    { raw: { server: " granian " }, expected: { server: { template: serverTemplateOf("granian") } } },
    { raw: { server: "serve {port}" }, expected: { server: { template: "serve {port}" } } },
    { raw: { server: "toString {port}" }, expected: { server: { template: "toString {port}" } } },
    { raw: { port: "8000" }, expected: { server: { port: 8000 } } },
  ])("reads $raw", ({ raw, expected }) => {
    expect(parse(raw).workload).toMatchObject(expected);
  });

  test.for([
    {
      raw: { "seed-request": "POST /notes\nnotes" },
      problem:
        'seed-request: must be a method, a path and JSON, e.g. POST /notes {"title": "Note {n}"} (got "POST /notes\\nnotes")',
    },
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
        'endpoints: "FETCH /a" has an unknown method; choose from GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, WS (got "FETCH /a")',
    },
    {
      raw: { endpoints: "GET /a b" },
      problem:
        'endpoints: "GET /a b" must be a path without spaces, percent-encoded where needed, of at most 2000 characters (got "GET /a b")',
    },
    { raw: { connections: "close" }, problem: 'connections: must be reuse or new (got "close")' },
    {
      raw: { "first-request-alone": "yes" },
      problem: 'first-request-alone: must be true or false (got "yes")',
    },
    {
      raw: { "first-request-alone": "true" },
      problem: 'first-request-alone: needs requests, e.g. 1000 (got "true")',
    },
    {
      raw: { "first-request-alone": "true", stages: "1s:5" },
      problem: 'first-request-alone: needs requests, e.g. 1000 (got "true")',
    },
    ...["sleep", "sleep soon", "sleep 100", "sleep 61s", "sleep 0ms"].map((line) => ({
      raw: { iteration: `/\n${line}` },
      problem: `iteration: "${line}" must be sleep and a duration of at most 60s, e.g. sleep 100ms (got ${JSON.stringify(`/\n${line}`)})`,
    })),
    {
      raw: { iteration: "api" },
      problem: 'iteration: "api" must start with / (a path, or a method and a path) (got "api")',
    },
    {
      raw: { iteration: "FETCH /a\nsleep 1s" },
      problem: expect.stringMatching(/^iteration: "FETCH \/a" has an unknown method; choose from GET, /),
    },
    {
      raw: { iteration: "sleep 1s" },
      problem: 'iteration: must have a request, e.g. /items/1 (got "sleep 1s")',
    },
    { raw: { iteration: "\n" }, problem: 'iteration: must have a request, e.g. /items/1 (got "\\n")' },
    {
      raw: { iteration: "/\n".repeat(21) },
      problem: expect.stringMatching(/^iteration: must have at most 20 steps \(got /),
    },
    {
      raw: { iteration: "/", endpoints: "/a" },
      problem: 'iteration, endpoints: set only one of these (got "/a")',
    },
    ...["requests", "rate"].map((name) => ({
      raw: { iteration: "/", [name]: "50" },
      problem: `${name}: counts single requests, not iterations; use vus and duration, or stages (got "50")`,
    })),
    { raw: { endpoints: "/a\n/a" }, problem: 'endpoints: must not repeat an endpoint (got "/a\\n/a")' },
    { raw: { app: "app.py" }, problem: 'app: must be an import string, e.g. app.main:app (got "app.py")' },
    {
      raw: { "working-directory": "missing" },
      problem: 'working-directory: must be an existing folder (got "missing")',
    },
    { raw: { seed: "missing.sql" }, problem: 'seed: must name existing files (got "missing.sql")' },
    {
      raw: { install: "missing" },
      problem:
        'install: must be auto, none, a requirements file or the folder of a virtual environment (got "missing")',
    },
    { raw: { workres: "1" }, problem: "workres: is not an input; did you mean workers?" },
    { raw: { comment: "yes" }, problem: 'comment: must be true or false (got "yes")' },
    { raw: { rate: "1", requests: "1" }, problem: "requests, rate: set only one of these" },
    {
      raw: { "exclude-newer": "2024-02-30" },
      problem: 'exclude-newer: must be a day, e.g. 2024-01-26 (got "2024-02-30")',
    },
    {
      raw: { "exclude-newer": "26.1.2024" },
      problem: 'exclude-newer: must be a day, e.g. 2024-01-26 (got "26.1.2024")',
    },
    {
      raw: { "exclude-newer": "2024-01-26", install: "none" },
      problem: "exclude-newer: cannot be combined with install none",
    },
    {
      raw: { "extra-packages": "yarl", install: "none" },
      problem: "extra-packages: cannot be combined with install none",
    },
    ...["--index-url http://127.0.0.1", "./wheel", "a@file:///a", "git+https://a.b/c", "a b", "a<5 -r x"].map(
      (line) => ({
        raw: { "extra-packages": line },
        problem: `extra-packages: must be names of packages, one per line, e.g. email-validator or bcrypt<5 (got ${JSON.stringify(line)})`,
      }),
    ),
    ...["/etc/.env", "../.env", "src/../../.env", "settings.py", "a\n.env", "/", "a/../"].map((path) => ({
      raw: { "env-file": path },
      problem: `env-file: must be the path of an environment file below the app's folder, e.g. src/.env, or of a folder, e.g. static/ (got ${JSON.stringify(path)})`,
    })),
    { raw: { database: "none", seed: "a.sql" }, problem: "seed: cannot be combined with database: none" },
    { raw: { database: "sqlite", seed: "a.sql" }, problem: "seed: cannot be combined with database: sqlite" },
    { raw: { database: "mysql", seed: "a.sql" }, problem: "seed: cannot be combined with database: mysql" },
    {
      raw: { database: "mysql", "database-url-style": "postgresql+asyncpg" },
      problem: "database-url-style: postgresql+asyncpg does not fit database: mysql",
    },
    {
      raw: { "database-url-style": "mysql" },
      problem: "database-url-style: mysql does not fit database: postgres",
    },
    {
      raw: { database: "mongo" },
      problem: 'database: must be one of postgres, mysql, sqlite, none (got "mongo")',
    },
    { raw: { port: "70000" }, problem: 'port: must be at most 65535 (got "70000")' },
    ...["abc", "-3%", "3", "0.03"].map((text) => ({
      raw: { "min-change": text },
      problem: `min-change: must be a percentage above 0% and up to 50%, e.g. 3% (got "${text}")`,
    })),
    {
      raw: { "false-alarm-rate": "21%" },
      problem: 'false-alarm-rate: must be a percentage above 0% and up to 20%, e.g. 3% (got "21%")',
    },
    {
      raw: { "max-slowdown": "101%" },
      problem: 'max-slowdown: must be a percentage above 0% and up to 100%, e.g. 3% (got "101%")',
    },
    {
      raw: { "max-slowdown": "2%" },
      problem:
        'max-slowdown: must be at least min-change (3%), because a smaller change never fails the check; raise it, or lower min-change (got "2%")',
    },
    ...["20s", "39.9s"].map((text) => ({
      raw: { soak: text },
      problem: `soak: must be 0s, or at least 40s: a shorter test cannot show a slowdown over time (got "${text}")`,
    })),
    {
      raw: { "max-slowdown": "4.9%", "min-change": "5%" },
      problem:
        'max-slowdown: must be at least min-change (5%), because a smaller change never fails the check; raise it, or lower min-change (got "4.9%")',
    },
    { raw: { "max-minutes": "0" }, problem: 'max-minutes: must be above 0 (got "0")' },
    { raw: { "max-minutes": "1441" }, problem: 'max-minutes: must be at most 1440 (got "1441")' },
    {
      raw: { "fail-on": "faster" },
      problem:
        'fail-on: must be one of slower, regression, latency, memory, cost, invalid, never (got "faster")',
    },
    ...["a@b", "x".repeat(101)].map((name) => ({
      raw: { "check-name": name },
      problem: `check-name: must be 1 to 100 letters, digits, spaces, dots, dashes, slashes, brackets (got "${name}")`,
    })),
    ...["-x", "a..b", "a//b", "a/", "a.lock", "a b", "a/.b", "refs/heads/x.lock/y"].map((name) => ({
      raw: { "history-branch": name },
      problem: `history-branch: must be the name of a branch, e.g. loadtest-history (got "${name}")`,
    })),
    { raw: { control: "maybe" }, problem: 'control: must be true or false (got "maybe")' },
    ...["--upload-pack=x", "a\nb", "x".repeat(251)].map((text) => ({
      raw: { "base-ref": text },
      problem: `base-ref: must be auto, none, or a branch, tag or commit, e.g. main (got ${JSON.stringify(text)})`,
    })),
    {
      raw: { "base-ref": "main", control: "true" },
      problem: 'control, base-ref: set only one of these (got "main")',
    },
    {
      raw: { iteration: "/\nws /chat" },
      problem:
        "endpoints: a WebSocket (WS) cannot be a step or part of a mix (/ → WS /chat); list it separately",
    },
    ...[{ stages: "1s:5" }, { requests: "100" }, { rate: "5" }, { connections: "new" }].map((raw) => ({
      raw: { endpoints: "ws /chat", ...raw },
      problem: `${Object.keys(raw)[0]}: cannot be combined with a WebSocket (WS); use vus and duration`,
    })),
    {
      raw: { "base-ref": "main", stages: "1s:5" },
      problem: "stages: cannot be combined with a base; use vus and duration, or rate, or set base-ref none",
    },
    {
      raw: { control: "true", requests: "100" },
      problem:
        "requests: cannot be combined with a base; use vus and duration, or rate, or set control false",
    },
    {
      raw: { control: "true", requests: "100", "first-request-alone": "true" },
      problem:
        "requests: cannot be combined with a base; use vus and duration, or rate, or set control false",
    },
    {
      raw: { xyzzyx: "1" },
      problem: expect.stringMatching(/^xyzzyx: is not an input; choose from config, settings, name, /),
    },
    {
      raw: { server: "uvicorn {app} --workers {wrokers} --port {port}" },
      problem: expect.stringContaining("{wrokers}"),
    },
  ])("rejects $raw", ({ raw, problem }) => {
    expect(problemsOf(raw)).toEqual([problem]);
  });

  test.for([
    { raw: {}, expected: { kind: "pull request", headSha: "a".repeat(40), baseSha: "b".repeat(40) } },
    { raw: { "base-ref": "none" }, expected: { kind: "none" } },
    { raw: { "base-ref": "v1" }, expected: { kind: "ref", ref: "v1" } },
    { raw: { control: "true" }, expected: { kind: "control" } },
    { raw: { control: "true", "base-ref": "none" }, expected: { kind: "control" } },
    { raw: { stages: "1s:5" }, expected: { kind: "none" } },
    { raw: { requests: "100" }, expected: { kind: "none" } },
    { raw: { requests: "100", "first-request-alone": "true" }, expected: { kind: "none" } },
    { raw: { rate: "100" }, expected: { kind: "pull request" } },
    { raw: { iteration: "/" }, expected: { kind: "pull request" } },
    { raw: { connections: "new" }, expected: { kind: "pull request" } },
  ])("on a pull request $raw is compared with $expected.kind", ({ raw, expected }) => {
    expect(parse(raw, pullRequest).workload?.comparing.base).toMatchObject(expected);
  });

  test.for(["0", "0%", "0.0%", "50.1%", "300%", "1000%"])(
    "a smallest effect of %s costs the comparison that was wanted, and nothing else",
    (text) => {
      const reason = `min-change: must be a percentage above 0% and up to 50%, e.g. 3% (got "${text}")`;
      const wanted = parse({ "min-change": text }, pullRequest);
      expect(wanted.workload?.comparing).toMatchObject({
        base: { kind: "none", reason },
        minChange: 0.03,
      });
      const alone = parse({ "min-change": text, "base-ref": "none" }, pullRequest);
      expect(alone.workload?.comparing.base).toEqual({ kind: "none" });
      expect(parseConfig("report", { "min-change": text }, files).verb).toBe("report");
    },
  );

  test("measure and report get the plan of the whole", () => {
    expect(parseConfig("measure", { ...minimal, plan: "{}" }, files).workload?.planText).toBe("{}");
    expect(parseConfig("report", { plan: "{}" }, files).reporting.planText).toBe("{}");
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
    expect(() => parseConfig("plan", {}, files)).toThrow(
      "app: required, e.g. app.main:app; no module in /repo/.",
    );
    expect(() => parseConfig("plan", { "working-directory": "missing" }, files)).toThrow(
      /app: required, e\.g\. app\.main:app\n.*working-directory: must be an existing folder/,
    );
  });

  const found = (importString: string, folder = ".") => ({ importString, folder, framework: "FastAPI" });
  const parseWith = (apps: ReturnType<typeof found>[], raw: Record<string, string> = {}) =>
    parseConfig("plan", raw, { ...files, findApps: () => apps }).workload?.app;

  test("the only app of a folder is meant, in its own folder below", () => {
    expect(parseWith([found("main:app")])).toMatchObject({ importString: "main:app", folder: "/repo/." });
    expect(parseWith([found("a:app", "api")])).toMatchObject({ importString: "a:app", folder: "/repo/api" });
    expect(parseWith([found("a:app", "api")], { "working-directory": "x" })).toMatchObject({
      folder: "/repo/x",
    });
    expect(parseWith([found("a:app")], { app: "b:app" })).toMatchObject({ importString: "b:app" });
  });

  test("several apps are named", () => {
    expect(() => parseWith([found("a:app"), found("b:app", "admin")])).toThrow(
      "app: required, because there are several: a:app, b:app (working-directory admin)",
    );
    const many = Array.from({ length: 12 }, (_, index) => found(`m${index}:app`));
    expect(() => parseWith(many)).toThrow(/m9:app and 2 more$/);
  });

  test("modules in src are told to Python", () => {
    const isIn = (...paths: string[]) => ({
      ...files,
      isFolder: (path: string) => !path.includes("shop") || paths.includes(path),
      isFile: (path: string) => paths.includes(path),
    });
    const sourceOf = (...paths: string[]) =>
      parseConfig("plan", { app: "shop.web:app" }, isIn(...paths)).workload?.app.sourceFolder;
    expect(sourceOf("/repo/src/shop")).toBe("src");
    expect(sourceOf("/repo/src/shop.py")).toBe("src");
    expect(sourceOf("/repo/shop", "/repo/src/shop")).toBeUndefined();
    expect(sourceOf()).toBeUndefined();
  });
});

test("messages through a WebSocket are an endpoint", () => {
  const { workload } = parseConfig("run", { app: "a:b", endpoints: "/\nws /chat" }, files);
  expect(workload?.endpoints).toEqual([
    { method: "GET", path: "/" },
    { method: "WS", path: "/chat" },
  ]);
});

describe("a k6 script", () => {
  const script = { app: "a:b", script: "load/x.js" };
  const there = { ...files, isFile: () => true };

  test("takes the place of endpoints and load", () => {
    const { workload } = parseConfig("run", { ...script, "base-ref": "auto" }, there);
    expect(workload).toMatchObject({
      endpoints: [{ script: "load/x.js" }],
      load: { kind: "script" },
      comparing: { base: { kind: "none" } },
      diagnose: "never",
    });
    expect(workload?.scriptPath).toMatch(/load\/x\.js$/);
  });

  test.for<readonly [raw: Record<string, string>, problem: string]>([
    [{ endpoints: "/a" }, "script, endpoints: set only one of these"],
    [{ rate: "5" }, "script, rate: set only one of these"],
    [
      { "base-url": "https://a.example", "allow-target": "a.example" },
      "script: its load cannot be limited; set target-cap: false to allow it",
    ],
  ])("with %j is refused", ([raw, problem]) => {
    expect(() => parseConfig("run", { ...script, ...raw }, there)).toThrow(problem);
  });

  test("is compared with a base", () => {
    const { workload } = parseConfig("run", { ...script, "base-ref": "main" }, there);
    expect(workload?.comparing.base).toEqual({ kind: "ref", ref: "main" });
  });

  test("in Python is Locust's, which gets users and time", () => {
    const { workload } = parseConfig("run", { ...script, script: "locustfile.py", vus: "3" }, there);
    expect(workload?.load).toEqual({ kind: "script", locust: { users: 3, durationSeconds: 10 } });
  });

  test("must be there", () => {
    expect(() => parseConfig("run", script, files)).toThrow(
      'script: must name an existing file (got "load/x.js")',
    );
  });
});

test.for(inputs.map(({ name }) => name))(
  "%s takes no name that every object has for one that it knows",
  (name) => {
    for (const value of ["__proto__", "constructor", "toString"])
      for (const problem of problemsOf({ [name]: value })) expect(problem).toContain(name);
  },
);
