import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { seedOf } from "../../model/workload/seed.ts";
import type { Base, Workload } from "../../model/workload/workload.ts";
import type { BaseOutcome } from "../../ports/repository.ts";
import { isCode } from "../process/index.ts";
import { type BaseCommit, baseOfPullRequest, baseOfRef } from "./base-commit.ts";
import { installOfBase, seedOfBase } from "./base-files.ts";
import { type GitOptions, gitIn } from "./command.ts";
import { makeEnvironmentFile, shareEnvironmentFiles } from "./environment-files.ts";
import { commitOf, type GitRepository, type NoBase, noBase, openRepository, short } from "./repository.ts";

interface BaseOptions extends GitOptions {
  /** The worktree is made here, in a folder `base`. */
  readonly workFolder: string;
  readonly onStep: (text: string) => void;
}

type CheckedOut = Extract<Base, { readonly kind: "ref" | "pull request" }>;

/** Checks out the commit to compare with. Throws an `InputError` for a ref that does not exist. */
export async function openBase(workload: Workload, options: BaseOptions): Promise<BaseOutcome> {
  const { base } = workload.comparing;
  if (base.kind === "none" || base.kind === "url") return noBase("no base was requested");
  if (base.kind === "control") return control(workload, options);
  const repository = await openRepository(workload.app.folder, options);
  if ("kind" in repository) return repository;
  const commit = await commitOfBase(repository, base);
  if (commit.kind === "none") return commit;
  options.onStep(`checking out the base, ${short(commit.sha)} (${commit.role})`);
  const worktree = await addWorktree(repository, commit.sha, {
    folder: join(options.workFolder, "base"),
    logFolder: options.logFolder,
  });
  if (worktree.kind === "none") return worktree;
  try {
    const outcome = await sourceIn(worktree, commit.sha, { workload, repository });
    if (outcome.kind === "none") await worktree[Symbol.asyncDispose]();
    return outcome;
  } catch (error) {
    await worktree[Symbol.asyncDispose]();
    throw error;
  }
}

/** The head's own code and data, twice. */
async function control({ app, database }: Workload, options: GitOptions): Promise<BaseOutcome> {
  const commit = await commitOf(app.folder, options);
  const nothingToDo = () => Promise.resolve();
  return {
    kind: "found",
    source: { app, seed: seedOf(database), commit, [Symbol.asyncDispose]: nothingToDo },
  };
}

function commitOfBase(repository: GitRepository, base: CheckedOut): Promise<BaseCommit | NoBase> {
  return base.kind === "ref" ? baseOfRef(repository, base.ref) : baseOfPullRequest(repository, base);
}

async function sourceIn(
  worktree: Worktree,
  commit: string,
  of: { readonly workload: Workload; readonly repository: GitRepository },
): Promise<BaseOutcome> {
  const { app, database } = of.workload;
  const folder = join(worktree.folder, of.repository.prefix);
  if (!(await isFolder(folder))) {
    const name = JSON.stringify(of.repository.prefix);
    return noBase(`the folder ${name} does not exist in the base ${short(commit)}`);
  }
  const own = await installOfBase(app.install, of.repository, worktree.folder);
  if ("kind" in own) return own;
  await shareEnvironmentFiles(of.repository, worktree.folder);
  await makeEnvironmentFile({ ...app, folder });
  const mine = seedOf(database);
  const seed = mine && (await seedOfBase(mine, of.repository, worktree.folder));
  const dispose = () => worktree[Symbol.asyncDispose]();
  return {
    kind: "found",
    source: { app: { ...app, folder, ...own }, seed, commit, [Symbol.asyncDispose]: dispose },
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return false;
    throw error;
  }
}

/** A checkout of our own; disposal leaves their repository as it was. */
interface Worktree extends AsyncDisposable {
  readonly kind: "worktree";
  readonly folder: string;
}

interface WorktreeOptions {
  readonly folder: string;
  readonly logFolder: string;
}

/** The files of a large repository take their time. */
const checkoutSeconds = 300;

/** Checks a commit out into a folder that does not exist yet. */
async function addWorktree(
  { git, topFolder }: GitRepository,
  sha: string,
  { folder, logFolder }: WorktreeOptions,
): Promise<Worktree | NoBase> {
  // The run may be cancelled by now, and the cleaning must happen all the same.
  const cleaner = gitIn(topFolder, { logFolder, signal: new AbortController().signal });
  const remove = async () => {
    const { outcome } = await cleaner(["worktree", "remove", "--force", "--force", folder]);
    if (outcome === "ok") return;
    await rm(folder, { recursive: true, force: true });
    await cleaner(["worktree", "prune"]);
  };
  try {
    const { outcome, text } = await git(["worktree", "add", "--detach", folder, sha], checkoutSeconds);
    if (outcome === "ok") return { kind: "worktree", folder, [Symbol.asyncDispose]: remove };
    await remove();
    return noBase(`the base ${short(sha)} could not be checked out`, text);
  } catch (error) {
    await remove();
    throw error;
  }
}
