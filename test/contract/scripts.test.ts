import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";

import type { Row, VerdictKind } from "../../src/compare/comparison.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { cell } from "../fixtures/measurement.ts";
import { comparedOf, row, versus } from "../report/compared.ts";
import { ourRepository, root, textOf, workflow, yamlOf } from "./files.ts";

const { countJunit, countVitest, lookedAtAgain, withStatus } = await import(
  `${root}/scripts/lib/test-counts.mjs`
);
const { controlProblems } = await import(`${root}/scripts/false-alarms.mjs`);
const { releaseProblems } = await import(`${root}/scripts/release-check.mjs`);
const { dated, packageAt, versioned } = await import(`${root}/scripts/version.mjs`);

const ecosystems: Readonly<Record<string, string>> = {
  "package-lock.json": "npm",
  "requirements.txt": "pip",
  "requirements-reports.txt": "pip",
  "requirements-dev.txt": "pip",
  "go.sum": "gomod",
};
/** Every file that pins packages, and what Dependabot calls its kind. The samples are as strangers' repositories are. */
const lockFiles = ["", "tools", "target-app", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", encoding: "utf8" })
    .map((name) => ({ path: join(folder, name), ecosystem: ecosystems[basename(name)] ?? "" }))
    .filter(({ path, ecosystem }) => ecosystem !== "" && !/node_modules|venv|^test\/samples\//.test(path)),
);

/** Packages that a lock file does not tie to their content. */
function withoutHash(path: string, text: string): string[] {
  if (path.endsWith("go.sum"))
    return text
      .trim()
      .split("\n")
      .filter((line) => !/ h1:[\w+/]{43}=$/.test(line));
  if (path.endsWith(".json"))
    // Workspaces are folders of ours, to which node_modules has links.
    return Object.entries<{ integrity?: string; link?: boolean }>(JSON.parse(text).packages)
      .filter(([place, { link }]) => place.includes("node_modules/") && link !== true)
      .filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))
      .map(([place]) => place);
  const lines = text
    .replaceAll(/ \\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !/^\s*#/.test(line));
  return lines.filter(
    (line) => !/^[\w.-]+(?:\[[\w,-]+\])?==\S+(?: ; .*?)?(?: --hash=sha256:[0-9a-f]{64})+$/.test(line),
  );
}

describe("the sum of all tests", () => {
  test("counts a test file that cannot be loaded as a failure", () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        {
          name: "a.test.ts",
          status: "failed",
          assertionResults: [
            { status: "passed", fullName: "one", failureMessages: [] },
            { status: "failed", fullName: "two", failureMessages: ["Error: 1 is not 2\n    at a.test.ts:3"] },
          ],
        },
        { name: "b.test.ts", status: "failed", message: "cannot be loaded", assertionResults: [] },
        { name: "c.test.ts", status: "passed", assertionResults: [{ status: "passed" }] },
      ],
    };
    const failures = ["b.test.ts: cannot be loaded", "a.test.ts > two: Error: 1 is not 2"];
    const { failures: named, ...counts } = countVitest(JSON.stringify(report));
    expect(counts).toEqual({ passed: 3, failed: 2, files: ["a.test.ts", "b.test.ts"] });
    expect(named.toSorted()).toEqual(failures.toSorted());
  });

  test("takes what failed twice for a failure, and tells what passed by itself", () => {
    const first = { passed: 5, failed: 2, failures: ["a > one: slow", "b > two: wrong"], seconds: 9 };
    const second = { passed: 3, failed: 1, failures: ["b > two: wrong again"], seconds: 2 };
    expect(lookedAtAgain(first, second)).toEqual({
      passed: 6,
      failed: 1,
      failures: ["b > two: wrong again"],
      passedAgain: ["a > one: slow"],
      seconds: 11,
    });
    const brokenOff = { passed: 0, failed: 1, failures: [], problem: "it ran no test", seconds: 0 };
    expect(lookedAtAgain(first, brokenOff)).toBe(first);
  });

  test("reads a JUnit report", () => {
    const report =
      '<testsuites name="x"><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10" time="1">' +
      '<testcase classname="tests.test_a" name="test_one" time="1"/>' +
      '<testcase classname="tests.test_a" name="test_two" time="1"><failure message="assert 1 == 2&#10; + 1">def' +
      "</failure></testcase></testsuite></testsuites>";
    const failures = ["tests.test_a > test_two: assert 1 == 2"];
    expect(countJunit(report)).toEqual({ passed: 4, failed: 3, failures });
  });

  test.for([
    ["ran nothing", { passed: 0, failed: 0 }, 0, { passed: 0, failed: 1, problem: "it ran no test" }],
    [
      "failed beside its tests",
      { passed: 5, failed: 0 },
      2,
      { passed: 5, failed: 1, problem: "exit status 2" },
    ],
    ["failed", { passed: 5, failed: 2 }, 1, { passed: 5, failed: 2 }],
    ["passed", { passed: 5, failed: 0 }, 0, { passed: 5, failed: 0 }],
  ] as const)("a runner that %s", ([, counts, status, wanted]) => {
    expect(withStatus(counts, status)).toEqual(wanted);
  });

  test("takes a runner without a report for one that ran nothing", () => {
    expect(countVitest(undefined)).toEqual({ passed: 0, failed: 0, failures: [] });
    expect(countJunit(undefined)).toEqual({ passed: 0, failed: 0, failures: [] });
  });
});

