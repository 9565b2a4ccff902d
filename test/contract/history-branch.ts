import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { root } from "./files.ts";

/**
 * Answers as `gh api` does, from a folder of files: `contents` of a branch, and whatever else is asked is written down.
 * FAULT is what it says to every question for a file's text.
 */
const gh = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const all = process.argv.slice(2).join(" ");
appendFileSync(join(process.env.STORE, "log"), all + "\\n");
const path = /contents\\/([^ ?]+)/.exec(all)?.[1];
const file = join(process.env.STORE, "files", path ?? "none");
const refuse = (problem = "HTTP 404") => {
  console.log('{"message":"No"}');
  console.error("gh: No (" + problem + ")");
  process.exit(1);
};
if (path === undefined) {
  if (/git\\/ref\\/heads/.test(all)) existsSync(join(process.env.STORE, "branch")) || refuse();
  else if (/git\\/refs/.test(all)) writeFileSync(join(process.env.STORE, "branch"), "");
  else console.log("a".repeat(40));
} else if (all.includes("PUT")) {
  const asked = JSON.parse(readFileSync(0, "utf8"));
  if (existsSync(file) !== ("sha" in asked)) refuse();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(asked.content, "base64"));
} else if (all.includes("raw") && process.env.FAULT) refuse(process.env.FAULT);
else if (!existsSync(file)) refuse();
else console.log(all.includes("raw") ? readFileSync(file, "utf8") : "b".repeat(40));
`;

export const hasTools = spawnSync("jq", ["--version"]).status === 0;

export type HistoryBranch = ReturnType<typeof historyBranch>;

/** A history branch in a folder, for scripts of workflows that reach it through `gh`. */
export function historyBranch() {
  const store = mkdtempSync(join(tmpdir(), "history-branch-"));
  const place = (name: string) => join(store, "files", name);
  mkdirSync(join(store, "bin"));
  writeFileSync(join(store, "bin", "gh"), gh, { mode: 0o755 });
  return {
    folder: store,
    run: (script: string, variables: Readonly<Record<string, string>>) =>
      spawnSync("bash", ["-e", "-c", script], {
        cwd: root,
        encoding: "utf8",
        env: {
          ...process.env,
          PATH: `${join(store, "bin")}${delimiter}${process.env["PATH"]}`,
          STORE: store,
          BRANCH: "loadtest-history",
          GITHUB_REPOSITORY: "octo/app",
          ...variables,
        },
      }),
    has: (name: string) => existsSync(place(name)),
    text: (name: string) => readFileSync(place(name), "utf8"),
    read: (name: string) => JSON.parse(readFileSync(place(name), "utf8")),
    write: (name: string, text: string) => {
      mkdirSync(dirname(place(name)), { recursive: true });
      writeFileSync(place(name), text);
    },
    log: () => readFileSync(join(store, "log"), "utf8"),
    [Symbol.dispose]: () => rmSync(store, { recursive: true, force: true }),
  };
}
