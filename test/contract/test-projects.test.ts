import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";

import { root, textOf } from "./files.ts";

const { chosen, isPure, long, needsOf, programs, quick, usual } = await import(
  `${root}/scripts/lib/test-choices.mjs`
);
const { families } = await import(`${root}/scripts/lib/test-families.mjs`);

interface Part {
  readonly name: string;
  readonly folder?: string;
  readonly words: readonly string[];
  readonly fuzzCases?: number;
}

interface Family {
  readonly name: string;
  readonly tests: readonly string[];
  readonly of: readonly string[];
  readonly smoke?: string;
}

type Order = readonly (readonly Part[])[];

const partOf = (order: Order, name: string) => order.flat().find((part) => part.name === name) ?? nothing;
const nothing: Part = { name: "", words: [] };
const wordsOf = (order: Order, name: string) =>
  partOf(order, name).words.map((word) => word.replace(`${root}/`, ""));
const projectsOf = (order: Order) =>
  order.flat().flatMap(({ words }) => words.flatMap((word) => /^--project=(.*)$/.exec(word)?.[1] ?? []));

/** Projects of each test file, as Vitest itself gives them out. */
function projectsByFile(): Map<string, string[]> {
  const words = [join(root, "node_modules/vitest/vitest.mjs"), "list", "--filesOnly", "--json"];
  const { stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  const found: readonly { readonly file: string; readonly projectName: string }[] = JSON.parse(stdout);
  const projects = new Map<string, string[]>();
  for (const { file, projectName } of found) {
    const path = relative(root, file);
    projects.set(path, [...(projects.get(path) ?? []), projectName]);
  }
  return projects;
}

test("each test file belongs to exactly one project, and `npm test` or `npm run test:long` runs it", () => {
  const projects = projectsByFile();
  const files = ["test", "bench", "reproduce"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.(?:ts|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect([...projects.keys()].toSorted()).toEqual(files.toSorted());
  expect([...projects].filter(([, names]) => names.length !== 1)).toEqual([]);
  expect(projectsOf([...usual(undefined), ...long]).toSorted()).toEqual(
    [...new Set([...projects.values()].flat())].toSorted(),
  );
  expect(projectsOf(programs)).toEqual(["programs", "timed", "alone"]);
  const pure = [...projects].filter(([, [name = ""]]) => ["pure", "fuzz"].includes(name));
  expect(files.filter(isPure).toSorted()).toEqual(pure.map(([file]) => file).toSorted());
});

describe("families of long tests", () => {
  const smokes = (families as readonly Family[]).flatMap(({ smoke }) => smoke ?? []);

  test.for(families as Family[])("$name: its paths are there, and it has one smoke case", (family) => {
    for (const path of [...family.tests, ...family.of])
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    const { smoke } = family;
    if (smoke === undefined) return;
    expect(family.tests.some((path) => smoke.startsWith(path))).toBe(true);
    expect(textOf(smoke).match(/tags: \["smoke"\]/g) ?? []).toHaveLength(smoke.endsWith(".py") ? 0 : 1);
  });

  test("run whole where nobody knows what changed, and in CI", () => {
    const inCi = usual([], true);
    for (const order of [usual(undefined, false), inCi]) {
      expect(order.flat().map(({ name }: Part) => name)).toEqual(["pure", "real", "target-app", "probe"]);
      expect(wordsOf(order, "real")).toEqual(
        expect.arrayContaining(smokes.filter((path) => !path.endsWith(".py"))),
      );
      expect([wordsOf(order, "target-app"), wordsOf(order, "probe")]).toEqual([[], []]);
    }
    expect(wordsOf(inCi, "pure")).toEqual(["--project=pure", "--coverage"]);
    expect(partOf(inCi, "real").fuzzCases).toBe(10_000);
  });

  test("are left to their smoke cases where no change touches them", () => {
    const order = usual(["README.md"], false);
    expect(wordsOf(order, "smoke")).toEqual([
      "--tagsFilter=smoke",
      ...smokes.filter((path) => !path.endsWith(".py")),
    ]);
    expect(wordsOf(order, "real")).toContain("test/adapters/process/output-log.test.ts");
    for (const path of [
      "test/adapters/k6/locust-file.test.ts",
      ...smokes,
      "test/end-to-end/locust.long.test.ts",
    ])
      expect(wordsOf(order, "real")).not.toContain(path);
    expect(wordsOf(order, "probe")).toEqual(smokes.filter((path) => path.startsWith("probe/")));
    expect(partOf(order, "real").fuzzCases).toBe(100);
  });

  test.for([
    ["k6/load.ts", "test/adapters/k6/arms.timed.test.ts"],
    ["test/page/page.test.ts", "test/page/page.test.ts"],
    ["src/adapters/postgres/index.ts", "test/adapters/postgres/database-server.test.ts"],
  ] as const)("run whole after a change of %s", ([changed, smoke]) => {
    const order = usual([changed], false);
    expect(wordsOf(order, "smoke")).not.toContain(smoke);
    expect(wordsOf(order, "real")).toContain(smoke);
    expect(wordsOf(quick([changed]), "real")).toContain(smoke);
  });

  test("of Python run whole after a change of it", () => {
    const order = usual(["probe/loadtest_probe/sql.py", "sql/1-users.sql"], false);
    expect([wordsOf(order, "probe"), wordsOf(order, "target-app")]).toEqual([[], []]);
    const inShort = quick(["probe/loadtest_probe/sql.py"]);
    expect(inShort.flat().map(({ name }: Part) => name)).toEqual(["pure", "real", "probe"]);
  });
});

test("what a change touches: tests of what it changes, its own tests, and the contracts", () => {
  const changed = ["README.md", "src/text/percent.ts", "test/adapters/process/output-log.test.ts"];
  const order = quick(changed);
  expect(wordsOf(order, "pure")).toEqual(
    expect.arrayContaining(["src/text/percent.ts", "test/contract/readme.test.ts"]),
  );
  expect(wordsOf(order, "pure")).not.toContain("README.md");
  expect(wordsOf(order, "real")).toEqual(["test/adapters/process/output-log.test.ts"]);
});

describe("named files", () => {
  test.for<
    readonly [names: readonly string[], needs: readonly string[], parts: Readonly<Record<string, number>>]
  >([
    [["test/text/numbers.test.ts"], ["pure"], { vitest: 1 }],
    [["test/adapters/sqlite"], ["programs"], { vitest: 1 }],
    [["test/page"], ["page"], { vitest: 3 }],
    [["probe/tests/test_sql.py"], ["pytest"], { probe: 1 }],
    [["target-app", "test/lists/"], ["pure", "pytest"], { vitest: 3, "target-app": 1 }],
  ])("%s: each runs where it belongs, with what it needs", ([names, needs, parts]) => {
    const found: readonly Part[] = chosen(names).flat();
    expect(Object.fromEntries(found.map(({ name, words }) => [name, words.length]))).toEqual(parts);
    expect(found.flatMap(needsOf).toSorted()).toEqual(needs);
  });

  test.for(["nothing.test.ts", "test/nothing", "src/cli.ts", "probe/tests/nothing.py", "docs"])(
    "%s is refused",
    (name) => {
      expect(() => chosen([name])).toThrow(`${name} is no test file, and no folder with tests`);
    },
  );
});

test("`.ci/run` calls `npm test`, then the long tests and the linters, and sums up their tests", () => {
  const commands = [...textOf(".ci/run").matchAll(/^(npm .*?) <\/dev\/null \|\| status=1$/gm)].map(
    ([, each]) => each,
  );
  expect(commands).toEqual(["npm test", "npm run --silent test:long", "npm run --silent lint"]);
  expect(textOf(".ci/run")).toContain("sum_of usual; sum_of long");
});