describe("the weekly control", () => {
  const judged = (path: string, kind: VerdictKind, isSmall = false) =>
    row({ cell: cell({ path }), versus: versus({ verdict: { kind, isSmall } }) });
  const { id } = cell({ path: "/a" });

  test.for<readonly [what: string, rows: readonly Row[], problems: readonly string[]]>([
    ["unchanged", [judged("/a", "unchanged"), judged("/b", "unchanged")], []],
    ["one without an answer", [judged("/a", "inconclusive"), judged("/b", "unchanged")], []],
    ["slower", [judged("/a", "slower"), judged("/b", "unchanged")], [`${id}: called slower: a false alarm`]],
    [
      "faster by a little, which the verdict of the report calls unchanged",
      [judged("/a", "faster", true), judged("/b", "unchanged")],
      [`${id}: called faster, small: a false alarm`],
    ],
    [
      "nothing but an alarm and what is invalid",
      [judged("/a", "slower", true), judged("/b", "invalid")],
      [`${id}: called slower, small: a false alarm`],
    ],
    [
      "no answer at all",
      [
        judged("/a", "invalid"),
        judged("/b", "inconclusive"),
        { ...judged("/c", "slower"), status: "missing" },
      ],
      [
        `no cell has an answer: ${id} invalid, ${cell({ path: "/b" }).id} inconclusive, ${cell({ path: "/c" }).id} missing`,
      ],
    ],
  ])("%s", ([, rows, problems]) => {
    expect(controlProblems(JSON.parse(JSON.stringify(figuresOf(comparedOf(rows)))))).toEqual(problems);
  });

  test.for([
    [[judged("/a", "unchanged")], 0],
    [[judged("/a", "slower", true)], 1],
    [[judged("/a", "invalid")], 1],
  ] as const)("case %#: its step ends as its figures say", ([rows, expected]) => {
    const steps = workflow(".github/workflows/selftest.yml").jobs["control"]?.steps ?? [];
    const step = steps.findLast(({ run }) => run !== undefined);
    expect(step?.env).toEqual({ FIGURES: `\${{ steps.loadtest.outputs.figures }}` });
    const { status, stderr } = spawnSync("bash", ["--norc", "-c", step?.run ?? "false"], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], FIGURES: JSON.stringify(figuresOf(comparedOf(rows))) },
    });
    expect(stderr).toEqual(expected === 0 ? "" : expect.stringContaining(id));
    expect(status).toBe(expected);
  });

  test("fails where there are no figures", () => {
    const { status } = spawnSync("node", ["scripts/false-alarms.mjs"], {
      cwd: root,
      env: { PATH: process.env["PATH"], FIGURES: "" },
    });
    expect(status).toBe(1);
  });
});

