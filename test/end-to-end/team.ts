import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";

import { type StandIn, startGitHub } from "../stand-in/github.ts";
import type { ZipEntry } from "../stand-in/zip.ts";
import { makeRepository, type RepositoryOptions, token } from "./act.ts";

const login = "github-actions[bot]";
const pullNumber = 7;

/** A team's repository with an open pull request; what GitHub would merge is checked out. */
export interface Team extends AsyncDisposable {
  readonly github: StandIn;
  readonly baseSha: string;
  /** The pull request's newest commit. */
  headSha(): string;
  /** Pushes a commit with these files to the pull request. */
  push(files: Files): Promise<void>;
  /** Runs the workflow; resolves with its output. */
  run(event: string, payload: object): Promise<{ readonly succeeded: boolean; readonly output: string }>;
  /** The last run's figures of each cell. */
  cells(): Promise<readonly Figures[]>;
  /** Artifacts of the newest run: their names and the files in each. */
  artifacts(): Promise<ReadonlyMap<string, readonly ZipEntry[]>>;
  /** All comments of ours below the pull request; "" without any. */
  comment(): string;
}

/** Some figures of a cell, as `figures.json` has them. */
export interface Figures {
  readonly endpoint: string;
  readonly workers: number;
  readonly status: string;
  readonly verdict: string | null;
}

/** Texts by their paths. */
type Files = Readonly<Record<string, string>>;

/** A repository with this workflow and these files, tagged v1.0.0, and a pull request that changes some. */
export async function startTeam(
  workflow: string,
  files: Files,
  changed: Files,
  options: RepositoryOptions = {},
): Promise<Team> {
  const repository = await makeRepository(workflow, (folder) => write(folder, files), options);
  const { folder, git } = repository;
  await git("tag", "v1.0.0");
  const baseSha = await git("rev-parse", "HEAD");
  await git("branch", "feature");
  let headSha = baseSha;
  const push = async (texts: Files) => {
    await git("checkout", "--quiet", "feature");
    await write(folder, texts);
    await git("commit", "--quiet", "--all", "--message=Change");
    headSha = await git("rev-parse", "HEAD");
    await git("checkout", "--quiet", "--detach", baseSha);
    await git("merge", "--quiet", "--no-ff", "--message=Merge", headSha);
  };
  await push(changed);
  const github = await startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login, kind: "workflow", canWrite: true } },
    pulls: [{ number: pullNumber, state: "open", headSha, baseSha }],
  });
  let runNumber = 0;
  return {
    github,
    baseSha,
    headSha: () => headSha,
    push,
    run: async (event, payload) => {
      runNumber += 1;
      const ended = await repository.runWorkflow({ event, payload, apiUrl: github.apiUrl, runNumber });
      expect(github.violations, ended.output).toEqual([]);
      return ended;
    },
    cells: async () => {
      const files = [...(await repository.artifactsOf(runNumber)).values()].flat();
      const figures = files.find(({ name }) => name.endsWith("figures.json"))?.content.toString();
      return JSON.parse(figures ?? "{}").cells ?? [];
    },
    artifacts: () => repository.artifactsOf(runNumber),
    comment: () =>
      [...github.state.comments.values()]
        .filter((each) => each.login === login)
        .map(({ body }) => body)
        .join("\n\n"),
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await repository[Symbol.asyncDispose]();
    },
  };
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** What GitHub sends with an event of the pull request. */
export function pullRequest(team: Team, labels: readonly string[] = []) {
  const repo = { full_name: "octo/app" };
  return {
    action: "synchronize",
    number: pullNumber,
    pull_request: {
      number: pullNumber,
      state: "open",
      updated_at: new Date().toISOString(),
      labels: labels.map((name) => ({ name })),
      head: { sha: team.headSha(), ref: "feature", repo },
      base: { sha: team.baseSha, ref: "main", repo },
    },
  };
}

/** Puts a label on the pull request, or takes it off, as somebody. */
export function label({ github }: Team, author: string, name: string, isOn = true): void {
  const { labellings } = github.state;
  const createdAt = new Date().toISOString();
  labellings.push({ id: 9_000 + labellings.length, pullNumber, login: author, label: name, isOn, createdAt });
}

/** Adds a comment of somebody to the pull request. */
export function say({ github }: Team, author: string, body: string): void {
  github.state.add({ pullNumber, login: author, body });
}
