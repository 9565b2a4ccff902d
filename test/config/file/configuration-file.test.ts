import { describe, expect, test } from "vitest";

import { parseConfig } from "../../../src/config/config-parser.ts";
import {
  type ConfigurationFile,
  parseConfigurationFile,
} from "../../../src/config/file/configuration-file.ts";
import { keys } from "../../../src/config/file/keys.ts";
import { InputError } from "../../../src/errors/errors.ts";

const read = (yaml: string) => parseConfigurationFile(".github/loadtest.yml", "/repo", yaml);
const files = {
  resolve: (path: string, folder = "/cwd") => `${folder}/${path}`,
  isFile: (path: string) => path.endsWith(".sql") && !path.includes("missing"),
  isFolder: (path: string) => !path.includes("missing"),
  findApps: () => [],
};
const parse = (file: ConfigurationFile, raw: Record<string, string> = {}) =>
  parseConfig("run", raw, files, { file });

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("a configuration file", () => {
  test.for(keys.map(({ name, example }) => [name, example] as const))(
    "may say %s as its example does",
    ([name, example]) => {
      const told = read(
        `${/^(requests|first-request-alone)/.test(name) ? "base-ref: none\n" : ""}${example}\n`,
      );
      expect(told.texts[name] ?? told.login ?? told.services ?? told.processes).toBeTruthy();
      const others = name === "app" ? "" : "app: app.main:app\n";
      const isThere = { ...files, isFile: (path: string) => /\.(sql|txt|js)$/.test(path) };
      const whole = read(`${others}${example}\n`);
      expect(parseConfig("run", {}, isThere, { file: whole }).workload).toBeDefined();
    },
  );

  test("reads lists, mappings, numbers and flags as they would be typed", () => {
    const { texts, places } = read(`
# what we measure
workers: [1, 4]
endpoints:
  - /a
  - POST /b
app-env: { LEVEL: info, SIZE: 3, WITH_CACHE: false }
script-env: { KEY: { secret: LOADTEST_KEY }, SIZE: 3 }
control: true
scale: 0.5
`);
    expect(texts).toEqual({
      workers: "1,4",
      endpoints: "/a\nPOST /b",
      "app-env": "LEVEL=info\nSIZE=3\nWITH_CACHE=false",
      "script-env": "KEY={secret: LOADTEST_KEY}\nSIZE=3",
      control: "true",
      scale: "0.5",
    });
    expect(places).toMatchObject({
      workers: ".github/loadtest.yml:3:1",
      scale: ".github/loadtest.yml:10:1",
    });
  });

  test.for(["", "# nothing yet\n", "---\n"])("that says nothing is fine: %j", (yaml) => {
    expect(read(yaml)).toMatchObject({ texts: {}, places: {} });
  });

  test.for<readonly [what: string, yaml: string, problems: readonly string[]]>([
    [
      "a wrong type",
      "vus: [1]\ncontrol: yes\nduration: 10\nbase-ref: 1.0\n",
      [
        ".github/loadtest.yml:1:1: vus: must be a number, e.g. 16 (got [1])",
        '.github/loadtest.yml:2:1: control: must be true or false (got "yes")',
        ".github/loadtest.yml:3:1: duration: must be a duration, e.g. 20s (got 10)",
        ".github/loadtest.yml:4:1: base-ref: must be text: put it in quotes (got 1)",
      ],
    ],
    [
      "unknown keys",
      "app: a:b\nendpoint: /a\nwrkers: 1\nelsewhere: true\n",
      [
        ".github/loadtest.yml:2:1: endpoint: is not a key here; did you mean endpoints?",
        ".github/loadtest.yml:3:1: wrkers: is not a key here; did you mean workers?",
        `.github/loadtest.yml:4:1: elsewhere: is not a key here; choose from ${keys.map(({ name }) => name).join(", ")}`,
      ],
    ],
    [
      "inputs that are not up to the file",
      "comment: false\nreport-id: x\nbase-url: https://example.com\n",
      [
        ".github/loadtest.yml:1:1: comment: is an input, not a key; set it in the workflow: `comment-mode: never`, or as an option",
        ".github/loadtest.yml:2:1: report-id: is an input, not a key; set it in the workflow, or as an option",
        ".github/loadtest.yml:3:1: base-url: cannot be set in the file; set it in the workflow's `settings` input, or as an option",
      ],
    ],
    [
      "a wrong item",
      "app: a:b\nendpoints:\n  - /a\n  - 3\nworkers: [1, two]\n",
      [
        ".github/loadtest.yml:4:5: endpoints.1: must be a line, e.g. POST /orders, or a mapping with a path (got 3)",
        '.github/loadtest.yml:5:14: workers.1: must be a whole number (got "two")',
      ],
    ],
    [
      "bad YAML",
      "app: a:b\nworkers: [1, 2\nvus: 3\n",
      [expect.stringMatching(/^\.github\/loadtest\.yml:3:1: flow sequence .* must be /)],
    ],
    ["a key twice", "app: a:b\napp: c:d\n", [".github/loadtest.yml:2:1: map keys must be unique"]],
    [
      "no mapping",
      "- app\n",
      [
        expect.stringMatching(
          /^\.github\/loadtest\.yml:1:1: the whole file: must be lines such as `vus: 8`, with a space/,
        ),
      ],
    ],
    [
      "variables of a script that are none",
      "script-env: hunter2\n",
      [
        ".github/loadtest.yml:1:1: script-env: must be a mapping, e.g. { API_KEY: { secret: LOADTEST_API_KEY } }",
      ],
    ],
    [
      "a secret of a wrong type",
      "app-env: hunter2\n",
      [".github/loadtest.yml:1:1: app-env: must be a mapping, e.g. { LOG_LEVEL: warning }"],
    ],
    [
      "a long value",
      `control: ${"x".repeat(200)}\n`,
      [`.github/loadtest.yml:1:1: control: must be true or false (got "${"x".repeat(99)}...)`],
    ],
    [
      "an alias of itself",
      "vus: &a [*a]\n",
      [".github/loadtest.yml:1:1: vus: must be a number, e.g. 16 (got a value that contains itself)"],
    ],
    [
      "a line that is no YAML, without a word of it",
      "- app\ndatabase-url: [postgresql://u:hunter2@h/d]\n",
      expect.arrayContaining([".github/loadtest.yml:2:16: unexpected scalar token in YAML stream"]),
    ],
    [
      "lists in lists",
      `seed: ${"[".repeat(20_000)}`,
      expect.arrayContaining([
        expect.stringMatching(/nested too deeply$/),
        expect.stringMatching(/^and \d+ more$/),
      ]),
    ],
    [
      "aliases without end",
      `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [${"*a, ".repeat(20)}]\nc: [${"*b, ".repeat(20)}]\n`,
      [expect.stringMatching(/^\.github\/loadtest\.yml: Excessive alias count/)],
    ],
  ])("refuses %s", ([, yaml, problems]) => {
    expect(problemsOf(() => read(yaml))).toEqual(problems);
  });
});

