import { expect, test } from "vitest";

import {
  amongOtherApps,
  type ChangedFile,
  isIdle,
  isOfProse,
  unjudgedFile,
} from "../../../src/diagnosis/reach/changed-files.ts";

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  lines: { base: [], head: [] },
  ...more,
});

test.for<[path: string, isIdle: boolean]>([
  ["README.md", true],
  ["docs/guide.rst", true],
  ["LICENSE.txt", true],
  ["backend/tests/test_shop.py", true],
  ["test/data/orders.json", true],
  ["test_shop.py", true],
  ["shop_test.py", true],
  ["conftest.py", true],
  [".github/workflows/ci.yml", true],
  [".gitignore", true],
  [".circleci/config.yml", true],
  ["src/Dockerfile", true],
  ["bin/Dockerfile-template", true],
  ["docs/diagram.png", true],
  ["shop/__pycache__/orders.cpython-311.pyc", true],
  ["shop/orders.pyc", false],
  ["compose.yml", false],
  [".github/loadtest.yml", false],
  ["loadtest.yaml", false],
  ["shop.py", false],
  ["contest.py", false],
  ["latest_orders.py", false],
  ["requirements.txt", false],
  ["uv.lock", false],
  ["templates/page.html", false],
  [".env", false],
  ["attests/shop.py", false],
])("%s is idle: %s", ([path, expected]) => {
  expect(isIdle(file(path))).toBe(expected);
});

test.for<[what: string, files: readonly ChangedFile[], found: string | undefined]>([
  ["nothing", [], undefined],
  ["code, tests and documents", [file("shop.py"), file("tests/data.json"), file("README.md")], undefined],
  ["a lock file", [file("shop.py"), file("uv.lock")], "uv.lock"],
  [
    "a front end and templates",
    [
      ...["frontend/src/App.tsx", "web/package-lock.json", "static/logo.svg", "templates/page.html"],
      ...["ui/tsconfig.app.json", "ui/pnpm-lock.yaml", "web/vite.config.mts"],
    ].map((path) => file(path)),
    undefined,
  ],
  ["a script", [file("prestart.sh")], "prestart.sh"],
  ["data of a front end", [file("frontend/prices.json")], "frontend/prices.json"],
  ["a file that no commit has", [file("out.log", { isUntracked: true })], undefined],
])("of %s nobody can judge %s", ([, files, found]) => {
  expect(unjudgedFile({ topFolder: "/app", prefix: "", files })).toBe(found);
});

test.for<[what: string, files: readonly ChangedFile[], expected: boolean]>([
  ["nothing", [], true],
  ["documents and workflows", [file("README.md"), file(".github/workflows/ci.yml"), file("LICENSE")], true],
  ["data beside tests, which may be a seed", [file("tests/data.sql")], false],
  ["a schema beside documents", [file("docs/schema.sql")], false],
  ["a factory of tests", [file("tests/conftest.py")], false],
  ["a seed beside workflows", [file(".github/seed.sql")], false],
  ["code, too", [file("README.md"), file("app/main.py")], false],
  [
    "a configuration of ours that no commit has",
    [{ ...file(".github/loadtest.yml"), isUntracked: true }],
    true,
  ],
  ["a changed configuration of ours", [file(".github/loadtest.yml")], false],
  [
    "compiled code, which Python takes for its source only",
    [{ ...file("__pycache__/a.cpython-313.pyc"), isUntracked: true }],
    true,
  ],
  ["code that no commit has", [{ ...file("seed.py"), isUntracked: true }], false],
])("changes of %s", ([, files, expected]) => {
  expect(isOfProse({ topFolder: "/repository", prefix: "", files })).toBe(expected);
});

test.for<[what: string, prefix: string, others: readonly string[], expected: readonly string[]]>([
  ["apps beside this one", "till", ["shop", "shop-2"], ["shop/app.py", "shop/uv.lock"]],
  ["an app in a folder of this one's", "shop", ["shop/admin"], []],
  ["an app whose folder holds this one's", "shop/admin", ["shop"], []],
  ["an app at the top", "till", [""], []],
  ["this app at the top", "", ["shop"], []],
])("files of other apps, of %s", ([, prefix, others, expected]) => {
  const files = ["shop/app.py", "shop/uv.lock", "lib/x.py", "shops.py"].map((path) => file(path));
  const changes = { topFolder: "/repository", prefix, files };
  const folders = others.map((other) => (other === "" ? "/repository" : `/repository/${other}`));
  const marked = amongOtherApps(changes, folders).files.filter(({ isOfOtherApp }) => isOfOtherApp);
  expect(marked.map(({ path }) => path)).toEqual(expected);
});

test("a lock file, a seed and code of another app change nothing of this one", () => {
  const ofOther = ["shop/uv.lock", "shop/seed.sql", "shop/app.py"].map((path) =>
    file(path, { isOfOtherApp: true }),
  );
  const changes = { topFolder: "/repository", prefix: "till", files: ofOther };
  expect([unjudgedFile(changes), isOfProse(changes), ofOther.every(isIdle)]).toEqual([undefined, true, true]);
});
