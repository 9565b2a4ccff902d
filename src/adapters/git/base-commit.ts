import { InputError } from "../../errors/errors.ts";
import type { Base } from "../../model/workload/workload.ts";
import { nearest } from "../../text/nearest.ts";
import { commitIn, resolveCommit } from "./command.ts";
import { type GitRepository, type NoBase, noBase, short } from "./repository.ts";

export interface BaseCommit {
  readonly kind: "commit";
  readonly sha: string;
  readonly role: string;
}

type PullRequest = Extract<Base, { readonly kind: "pull request" }>;

export async function baseOfPullRequest(
  repository: GitRepository,
  pullRequest: PullRequest,
): Promise<BaseCommit | NoBase> {
  const found = await candidateOf(repository, pullRequest);
  if (found.kind === "commit" && found.sha === repository.head)
    return noBase(`the commit checked out, ${short(found.sha)}, is the base itself`);
  return found;
}

async function candidateOf(repository: GitRepository, { headSha, baseSha }: PullRequest) {
  const { git, head, headParents } = repository;
  const [mergedInto, merged] = headParents;
  if (mergedInto !== undefined && merged === headSha) {
    // The base may have moved since the event. The head differs from the commit that it was merged into.
    return (await fetchProblem(repository, mergedInto)) ?? commit(mergedInto, "what the head is merged into");
  }
  if (head === headSha) {
    return (await fetchProblem(repository, baseSha)) ?? forkPoint(repository, baseSha);
  }
  // The workflow checked out something else on purpose, e.g. its own commits. Nothing is fetched for that.
  if ((await resolveCommit(git, baseSha)) !== undefined) return forkPoint(repository, baseSha);
  return noBase(
    `the commit checked out, ${short(head)}, is neither the head of the pull request, ${short(headSha)}, nor its merge with the base; and the base, ${short(baseSha)}, is not in this checkout`,
  );
}

/** The commit where the head branched off; the base's tip when the history is too short to tell. */
async function forkPoint({ git, head }: GitRepository, baseSha: string): Promise<BaseCommit> {
  const shared = commitIn(await git(["merge-base", head, baseSha]));
  if (shared !== undefined) return commit(shared, "where the head branched off");
  return commit(baseSha, "the tip of its branch: this checkout does not show where the head branched off");
}

/** `undefined` once the commit is in the repository. */
async function fetchProblem({ git, isShallow }: GitRepository, sha: string): Promise<NoBase | undefined> {
  if ((await resolveCommit(git, sha)) !== undefined) return undefined;
  const depth = isShallow ? ["--depth=1"] : []; // a depth would make a whole clone a shallow one
  const fetched = await git(["fetch", "--no-tags", "--no-write-fetch-head", ...depth, "origin", sha]);
  if ((await resolveCommit(git, sha)) !== undefined) return undefined;
  return noBase(
    `the base ${short(sha)} is not in this checkout, and fetching it failed; check out with \`fetch-depth: 0\``,
    fetched.text,
  );
}

/** The commit of a ref as the user typed it. Throws an `InputError` when there is none. */
export async function baseOfRef(
  { git, topFolder, isShallow }: GitRepository,
  ref: string,
  input = "base-ref",
): Promise<BaseCommit> {
  const names = ref.startsWith("-") ? [] : [ref, `origin/${ref}`];
  for (const name of names) {
    const sha = await resolveCommit(git, name);
    if (sha !== undefined) return commit(sha, name);
  }
  const { text } = await git([
    "for-each-ref",
    "--format=%(refname:short)",
    "refs/heads",
    "refs/tags",
    "refs/remotes",
  ]);
  const known = text.split("\n").map((line) => line.replace(/^origin\//, ""));
  const meant = nearest(
    ref,
    known.filter((name) => name !== ""),
  );
  const hints = [
    meant === undefined ? "" : `; did you mean ${meant}?`,
    isShallow ? "; this clone is shallow: check out with `fetch-depth: 0`" : "",
  ];
  throw new InputError([
    `${input}: ${JSON.stringify(ref)} is not a branch, tag or commit of the repository at ${topFolder}${hints.join("")}`,
  ]);
}

function commit(sha: string, role: string): BaseCommit {
  return { kind: "commit", sha, role };
}
