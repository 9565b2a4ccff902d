import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./files.ts";

// The step runs with stand-ins of the programs that change an image, and with nothing else on its PATH.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "install-valgrind-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Image {
  /** Texts of shell scripts by the names of the programs. */
  readonly programs: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

function installIn({ programs, variables = {} }: Image) {
  const calls = join(folder, "calls");
  const usual = { uname: "echo Linux", id: "echo 0", true: "", timeout: 'shift 3\nexec "$@"' };
  for (const [name, text] of Object.entries({ ...usual, ...programs })) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/bash\n${name === "apt-get" ? `echo "$*" >>${calls}\n` : ""}${text}\n`);
    chmodSync(path, 0o755);
  }
  symlinkSync("/bin/bash", join(folder, "bash"));
  const { status, stdout, stderr } = spawnSync("/bin/bash", [join(root, "scripts", "install-valgrind.sh")], {
    encoding: "utf8",
    env: { PATH: folder, ...variables },
  });
  const sent = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
  return { status, text: stdout + stderr, sent };
}

const skipped = (reason: string) =>
  `Valgrind is not installed (${reason}), so CPU instructions are not counted\n`;

test.for<readonly [string, Image, string, number]>([
  ["another system", { programs: { uname: "echo Darwin" } }, "", 0],
  ["one that is on the PATH", { programs: { valgrind: "", "apt-get": "" } }, "", 0],
  ["one of the caller's", { programs: { "apt-get": "" }, variables: { LOADTEST_VALGRIND: "/v" } }, "", 0],
  [
    "a runner that is somebody's machine",
    { programs: { "apt-get": "" }, variables: { RUNNER_ENVIRONMENT: "self-hosted" } },
    skipped("this machine is your own"),
    0,
  ],
  ["an image without apt-get", { programs: {} }, skipped("there is no apt-get"), 0],
  [
    "a user who may not install",
    { programs: { "apt-get": "", id: "echo 1000", sudo: "exit 1" } },
    skipped("sudo asks for a password"),
    0,
  ],
  ["no network", { programs: { "apt-get": "exit 100" } }, skipped("apt-get cannot download it"), 1],
  [
    "a slow mirror",
    { programs: { "apt-get": "", timeout: "exit 124" } },
    skipped("its download took more than 20 s"),
    0,
  ],
  [
    "a broken package",
    { programs: { "apt-get": '[[ "$*" == *--download-only ]]' } },
    skipped("apt-get cannot install it"),
    2,
  ],
])("%s changes nothing, and fails nothing", ([, image, text, calls]) => {
  const { status, text: seen, sent } = installIn(image);
  expect([status, seen]).toEqual([0, text]);
  expect(sent.filter((each) => each !== "")).toHaveLength(calls);
});

test.for([
  ["root", {}],
  ["a user with sudo", { id: "echo 1000", sudo: 'shift\nexec "$@"' }],
] as const)("%s gets Valgrind, after a download with a limit", ([, programs]) => {
  const { status, text, sent } = installIn({ programs: { "apt-get": "", ...programs } });
  expect(status).toBe(0);
  expect(text).toMatch(/^Valgrind was installed in \d+ s, to count CPU instructions\n$/);
  expect(sent).toEqual([
    expect.stringMatching(/ install valgrind --download-only$/),
    expect.stringMatching(/ install valgrind$/),
  ]);
});
