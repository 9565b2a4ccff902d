import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";

import { root, textOf } from "./files.ts";

const { countJunit, countVitest, withStatus } = await import(`${root}/scripts/lib/test-counts.mjs`);
const { releaseProblems } = await import(`${root}/scripts/release-check.mjs`);
const { withTables } = await import(`${root}/scripts/readme-tables.mjs`);

describe("the sum of all tests", () => {
  test("counts a test file that cannot be loaded as a failure", () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [
        { status: "failed", assertionResults: [{}] },
        { status: "failed", assertionResults: [] },
        { status: "passed", assertionResults: [{}] },
      ],
    };
    expect(countVitest(JSON.stringify(report))).toEqual({ passed: 3, failed: 2 });
  });

  test("reads a JUnit report", () => {
    const report =
      '<testsuites name="x"><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10" time="1"/></testsuites>';
    expect(countJunit(report)).toEqual({ passed: 4, failed: 3 });
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
    expect(countVitest(undefined)).toEqual({ passed: 0, failed: 0 });
    expect(countJunit(undefined)).toEqual({ passed: 0, failed: 0 });
  });
});

describe("a release", () => {
  const ready = {
    version: "1.2.3",
    changelog: "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n",
    workflow: "uses: org/fastapi-loadtest-action@v1",
    ref: "refs/heads/main",
  };

  test.for([
    ["from main", {}],
    ["from its tag", { ref: "refs/tags/v1.2.3" }],
    ["with a linked, dated heading", { changelog: "## [1.2.3] - 2026-11-21" }],
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
    [
      "a workflow at another major",
      { workflow: "uses: org/fastapi-loadtest-action@v2" },
      ["loadtest.yml uses the action at v2, not v1"],
    ],
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

describe("the README's tables", () => {
  test("are those of action.yml", () => {
    const readme = textOf("README.md");
    expect(readme).toBe(withTables(readme, textOf("action.yml")));
  });

  test("keep a pipe inside its cell", () => {
    const action =
      'inputs:\n  a:\n    description: "x | y"\n    default: "1"\noutputs:\n  b:\n    description: z\n';
    const empty = "<!-- inputs -->\n<!-- /inputs -->\n<!-- outputs -->\n<!-- /outputs -->\n";
    expect(withTables(empty, action)).toContain("| `a` | `1` | x \\| y |");
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

  test("carries the licences of what is in it", () => {
    for (const name of ["zod", "pg", "string-argv"])
      expect(textOf("dist/cli.js.LEGAL.txt")).toMatch(new RegExp(`^${name} \\d`, "m"));
  });
});

describe("the lock files", () => {
  const npmLocks = ["package-lock.json", "tools/postgres/package-lock.json"];

  test("name packages and hashes, not where they come from", () => {
    for (const path of [
      ...npmLocks,
      "tools/python/requirements.txt",
      "target-app/requirements.txt",
      "target-app/requirements-dev.txt",
    ]) {
      expect(textOf(path)).not.toMatch(/"resolved"|https?:\/\/[^\s"]*(registry|pypi|files)/);
    }
  });

  test.for(npmLocks)("%s has a hash for every package", (path) => {
    const { packages } = JSON.parse(textOf(path));
    const without = Object.entries<{ integrity?: string }>(packages).filter(
      ([place, each]) => place !== "" && !each.integrity?.startsWith("sha512-"),
    );
    expect(without.map(([place]) => place)).toEqual([]);
  });
});
