import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { action, root } from "./files.ts";

// The text of the step that measures, with a program of ours for `node`.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secrets = {
  LOADTEST_PACKAGE_INDEX: "PIP_EXTRA_INDEX_URL=https://u:index-word@index.example\nUV_X=1",
  LOADTEST_PASSWORD: "pass=word",
  LOADTEST_OWN: "own-word",
  UV_INDEX_ACME_PASSWORD: "uv-word",
  LOADTEST_K6: "",
};

function measure(program: string) {
  writeFileSync(join(folder, "node"), program, { mode: 0o755 });
  writeFileSync(join(folder, "env-file"), "");
  const run = action.runs.steps.find(({ id }) => id === "measure")?.run ?? "";
  const { stdout, stderr, status } = spawnSync(
    "/bin/bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", run],
    {
      encoding: "utf8",
      env: {
        ...{ PATH: `${folder}:/usr/bin:/bin`, GITHUB_ENV: join(folder, "env-file"), COMMAND: "measure" },
        ...{ GITHUB_ACTION_PATH: root, ACTIONS_RUNTIME_TOKEN: "run-word" },
        ...secrets,
      },
    },
  );
  expect([stderr, status]).toEqual(["", 0]);
  return stdout;
}

test.runIf(process.platform === "linux")(
  "T11: no process can read secrets from the variables of the one that measures",
  () => {
    const began = measure("#!/bin/bash\ntr '\\0' '\\n' </proc/$$/environ\n");
    expect(began).toContain("COMMAND=measure");
    expect(began).not.toMatch(/-word|pass=word/);
  },
);

test("the program gets all of them, and hands none to a child", () => {
  const program = join(folder, "program.mjs");
  const handed = join(root, "src/adapters/runner/handed-variables.ts");
  const built = spawnSync(join(root, "node_modules/.bin/esbuild"), [handed, "--format=esm"], {
    encoding: "utf8",
  });
  const lines = [
    built.stdout,
    "takeHandedVariables(process.env);",
    'import { spawnSync } from "node:child_process";',
    'const child = spawnSync("/bin/sh", ["-c", "cat <&3 2>/dev/null; env"], { env: { A: "1" }, encoding: "utf8" });',
    "console.log(JSON.stringify({ ...process.env, child: child.stdout }));",
  ];
  writeFileSync(program, lines.join("\n"));
  const found: unknown = JSON.parse(measure(`#!/bin/bash\nexec ${process.execPath} ${program}\n`));
  expect(found).toMatchObject({ ...secrets, child: expect.not.stringMatching(/-word|pass=word/) });
  expect(found).not.toHaveProperty("LOADTEST_HANDED");
});

test("T41: only what has ended by itself can say the word that it was handed", () => {
  const program = join(folder, "program.mjs");
  const output = join(folder, "output");
  const handed = join(root, "src/adapters/runner/handed-variables.ts");
  const built = spawnSync(join(root, "node_modules/.bin/esbuild"), [handed, "--format=esm"], {
    encoding: "utf8",
  });
  const end = (lines: readonly string[]) => {
    writeFileSync(output, "");
    writeFileSync(program, [built.stdout, ...lines].join("\n"));
    const environment = { LOADTEST_END: "word", GITHUB_OUTPUT: output };
    spawnSync(process.execPath, [program], { env: environment });
    return readFileSync(output, "utf8");
  };
  const take = "const tell = endTeller(process.env);";
  expect(end([take, "tell();"])).toBe("ended=word\n");
  expect(end([take, 'process.kill(process.pid, "SIGKILL");', "tell();"])).toBe("");
  expect(end([take, 'if ("LOADTEST_END" in process.env) tell();'])).toBe("");
  const piped = `import { rmSync } from "node:fs"; import { execFileSync } from "node:child_process";
rmSync(${JSON.stringify(output)}); execFileSync("mkfifo", [${JSON.stringify(output)}]); tell();
rmSync(${JSON.stringify(output)}); execFileSync("touch", [${JSON.stringify(output)}]);`;
  expect(end([take, piped])).toBe(""); // nobody waits for a reader
});

test("later steps know that something was measured", () => {
  measure("#!/bin/bash\n");
  expect(readFileSync(join(folder, "env-file"), "utf8")).toBe("LOADTEST_MEASURED=yes\n");
});
