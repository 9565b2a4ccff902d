import { describe, expect, test } from "vitest";

import { parseConfig } from "../../src/config/config-parser.ts";
import { parseConfigurationFile, settingsOf } from "../../src/config/file/configuration-file.ts";
import { parseRequest } from "../../src/config/several-apps.ts";
import { InputError } from "../../src/errors/errors.ts";

const files = {
  resolve: (path: string, folder = "/cwd") => (path === "." ? folder : `${folder}/${path}`),
  isFile: (path: string) => !path.includes("missing"),
  isFolder: () => true,
  findApps: () => [],
};
const read = (yaml: string) => parseConfigurationFile("loadtest.yml", "/repo", yaml);
const file = read(`
app: a:b
vus: 3
warmup: 1s
seed: of-file.sql
app-env: { A: 1, B: 1, C: 1 }
login: { headers: { X: of-file } }
endpoints:
  - path: /items/{id}
    params: { id: { csv: ids.csv, column: id } }
`);
const parse = (settings: string, raw = {}) => parseConfig("run", { settings, ...raw }, files, { file });

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("settings", () => {
  test.for([
    ["vus: 5", {}, 5],
    ["vus: 5", { vus: "7" }, 7],
    ["vus: 5", { vus: "" }, 5],
    ["warmup: 2s", {}, 3],
    ["", {}, 3],
    ["  \n", {}, 3],
    ["# nothing", {}, 3],
  ] as const)("%j lie below inputs %j and over the file: %d users", ([settings, raw, virtualUsers]) => {
    expect(parse(settings, raw).workload?.load).toMatchObject({ virtualUsers });
  });

  test("put variables together, the caller's last", () => {
    const { workload } = parse("app-env: { B: 2, C: 2 }", { "app-env": "C=3" });
    expect(workload?.app.variables).toEqual({ A: "1", B: "2", C: "3" });
  });

  test("mean paths from the working folder, as other inputs do; those of the file stay its own", () => {
    expect(parse("seed: here.sql").workload?.database).toMatchObject({ seedFiles: ["/cwd/here.sql"] });
    expect(parse("vus: 5").workload?.database).toMatchObject({ seedFiles: ["/repo/of-file.sql"] });
    const csv = "endpoints:\n  - path: /a/{x}\n    params: { x: { csv: here.csv, column: x } }";
    expect(parse(csv).workload?.forms).toMatchObject([{ params: { x: { file: "/cwd/here.csv" } } }]);
    expect(parse("vus: 5").workload?.forms).toMatchObject([{ params: { id: { file: "/repo/ids.csv" } } }]);
  });

  test("may have whole endpoints, patterns and a login in the place of the file's", () => {
    const { workload } = parse("login: { headers: { X: mine } }\nendpoints: { exclude: [/b] }");
    expect(workload?.login).toMatchObject({ place: "settings:1:1", headers: { X: "mine" } });
    expect(workload?.discovery?.patterns.exclude).toEqual([expect.anything()]);
    expect(parse("vus: 5").workload?.login).toMatchObject({ headers: { X: "of-file" } });
    // A line means the file's endpoint of that name, as in the input `endpoints`.
    expect(parse('endpoints: ["/items/{id}"]').workload?.forms).toHaveLength(1);
  });

  test("say where load goes, which is not up to the file", () => {
    const { workload } = parse("base-url: http://127.0.0.1:1\nallow-target: [127.0.0.1:1]\nvus: 2", {
      endpoints: "/",
    });
    expect(workload?.targets).toEqual({ head: "http://127.0.0.1:1", base: undefined });
  });

  test("hold for the report, which reads no file", () => {
    const { reporting } = parseConfig("report", { settings: "max-slowdown: 7%\nseed: missing.sql" }, files);
    expect(reporting.check).toMatchObject({ maxSlowdown: 0.07, failOn: undefined });
  });

  test.for<readonly [settings: string, problems: readonly unknown[]]>([
    [
      "vus: x\nwarmup: soon",
      [
        'settings:1:1: vus: must be a whole number (got "x")',
        expect.stringMatching(/^settings:2:1: warmup: must be a duration/),
      ],
    ],
    ["\nvuss: 1", ["settings:2:1: vuss: is not a key here; did you mean vus?"]],
    ["vus: [1", [expect.stringMatching(/^settings:1:8: /)]],
    ["vus:8", ["settings:1:1: the whole file: must be lines such as `vus: 8`, with a space after the colon"]],
    [
      "report-id: x",
      ["settings:1:1: report-id: is an input, not a key; set it in the workflow, or as an option"],
    ],
    ["app-env: hunter2", ["settings:1:1: app-env: must be a mapping, e.g. { LOG_LEVEL: warning }"]],
    ["database-url: hunter2", [expect.not.stringContaining("hunter2")]],
  ])("%j are refused with the place", ([settings, problems]) => {
    expect(problemsOf(() => parse(settings))).toEqual(problems);
  });

  test("of one app have no use with several, and what is wrong in them is told once", () => {
    const request = (settings: string) =>
      parseRequest("plan", { settings }, files, {
        pullRequest: { kind: "none", reason: "a push" },
        configurations: [
          { name: "a.yml", file: read("name: a\napp: a:b") },
          { name: "b.yml", file: read("name: b\napp: a:b") },
        ],
      });
    expect(request("vus: 5").apps).toHaveLength(2);
    expect(problemsOf(() => request("name: x\nbase-url: http://h"))).toEqual([
      "name: is for one app, but config names several; set it in the file of each app",
      "base-url: cannot be combined with several files; set one file",
    ]);
    expect(problemsOf(() => request("vus: [1]"))).toHaveLength(1);
  });

  test("are none where nothing is said", () => {
    expect(settingsOf({}, "/")).toBeUndefined();
  });
});
