import { expect, test } from "vitest";

import { InputError } from "../../../src/errors/errors.ts";
import { parseInit } from "../../../src/init/options.ts";
import { chooseApps, nearbyApps } from "../../../src/init/read/apps.ts";
import type { FoundApp } from "../../../src/model/workload/workload.ts";

const app = (importString: string, folder = "."): FoundApp => ({
  importString,
  folder,
  framework: "FastAPI",
});
const asked = (apps: readonly string[], appFolders: readonly string[]) => ({ apps, appFolders });
const two = [app("shop:app", "a"), app("bills:app", "b")];
const crowded = [app("shop:app", "a"), app("old:app", "a"), app("bills:app", "b")];
const nested = [app("shop:app"), app("demo:create()", "my demo")];

test.for<readonly [found: FoundApp[], names: string[], folders: string[], expected: FoundApp[]]>([
  [[app("a:b")], [], [], [app("a:b")]],
  [two, [], [], two],
  [two, [], ["b"], [app("bills:app", "b")]],
  [two, [], ["b", "a"], two],
  [two, ["shop:app"], [], [app("shop:app", "a")]],
  [two, ["shop:app", "bills:app"], [], two],
  [crowded, ["shop:app", "bills:app"], [], two],
  [nested, [], ["."], [app("shop:app")]],
  [nested, [], ["my demo", "."], nested],
  [[app("a:b", "api"), app("a:b", "api-two")], ["a:b"], [], [app("a:b", "api"), app("a:b", "api-two")]],
  [two, ["other:app"], ["c"], [app("other:app", "c")]],
  [[], ["other:app"], [], [app("other:app")]],
  [[app("src.api:app"), app("src.security:app")], [], [], [app("src.api:app")]],
  [[app("api:app"), app("app.main:app")], [], [], [app("app.main:app")]],
  [[app("app.main:fastapi_app"), app("app.utils:app")], [], [], [app("app.main:fastapi_app")]],
  [[app("main:create_app()"), app("main:create_production_app()")], [], [], [app("main:create_app()")]],
  [[app("a:app", "sample"), app("a:app", "{{slug}}")], [], [], [app("a:app", "sample")]],
  [[app("a:app", "{{slug}}")], [], [], [app("a:app", "{{slug}}")]],
])("of %j, with %j in %j", ([found, names, folders, expected]) => {
  expect(chooseApps(found, asked(names, folders))).toEqual(expected);
});

const noneIsThere = "no module defines an app, such as app = FastAPI()";
const eachOfTwo = "init --app shop:app --working-directory a, or init --app bills:app --working-directory b";

test.for<readonly [found: FoundApp[], names: string[], folders: string[], message: string]>([
  [[], [], [], `${noneIsThere}; name it with --app`],
  [[], [], ["x"], `${noneIsThere}, in x; name it with --app`],
  [two, [], ["x"], `${noneIsThere}, in x; name it with --app: ${eachOfTwo}`],
  [two, [], ["a", "x"], `${noneIsThere}, in x; name it with --app: ${eachOfTwo}`],
  [two, ["shop:app"], ["a", "b"], `${noneIsThere}, in b; name it with --app: ${eachOfTwo}`],
  [two, ["shop:app", "other:app"], [], `no module defines other:app; name it with --app: ${eachOfTwo}`],
  [
    crowded,
    [],
    [],
    "one folder has several apps; choose one: init --app shop:app --working-directory a, or init --app old:app --working-directory a, or init --app bills:app --working-directory b",
  ],
  [
    nested,
    [],
    [],
    "several apps were found, one inside another's folder; choose: init --app shop:app --working-directory ., or init --app 'demo:create()' --working-directory 'my demo', or init --working-directory . --working-directory 'my demo'",
  ],
  [
    [app("a:b", "un\u0007seen"), app("a:c", "un\u0007seen")],
    [],
    [],
    "one folder has several apps; choose one",
  ],
])("of %j, with %j in %j, says what to do", ([found, names, folders, message]) => {
  expect(() => chooseApps(found, asked(names, folders))).toThrow(new InputError([`app: ${message}`]));
});

test("of more apps than a report may be of, some are asked for", () => {
  const many = Array.from({ length: 21 }, (_, index) => app("a:b", `s${index}`));
  const message =
    /one report covers at most 20 apps, and 21 were found; choose from them: init --app a:b --working-directory s0, or /;
  expect(() => chooseApps(many, asked([], []))).toThrow(message);
  expect(chooseApps(many, asked([], ["s3", "s20"]))).toEqual([app("a:b", "s3"), app("a:b", "s20")]);
});

test.for<readonly [words: string, expected: ReturnType<typeof parseInit>]>([
  ["", { apps: [], appFolders: [], overwrites: false }],
  ["--python python3.14", { apps: [], appFolders: [], python: "python3.14", overwrites: false }],
  ["--script ./load/a.js", { apps: [], appFolders: [], script: "load/a.js", overwrites: false }],
  ["--replace-login", { apps: [], appFolders: [], replacesLogin: true, overwrites: false }],
  ["--tests off", { apps: [], appFolders: [], tests: { kind: "none" }, overwrites: false }],
  [
    "--tests ./tests/api/",
    { apps: [], appFolders: [], tests: { kind: "path", path: "tests/api" }, overwrites: false },
  ],
  ["--tests=-k=api", { apps: [], appFolders: [], tests: { kind: "words", words: "api" }, overwrites: false }],
  ["--app a:b --working-directory=c --overwrite", { apps: ["a:b"], appFolders: ["c"], overwrites: true }],
  [
    "--app a:b --app c:d --app a:b --working-directory ./e/f/ --working-directory . --working-directory ./ --working-directory e/f",
    { apps: ["a:b", "c:d"], appFolders: ["e/f", "."], overwrites: false },
  ],
])("init %s", ([words, expected]) => {
  expect(parseInit(words.split(" ").filter((word) => word !== ""))).toEqual(expected);
});

test.for([
  ["--overwrite true", '--overwrite takes no value; use --overwrite (got "true")'],
  ["--overwrite=no", '--overwrite takes no value; leave it out (got "no")'],
  ["--app", "--app needs a value"],
  [
    "x",
    '"x" is not an option of init; choose from --app, --working-directory, --python, --script, --tests, --replace-login, --overwrite',
  ],
  [
    "--force=true",
    "--force is not an option of init; choose from --app, --working-directory, --python, --script, --tests, --replace-login, --overwrite",
  ],
] as const)("init %s is refused", ([words, problem]) => {
  expect(() => parseInit(words.split(" "))).toThrow(new InputError([problem]));
});

test.for<readonly [here: string, folders: readonly string[], named: readonly string[]]>([
  [".", ["a", "a/b", "c"], []],
  ["a", ["a", "a/b"], []],
  ["a/b", ["a/b"], []],
  ["a/b/deep", ["a/b"], []],
  ["other", ["a", "a/b", "c"], []],
  ["a", ["a", "a/b", "c"], ["c"]],
])("in %s the apps of %j are meant, unless some are named", ([here, folders, named]) => {
  const found = ["a", "a/b", "c"].map((folder) => app("m:app", folder));
  expect(nearbyApps(found, here, asked([], named)).map(({ folder }) => folder)).toEqual(folders);
});