describe("a release", () => {
  /** Backwards, for `scripts/owner.mjs` leaves it as it is then. */
  const nobodys = ["fastapi-loadtest-action", "org"].toReversed().join("/");
  const ready = {
    version: "1.2.3",
    changelog: "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-21\n\n## 1.2.2 - 2026-11-01\n",
    texts: ["uses: acme/fastapi-loadtest-action@v1"],
    ref: "refs/heads/main",
    repository: { owner: "acme", name: "fastapi-loadtest-action" },
    runsIn: "acme/fastapi-loadtest-action",
    changes: "",
  };

  test.for([
    ["from main", {}],
    ["from its tag", { ref: "refs/tags/v1.2.3" }],
    ["with a linked, dated heading", { changelog: "## [1.2.3] - 2026-11-21" }],
    [
      "with an example that is pinned by commit, too",
      { texts: [...ready.texts, `uses: acme/fastapi-loadtest-action@${"a".repeat(40)} # v1.2.2`] },
    ],
  ] as const)("is made %s", ([, change]) => {
    expect(releaseProblems({ ...ready, ...change })).toEqual([]);
  });

  test.for([
    [
      "another version in the changelog",
      { changelog: "## 1.2.2\n" },
      ['CHANGELOG.md starts with "## 1.2.2", not with 1.2.3'],
    ],
    [
      "no changelog",
      { changelog: "" },
      ['CHANGELOG.md starts with "no heading with a version", not with 1.2.3'],
    ],
    ["a heading without a day", { changelog: "## 1.2.3\n" }, ['"## 1.2.3" of CHANGELOG.md has no date']],
    [
      "changes that no version has yet",
      { changelog: "## Unreleased\n\n### Added\n\n- x\n\n## 1.2.3 - 2026-11-21\n" },
      ["CHANGELOG.md has changes under Unreleased; run `node scripts/version.mjs X.Y.Z`"],
    ],
    [
      "an example at another major",
      { texts: ["uses: acme/fastapi-loadtest-action/.github/workflows/loadtest.yml@v2"] },
      ["an example uses the action at v2, not v1"],
    ],
    [
      "a package of another version for npx",
      { texts: [...ready.texts, "https://x.org/releases/download/v1.2.2/fastapi-loadtest.tgz"] },
      ["a page has the package of version 1.2.2, not 1.2.3"],
    ],
    [
      "examples that name another repository, which would leave nothing to check",
      { texts: [`uses: ${nobodys}@v1`] },
      ["nothing uses acme/fastapi-loadtest-action at a tag: is that its name?"],
    ],
    [
      "nobody as its owner",
      {
        repository: { owner: "org", name: "fastapi-loadtest-action" },
        runsIn: nobodys,
        texts: [`uses: ${nobodys}@v1`],
      },
      ["the owner is `org`, which is nobody; run `node scripts/owner.mjs NAME`"],
    ],
    [
      "a run in a fork",
      { runsIn: "mallory/fastapi-loadtest-action" },
      ["package.json names acme/fastapi-loadtest-action, but this run is in mallory/fastapi-loadtest-action"],
    ],
    [
      "a version before the first",
      { version: "0.9.0", changelog: "## 0.9.0 - 2026-11-21", texts: ["acme/fastapi-loadtest-action@v0"] },
      ["the first version is 1.0.0, not 0.9.0"],
    ],
    ["a tree that is not clean", { changes: "M a\n?? b" }, ["the tree is not clean: M a, ?? b"]],
    [
      "another tag",
      { ref: "refs/tags/v1.2.4" },
      ["this run was started by refs/tags/v1.2.4, not by refs/heads/main or refs/tags/v1.2.3"],
    ],
    [
      "a branch",
      { ref: "refs/heads/x" },
      ["this run was started by refs/heads/x, not by refs/heads/main or refs/tags/v1.2.3"],
    ],
  ] as const)("is refused with %s", ([, change, problems]) => {
    expect(releaseProblems({ ...ready, ...change })).toEqual(problems);
  });
});

