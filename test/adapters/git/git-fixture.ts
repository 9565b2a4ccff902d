import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { openBase } from "../../../src/adapters/git/base-source.ts";
import { usualCheck } from "../../../src/model/thresholds/threshold.ts";
import type { Base, Workload } from "../../../src/model/workload/workload.ts";

const run = promisify(execFile);

/** An empty configuration: the tests must not depend on their user. */
const environment = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** A git repository in a temporary folder, gone on disposal with everything beside it. */
export interface TestRepository extends AsyncDisposable {
  /** The repository; its parent folder is the test's own. */
  readonly folder: string;
  /** Runs git and returns its output without the last line end. */
  git(...args: readonly string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Writes files, commits everything and returns the commit. */
  commit(message: string, files?: Readonly<Record<string, string>>): Promise<string>;
  /** A clone beside it. */
  clone(...options: readonly string[]): Promise<TestRepository>;
}

export async function makeRepository(): Promise<TestRepository> {
  const parent = await mkdtemp(join(tmpdir(), "git-base-"));
  const repository = repositoryAt(join(parent, "repo"), parent);
  await mkdir(repository.folder);
  await repository.git("init", "--quiet", "--initial-branch=main");
  return repository;
}

function repositoryAt(folder: string, parent: string): TestRepository {
  const git = async (...args: readonly string[]) => {
    const { stdout } = await run("git", ["-C", folder, ...args], { env: environment });
    return stdout.replace(/\n$/, "");
  };
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  return {
    folder,
    git,
    write,
    commit: async (message, files = {}) => {
      for (const [path, text] of Object.entries(files)) await write(path, text);
      await git("add", "--all");
      await git("commit", "--quiet", "--allow-empty", "--message", message);
      return git("rev-parse", "HEAD");
    },
    clone: async (...options) => {
      const to = join(parent, "clone");
      await run("git", ["clone", "--quiet", ...options, `file://${folder}`, to], { env: environment });
      return repositoryAt(to, parent);
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}

/** A pull request as GitHub makes it: a branch off main, main moved on, and the merge of both checked out. */
export async function withPullRequest(repository: TestRepository) {
  const fork = await repository.commit("start", { "api/app.py": "start", "seed.sql": "start" });
  await repository.git("switch", "--quiet", "--create", "feature");
  const head = await repository.commit("change", { "api/app.py": "head" });
  await repository.git("switch", "--quiet", "main");
  const base = await repository.commit("meanwhile", { "other.txt": "base" });
  await repository.git("switch", "--quiet", "--detach");
  await repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "feature");
  return { fork, head, base, merge: await repository.git("rev-parse", "HEAD") };
}

interface Opening {
  readonly base: Base;
  readonly appFolder?: string;
  readonly seedFiles?: readonly string[];
  readonly install?: Workload["app"]["install"];
  readonly environmentFile?: string;
  readonly signal?: AbortSignal;
}

/** Opens the base for an app in `api`, unless told otherwise. */
export async function open(repository: TestRepository, opening: Opening) {
  const steps: string[] = [];
  const workFolder = await mkdtemp(join(dirname(repository.folder), "work-"));
  const seedFiles = opening.seedFiles?.map((path) => join(repository.folder, path));
  const outcome = await openBase(
    workloadFor(join(repository.folder, opening.appFolder ?? "api"), opening, seedFiles),
    {
      workFolder,
      logFolder: workFolder,
      signal: opening.signal ?? new AbortController().signal,
      onStep: (text) => void steps.push(text),
    },
  );
  return { outcome, steps, worktree: join(workFolder, "base") };
}

/** The same, for a base that must exist. */
export async function openFound(repository: TestRepository, opening: Opening) {
  const { outcome, ...rest } = await open(repository, opening);
  if (outcome.kind === "none") throw new Error(`${outcome.reason}\n${outcome.logTail}`);
  return { source: outcome.source, ...rest };
}

function workloadFor(folder: string, opening: Opening, seedFiles: readonly string[] | undefined): Workload {
  return {
    app: {
      importString: "app:app",
      folder,
      python: "python3",
      install: opening.install ?? "auto",
      ...(opening.environmentFile !== undefined && { environmentFile: opening.environmentFile }),
      variables: { A: "1" },
    },
    server: { template: "uvicorn {app}", readyPath: "/", readyWithinSeconds: 30, port: undefined },
    database:
      seedFiles === undefined
        ? { kind: "none" }
        : { kind: "private", seedFiles, scale: 0.01, variable: "DATABASE_URL" },
    check: usualCheck,
    workerCounts: [1],
    forms: [],
    login: undefined,
    discovery: undefined,
    targets: undefined,
    endpoints: [{ method: "GET", path: "/" }],
    load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
    warmupSeconds: 0.5,
    comparing: {
      base: opening.base,
      minChange: 0.03,
      minLatencyChange: 0.2,
      minMemoryChange: 0.03,
      minCostChange: 0.01,
      countsInstructions: false,
      soakSeconds: 0,
      falseAlarmRate: 0.01,
      maxMinutes: 15,
      onlyAffected: false,
    },
    separateCpus: true,
    sameAddressLayout: true,
    diagnose: "on-change",
    planText: undefined,
  };
}
