import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";

import { root, workflow } from "./files.ts";

const { trustRecord } = await import(`${root}/scripts/trust-record.mjs`);

const cell = (endpoint: string, verdict: string | null) => ({ endpoint, verdict });
const known = { "/orders": "slower", "/price": "slower", "/tax": "unchanged" };

describe("the record of a self-test", () => {
  test.for([
    [
      "equal code",
      [
        cell("/a", "unchanged"),
        cell("/b", "inconclusive"),
        cell("/c", "slower"),
        cell("/d", "faster"),
        cell("/e", null),
      ],
      {},
      { cells: 5, equal: 5, falseAlarms: 2, changed: 0, found: 0, wrong: 0 },
    ],
    [
      "a known change that is found",
      [cell("/orders", "slower"), cell("/price", "slower"), cell("/tax", "unchanged")],
      known,
      { cells: 3, equal: 1, falseAlarms: 0, changed: 2, found: 2, wrong: 0 },
    ],
    [
      "one that is not, and one that is called the opposite",
      [cell("/orders", "inconclusive"), cell("/price", "faster"), cell("/tax", "slower")],
      known,
      { cells: 3, equal: 1, falseAlarms: 1, changed: 2, found: 0, wrong: 1 },
    ],
  ] as const)("%s", ([, cells, expected, record]) => {
    expect(trustRecord({ cells }, expected, 90)).toEqual({ ...record, minutes: 1.5 });
  });
});

/** Answers as `gh api` does, from a folder of files: `contents` of a branch, and whatever else is asked is written down. */
const gh = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const all = process.argv.slice(2).join(" ");
appendFileSync(join(process.env.STORE, "log"), all + "\\n");
const path = /contents\\/([^ ?]+)/.exec(all)?.[1];
const file = join(process.env.STORE, "files", path ?? "none");
const refuse = () => { console.log('{"message":"Not Found"}'); process.exit(1); };
if (path === undefined) {
  if (/git\\/ref\\/heads/.test(all)) existsSync(join(process.env.STORE, "branch")) || refuse();
  else if (/git\\/refs/.test(all)) writeFileSync(join(process.env.STORE, "branch"), "");
  else console.log("a".repeat(40));
} else if (all.includes("PUT")) {
  const asked = JSON.parse(readFileSync(0, "utf8"));
  if (existsSync(file) !== ("sha" in asked)) refuse();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(asked.content, "base64"));
} else if (!existsSync(file)) refuse();
else console.log(all.includes("raw") ? readFileSync(file, "utf8") : "b".repeat(40));
`;

const hasTools = spawnSync("jq", ["--version"]).status === 0;

test.runIf(hasTools)("each week adds to the total, and the badge tells of all", () => {
  const { jobs } = workflow(".github/workflows/selftest.yml");
  const script = jobs["trust"]?.steps?.find(({ run }) => run !== undefined)?.run ?? "";
  const store = mkdtempSync(join(tmpdir(), "trust-"));
  mkdirSync(join(store, "bin"));
  writeFileSync(join(store, "bin", "gh"), gh, { mode: 0o755 });
  const control = { cells: 4, equal: 4, falseAlarms: 0, changed: 0, found: 0, wrong: 0, minutes: 12.5 };
  const change = { cells: 3, equal: 1, falseAlarms: 0, changed: 2, found: 2, wrong: 0, minutes: 6 };
  const week = () =>
    spawnSync("bash", ["-eo", "pipefail", "-c", script], {
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: `${join(store, "bin")}${delimiter}${process.env["PATH"]}`,
        STORE: store,
        BRANCH: "loadtest-history",
        GITHUB_REPOSITORY: "octo/app",
        GITHUB_SHA: "c".repeat(40),
        CONTROL: JSON.stringify(control),
        KNOWN: JSON.stringify(change),
      },
    });
  const read = (name: string) => JSON.parse(readFileSync(join(store, "files", name), "utf8"));
  try {
    for (const _ of [1, 2]) expect(week()).toMatchObject({ status: 0 });
    expect(read("trust/total.json")).toEqual({
      schemaVersion: 1,
      weeks: 2,
      equal: 10,
      falseAlarms: 0,
      changed: 4,
      found: 4,
      wrong: 0,
      minutes: 37,
    });
    expect(read("badges/trust.json")).toEqual({
      schemaVersion: 1,
      label: "self-test",
      message: "0 of 10 false alarms, 4 of 4 found, 2 weeks",
      color: "brightgreen",
    });
    expect(read(`trust/${new Date().toISOString().slice(0, 10)}.json`)).toMatchObject({
      control,
      known: change,
    });
    expect(readFileSync(join(store, "log"), "utf8").match(/git\/refs/g)).toHaveLength(1); // the branch, once
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
});
