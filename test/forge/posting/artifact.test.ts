import { describe, expect, test } from "vitest";

import {
  type ArchiveEntry,
  type Artifact,
  chooseArtifact,
  entriesProblem,
  isRead,
  isReportName,
  largestArtifactBytes,
  largestEntryBytes,
} from "../../../src/forge/posting/artifact.ts";

const name = "loadtest-report-default+report-42";
const artifact: Artifact = { id: 3, name, bytes: 1_000, isExpired: false, sha256: undefined };

describe("T15: the report is found by its id alone", () => {
  test.for([
    [name, "default", true],
    ["loadtest-report-default+load_test-7", "default", true],
    ["loadtest-report-default.services-users+report-42", "default", true],
    ["loadtest-report-nightly.users+report-42", "nightly", false],
    ["loadtest-report-default.a b+report-42", "default", false],
    ["x-loadtest-report-default+report-42", "default", false],
    ["loadtest-report-default-x+report-42", "default", false],
    ["loadtest-report-default+report-42", "default-x", false],
    ["loadtest-default-measure-42", "default", false],
    ["loadtest-report-default+report", "default", false],
    ["loadtest-report-default+report-42-1.html", "default", false], // the page by itself
    ["loadtest-report-default+a+report-1", "default", false],
    ["loadtest-report-default+../x-1", "default", false],
    ["", "default", false],
  ] as const)("%s is a report called %s: %s", ([given, id, expected]) => {
    expect(isReportName(given, id)).toBe(expected);
  });

  test.for<[string, readonly Partial<Artifact>[], object]>([
    ["one", [{}], { kind: "artifact", artifact: { id: 3 } }],
    ["the newest attempt's", [{}, { id: 9 }, { id: 5 }], { kind: "artifact", artifact: { id: 9 } }],
    ["others beside it", [{ id: 1, name: "coverage" }, {}], { kind: "artifact", artifact: { id: 3 } }],
    ["none", [{ name: "coverage" }], { kind: "none", reason: "the run left no report called default" }],
    ["expired", [{ isExpired: true }], { kind: "none", reason: "the run's report has expired" }],
    [
      "two jobs' reports",
      [{}, { id: 4, name: "loadtest-report-default+other-1" }],
      { kind: "refused", reason: expect.stringContaining("the run left 2 reports called default") },
    ],
    [
      "two calls' reports",
      [{}, { id: 4, name: "loadtest-report-default.services-users+report-1" }],
      { kind: "refused", reason: expect.stringContaining("give each job its own `report-id`") },
    ],
    ["T17: too large", [{ bytes: largestArtifactBytes + 1 }], { kind: "refused" }],
  ])("F22: of a run's artifacts the report is %s", ([, artifacts, expected]) => {
    const all = artifacts.map((changes) => ({ ...artifact, ...changes }));
    expect(chooseArtifact("default", all)).toMatchObject(expected);
  });
});

describe("T2, T16, T17: an archive is judged by its list of contents", () => {
  const file = (changes: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
    name: "plan.json",
    bytes: 10,
    isPlainFile: true,
    ...changes,
  });
  const strange = "it contains an unexpected file";
  test.for<[string, readonly ArchiveEntry[], string | undefined]>([
    [
      "ours",
      [
        ...["plan.json", "cells/get-health-w1-0a.json", "figures.json"],
        ...["junit.xml", "report.html", "report.md", "results.csv"],
      ].map((each) => file({ name: each })),
      undefined,
    ],
    ...[
      "action.yml",
      "node_modules/x/index.js",
      ".bashrc",
      "../../plan.json",
      "/etc/passwd",
      "cells/../plan.json",
      "cells/A.json",
      "cells/x/y.json",
      "cells\\x.json",
      "cells/",
      "plan.json\u0000",
      "comment.md",
      "",
    ].map((each): [string, ArchiveEntry[], string] => [
      `a file called ${JSON.stringify(each)}`,
      [file(), file({ name: each })],
      strange,
    ]),
    ["a link", [file({ isPlainFile: false })], strange],
    ["a file twice", [file(), file()], "it contains a file twice"],
    [
      "a large file",
      [file({ bytes: largestEntryBytes + 1 })],
      "it contains a file of more than 5000000 bytes",
    ],
    [
      "much in all",
      Array.from({ length: 20 }, (_, index) => file({ name: `cells/${index}.json`, bytes: 5_000_000 })),
      "it contains more than 64000000 bytes",
    ],
    [
      "many files",
      Array.from({ length: 1_101 }, (_, index) => file({ name: `cells/${index}.json` })),
      "it contains more than 1100 files",
    ],
  ])("%s", ([, entries, problem]) => {
    expect(entriesProblem(entries)).toBe(problem);
  });

  test("reads documents, never the forms of a report", () => {
    expect(["plan.json", "cells/a-w1.json", "report.md", "report.html", "figures.json"].map(isRead)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