describe("inputs over a configuration file", () => {
  const file = read("app: a:b\nworkers: 4\nfail-on: slower\nseed: a.sql\napp-env: { A: 1, B: 2 }\n");

  test("the file stands for what nobody gave", () => {
    const { workload, reporting } = parse(file);
    expect(workload).toMatchObject({
      app: { importString: "a:b", folder: "/repo/.", variables: { A: "1", B: "2" } },
      workerCounts: [4],
      database: { seedFiles: ["/repo/a.sql"] },
      check: { failOn: "slower", maxSlowdown: 0.05 },
    });
    expect(reporting).toMatchObject({
      resultsDirectory: "/cwd/loadtest-results",
      check: { failOn: "slower", maxSlowdown: undefined },
    });
  });

  test("inputs win, and mean paths from the working folder", () => {
    const given = { app: "c:d", workers: "1,2", seed: "b.sql", "app-env": "B=3", "working-directory": "x" };
    expect(parse(file, given).workload).toMatchObject({
      app: { importString: "c:d", folder: "/cwd/x", variables: { A: "1", B: "3" } },
      workerCounts: [1, 2],
      database: { seedFiles: ["/cwd/b.sql"] },
    });
  });

  test("a bad value is told with its place, an input's without", () => {
    const bad = read("app: a:b\nworkers: 0\nseed: missing.sql\nduration: soon\n");
    expect(problemsOf(() => parse(bad, { vus: "x" }))).toEqual([
      '.github/loadtest.yml:2:1: workers: must be at least 1 (got "0")',
      'vus: must be a whole number (got "x")',
      '.github/loadtest.yml:4:1: duration: must be a duration, e.g. 10s, 1m30s or 500ms (got "soon")',
      '.github/loadtest.yml:3:1: seed: must name existing files (got "missing.sql")',
    ]);
    expect(problemsOf(() => parse(bad, { workers: "0", seed: "a.sql", duration: "1s" }))).toEqual([
      'workers: must be at least 1 (got "0")',
    ]);
  });
});

test("a step of an iteration may mean an endpoint of the file, and needs no input besides", () => {
  const file = read(`
app: app.main:app
iteration: ["/items/{id}", sleep 100ms]
endpoints:
  - path: /items/{id}
    params:
      id: [1, 2]
`);
  const { workload } = parseConfig("run", {}, files, { file });
  expect(workload?.endpoints).toMatchObject([{ steps: [{ path: "/items/{id}" }, { pauseSeconds: 0.1 }] }]);
  expect(workload?.forms).toHaveLength(1);
});

test.for<readonly [name: string, yaml: string]>([
  ["nested without end", `endpoints:\n ${"? ".repeat(33)}`],
  ["a list", "? [a]\n: 1\n"],
  ["an alias", "app: &a main:app\n*a : 1\n"],
])("a key that is no plain text is refused at once: %s", ([, yaml]) => {
  expect(() => read(yaml)).toThrow(/loadtest\.yml:\d+:\d+: a key must be plain text/);
});
