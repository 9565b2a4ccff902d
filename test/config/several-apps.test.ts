import { describe, expect, test } from "vitest";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { configurationNames, parseRequest } from "../../src/config/several-apps.ts";
import { InputError } from "../../src/errors/errors.ts";
import { isNonEmpty } from "../../src/lists/non-empty.ts";
import type { Verb } from "../../src/model/choices.ts";

const files = {
  resolve: (path: string, folder = "/repo") =>
    path.startsWith("/") ? path : path === "." ? folder : `${folder}/${path}`,
  isFile: () => true,
  isFolder: (path: string) => !path.includes("missing"),
  findApps: () => [],
};
const pullRequest = { kind: "none", reason: "a push" } as const;

/** What `config` means, from files by their names; a file's folder is what its name has before the last slash. */
function requestOf(texts: Readonly<Record<string, string>>, raw = {}, verb: Verb = "plan") {
  const configurations = Object.entries(texts).map(([name, yaml]) => {
    const folder = name.replace(/\/?[^/]*$/, "").replace(".github", "");
    const file = parseConfigurationFile(name, folder === "" ? "/repo" : `/repo/${folder}`, yaml);
    return { name, file };
  });
  if (!isNonEmpty(configurations)) throw new Error("there is one file or more");
  return parseRequest(verb, raw, files, { pullRequest, configurations });
}

function problemsOf(texts: Readonly<Record<string, string>>, raw = {}): readonly string[] {
  try {
    requestOf(texts, raw);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

test.for([
  [undefined, [""]],
  ["", [""]],
  ["none", ["none"]],
  ["a/loadtest.yml", ["a/loadtest.yml"]],
  ["\n a.yml\r\nb.yml \n\na.yml", ["a.yml", "b.yml"]],
] as const)("config %j names %j", ([config, names]) => {
  expect(configurationNames(config)).toEqual(names);
});

test("config names no more files than a report may have apps", () => {
  const names = Array.from({ length: 21 }, (_, index) => `${index}.yml`);
  expect(configurationNames(names.slice(1).join("\n"))).toHaveLength(20);
  expect(() => configurationNames(names.join("\n"))).toThrow(
    "config: one report covers at most 20 apps (got 21)",
  );
});

describe("the name of an app", () => {
  test.for<readonly [string, Record<string, string>, (string | undefined)[]]>([
    ["is nobody's where there is one", { "services/shop/loadtest.yml": "app: a:b" }, [undefined]],
    ["is what its file says", { "services/shop/loadtest.yml": "name: shop\napp: a:b" }, ["shop"]],
    [
      "is the folder where there are several",
      { "services/shop/loadtest.yml": "app: a:b", "services/odd name/loadtest.yml": "app: a:b" },
      ["services/shop", "services/odd-name"],
    ],
    [
      "is the folder of the app, not of the file",
      {
        ".github/one.yml": "app: a:b\nworking-directory: one",
        ".github/two.yml": "app: a:b\nworking-directory: two",
      },
      ["one", "two"],
    ],
    [
      "is the file's where all lie in one folder",
      { ".github/one.yml": "app: a:b", ".github/two.yaml": "app: a:c" },
      ["one", "two"],
    ],
    [
      "is the file's path where the app lies at the top",
      {
        "services/a/loadtest.yml": "app: a:b\nworking-directory: /repo",
        "b/x.yml": "app: a:c\nworking-directory: /repo",
      },
      ["services/a", "b/x"],
    ],
    [
      "is the last part of a folder elsewhere",
      {
        "a.yml": "app: a:b\nworking-directory: /other/shop",
        "b.yml": "app: a:c\nworking-directory: /other/till",
      },
      ["shop", "till"],
    ],
  ])("%s", ([, texts, names]) => {
    const { apps } = requestOf(texts);
    expect(apps.map(({ workload }) => workload.name)).toEqual(names);
    expect(apps.map(({ config }) => config)).toEqual(Object.keys(texts));
  });

  test("may be an input where there is one app, and goes before the file's", () => {
    const { apps } = requestOf({ "a/loadtest.yml": "name: shop\napp: a:b" }, { name: "till" });
    expect(apps.map(({ workload }) => workload.name)).toEqual(["till"]);
  });
});

const two = { "a/loadtest.yml": "app: a:b", "b/loadtest.yml": "app: a:b" };

describe("what is wrong is told at once", () => {
  test.for<readonly [string, Record<string, string>, Record<string, string>, string[]]>([
    [
      "two apps of one name",
      { "a/x.yml": "name: shop\napp: a:b", "b/x.yml": "name: shop\napp: a:b" },
      {},
      [
        "name: two apps are called shop: /repo/a (a/x.yml) and /repo/b (b/x.yml); give each its own name in its file",
      ],
    ],
    [
      "what only one app can be given",
      two,
      { app: "a:b", "base-url": "https://a.example", "head-url": "https://b.example", plan: "{}" },
      [
        "app: is for one app, but config names several; set it in the file of each app",
        "base-url: cannot be combined with several files; set one file",
        "head-url: cannot be combined with several files; set one file",
        "plan: cannot be combined with several files; set one file",
      ],
    ],
    [
      "mistakes in any file, with its name",
      { "a/x.yml": "database: none", "b/x.yml": "app: a:b\nvus: 0" },
      {},
      [
        "a/x.yml: app: required, e.g. app.main:app; no module in /repo/a defines an app, such as app = FastAPI()",
        'b/x.yml:2:1: vus: must be at least 1 (got "0")',
      ],
    ],
    [
      "mistakes whose input begins as its file is called",
      { ap: "vus: 1", "b/x.yml": "app: a:b" },
      {},
      ["ap: app: required, e.g. app.main:app; no module in /repo defines an app, such as app = FastAPI()"],
    ],
    [
      "a name that is none",
      { "a/x.yml": "name: See [this](x)\napp: a:b" },
      {},
      [
        'a/x.yml:1:1: name: must be 1 to 60 letters, digits, underscores, dots, dashes and slashes (got "See [this](x)")',
      ],
    ],
  ])("%s", ([, texts, raw, problems]) => {
    expect(problemsOf(texts, raw)).toEqual(problems);
  });
});

test("a fault of ours is not taken for a mistake in a file", () => {
  const broken = {
    ...files,
    findApps: () => {
      throw new TypeError("oops");
    },
  };
  const file = parseConfigurationFile("x.yml", "/repo", "vus: 1");
  const configurations = [
    { name: "a/x.yml", file },
    { name: "b/x.yml", file },
  ] as const;
  expect(() => parseRequest("plan", {}, broken, { pullRequest, configurations })).toThrow("oops");
});

test("the report takes of the inputs what it is asked for, and nothing of the files", () => {
  const strict = Object.fromEntries(Object.keys(two).map((name) => [name, "app: a:b\nfail-on: never"]));
  const { reporting } = requestOf(strict, { "max-slowdown": "9%" });
  expect(reporting.check).toEqual({ failOn: undefined, maxSlowdown: 0.09 });
  expect(requestOf(two, {}, "report").apps).toEqual([]);
});
