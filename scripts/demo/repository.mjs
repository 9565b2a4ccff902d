import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { root } from "../lib/places.mjs";
import { capture } from "../lib/run.mjs";

const demo = join(root, "target-app", "demo");

/** What the pull request changes: an N+1 query and a blocking call beside harmless edits. */
export const plantedPatch = join(demo, "pull-request.patch");

/** Works in a temporary repository: `main` has the app and its settings, and what is checked out the pull request. */
export async function withPullRequest(work) {
  const folder = mkdtempSync(join(tmpdir(), "fastapi-loadtest-demo-"));
  try {
    copyApp(folder);
    await git(folder, "init", "--quiet", "--initial-branch=main");
    await commit(folder, "Serve purchases");
    await git(folder, "checkout", "--quiet", "-b", "pull-request");
    await git(folder, "apply", plantedPatch);
    await commit(folder, "Read each product by its id");
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyApp(folder) {
  const filter = (path) => basename(path) !== "__pycache__" && path !== join(root, "sql", "reports");
  for (const [from, to] of [
    [join(root, "target-app", "app"), "app"],
    [join(root, "sql"), "sql"],
  ])
    cpSync(from, join(folder, to), { recursive: true, filter });
  mkdirSync(join(folder, ".github"));
  cpSync(join(demo, "loadtest.yml"), join(folder, ".github", "loadtest.yml"));
}

async function commit(folder, message) {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--no-verify", `--message=${message}`);
}

/** Neither the user's settings (signatures, hooks) nor a repository around us may matter. */
const apart = {
  GIT_CONFIG_GLOBAL: "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "demo",
  GIT_AUTHOR_EMAIL: "demo@example.com",
  GIT_COMMITTER_NAME: "demo",
  GIT_COMMITTER_EMAIL: "demo@example.com",
};

async function git(folder, ...args) {
  const { code, text } = await capture(["git", ...args], { folder, variables: apart });
  if (code !== 0) throw new Error(`\`git ${args[0]}\` failed: ${text.trim()}`);
}