describe("the version of a release", () => {
  test("dates what is unreleased, and leaves room for what comes", () => {
    const before = "# Changelog\n\n## Unreleased\n\n### Added\n\n- x\n\n## 1.0.0 - 2026-11-21\n";
    expect(dated(before, "1.1.0", "2026-11-23")).toBe(
      "# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-11-23\n\n### Added\n\n- x\n\n## 1.0.0 - 2026-11-21\n",
    );
    expect(() => dated("## Unreleased\n\n## 1.0.0 - 2026-11-21\n", "1.1.0", "2026-11-23")).toThrow(
      "CHANGELOG.md has nothing under `## Unreleased`",
    );
  });

  test("is in the addresses of the package for npx", () => {
    const page = textOf("docs/gitlab.md");
    const addresses = (text: string) => text.match(/\S+\/fastapi-loadtest\.tgz/g);
    const address = `https://github.com/${ourRepository}/releases/download/v1.12.3/fastapi-loadtest.tgz`;
    expect(addresses(packageAt(page, "1.12.3"))).toEqual([address, address]);
  });

  test.for(["package.json", "package-lock.json"])("%s changes in nothing else", (path) => {
    const text = textOf(path);
    const { version } = JSON.parse(text);
    expect(versioned(text, version)).toBe(text);
    const places = path === "package.json" ? 1 : 2;
    const changed = versioned(text, "9.8.7").split("\n");
    expect(changed.filter((line: string, index: number) => line !== text.split("\n")[index])).toHaveLength(
      places,
    );
  });

  test("is refused before 1.0.0", () => {
    const { status, stderr } = spawnSync("node", ["scripts/version.mjs", "0.2.0"], {
      cwd: root,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([2, '"0.2.0" is no version from 1.0.0 on\n']);
  });
});

describe("the bundle", () => {
  test("is the same from any folder, in any time zone and language", { timeout: 60_000 }, () => {
    const { status, stderr } = spawnSync(process.execPath, [`${root}/scripts/build.mjs`, "--check"], {
      cwd: "/",
      encoding: "utf8",
      env: { PATH: process.env["PATH"], TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", HOME: "/nonexistent" },
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("T25: of which one character is another's is told", { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "bundle-"));
    try {
      const text = textOf("dist/engine.js");
      const middle = Math.floor(text.length / 2);
      for (const each of ["dist", "reproduce/dist"])
        cpSync(join(root, each), join(folder, each), { recursive: true });
      const other = text[middle] === "x" ? "y" : "x";
      writeFileSync(
        join(folder, "dist/engine.js"),
        `${text.slice(0, middle)}${other}${text.slice(middle + 1)}`,
      );
      const script = `${root}/scripts/build.mjs`;
      const { status, stderr } = spawnSync(process.execPath, [script, "--check", folder], {
        encoding: "utf8",
      });
      expect(stderr).toBe("dist/engine.js is not what its source makes; run `npm run build` and commit it\n");
      expect(status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("F46: the bundle asks for no newer Node than the first step does", () => {
    const asked = [
      /target = "node(\d+)"/.exec(textOf("scripts/build.mjs")),
      /node_major < (\d+)/.exec(textOf("scripts/preflight.sh")),
      /"node": "(\d+) /.exec(textOf("package.json")),
    ];
    expect(asked.map((match) => match?.[1])).toEqual(["20", "20", "20"]);
  });

  test("carries the licences of what is in it", () => {
    for (const name of ["zod", "pg", "string-argv"])
      for (const bundle of ["dist/engine.js", "reproduce/dist/reproduce.js"])
        expect(textOf(`${bundle}.LEGAL.txt`)).toMatch(new RegExp(`^${name} \\d`, "m"));
  });
});

describe("the lock files", () => {
  test("are these", () => {
    expect(lockFiles.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "package-lock.json",
        "tools/postgres/package-lock.json",
        "test/stand-in/description/package-lock.json",
        "tools/python/requirements.txt",
        "tools/locust/requirements.txt",
        "tools/otava/requirements.txt",
        "target-app/requirements.txt",
        "target-app/requirements-reports.txt",
        "target-app/requirements-dev.txt",
        "test/fixtures/python/asgi/requirements.txt",
        "tools/k6/go.sum",
      ]),
    );
  });

  test.for(lockFiles)("$path names packages and hashes, not where they come from", ({ path }) => {
    expect(textOf(path)).not.toMatch(
      /"resolved": "(?!bench"|reproduce")|https?:\/\/[^\s"]*(registry|pypi|files)/,
    );
  });

  test.for(lockFiles)("$path has a hash for every package", ({ path }) => {
    expect(withoutHash(path, textOf(path))).toEqual([]);
  });

  test.for([
    ["package-lock.json", '"integrity": "sha512-', '"integrity": "sha1-'],
    [
      "target-app/requirements.txt",
      /annotated-types==(\S+) \\\n(?: +--hash=\S+(?: \\)?\n)+/,
      "annotated-types==$1\n",
    ],
    ["tools/locust/requirements.txt", /bidict==/, "bidict>="],
    ["tools/python/requirements.txt", "--hash=sha256:", "--hash=md5:"],
  ] as const)("%s with one package less sure is told", ([path, from, to]) => {
    const worse = textOf(path).replace(from, to);
    expect(worse).not.toBe(textOf(path));
    expect(withoutHash(path, worse)).toHaveLength(1);
  });
});

interface Watch {
  readonly "package-ecosystem": string;
  readonly directory?: string;
  readonly directories?: readonly string[];
  readonly cooldown?: Readonly<Record<string, unknown>>;
}

describe("Dependabot", () => {
  const { updates } = yamlOf<{ readonly updates: readonly Watch[] }>(".github/dependabot.yml");
  const folders = ({ directory, directories = [] }: Watch) => [
    ...(directory ? [directory] : []),
    ...directories,
  ];

  test.for(updates)(
    "waits a week for what $package-ecosystem offers, whatever the kind of release",
    ({ cooldown }) => {
      const { "default-days": days, ...exceptions } = cooldown ?? {};
      expect(days).toBeGreaterThanOrEqual(7);
      expect(exceptions).toEqual({});
    },
  );

  test.for(lockFiles)("looks after $path", ({ path, ecosystem }) => {
    const watched = updates.filter((each) => each["package-ecosystem"] === ecosystem).flatMap(folders);
    expect(watched).toContain(`/${path.split("/").slice(0, -1).join("/")}`);
  });

  test("names no folder that is not there", () => {
    for (const folder of updates.flatMap(folders))
      expect([folder, existsSync(join(root, folder))]).toEqual([folder, true]);
  });
});
