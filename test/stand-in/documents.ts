import { createHash } from "node:crypto";
import { exampleOf, isObject, type Json, type JsonObject } from "./description.ts";
import {
  type Account,
  type Fork,
  type Pull,
  type Run,
  repositoryId,
  type State,
  type StoredArtifact,
  type StoredComment,
  type StoredLabelling,
  type StoredRemark,
  type StoredReview,
} from "./state.ts";

/** GitHub's own examples, filled in with the stand-in's state. */

const commentExample = exampleOf("issue-comment");
const eventExample = exampleOf("issue-event-for-issue-items");
const reviewExample = exampleOf("pull-request-review-items");
const createdReviewExample = exampleOf("pull-request-review");
const remarkExample = exampleOf("pull-request-review-comment-items");
const fileExample = exampleOf("content-file-response-if-content-is-a-file");
const permissionExample = exampleOf(
  "repository-collaborator-permission-response-if-user-has-admin-permissions",
);
const checkRunExample = exampleOf("check-run-example-of-completed-conclusion");
const pullExample = exampleOf("pull-request");
const listedPullExample = exampleOf("pull-request-simple-items");
const runExample = exampleOf("workflow-run");
const artifactExample = exampleOf("artifact");
const userExample = exampleOf("private-user-response-with-public-profile-information");

export function userDocument({ login }: Account): JsonObject {
  return { ...userExample, ...named(login) };
}

export function commentDocument(comment: StoredComment, { owner, name }: State, apiUrl: string): JsonObject {
  const { id, pullNumber, login, body, createdAt, updatedAt } = comment;
  const repository = `${apiUrl}/repos/${owner}/${name}`;
  const author = isObject(commentExample["user"]) ? commentExample["user"] : {};
  return {
    ...commentExample,
    id,
    url: `${repository}/issues/comments/${id}`,
    html_url: `https://github.example/${owner}/${name}/pull/${pullNumber}#issuecomment-${id}`,
    issue_url: `${repository}/issues/${pullNumber}`,
    body,
    user: login === "" ? null : { ...author, ...named(login) }, // null: the account was deleted
    created_at: createdAt,
    updated_at: updatedAt,
    ...(comment.association !== undefined && { author_association: comment.association }),
  };
}

export function labellingDocument({ id, login, label, isOn, createdAt }: StoredLabelling): JsonObject {
  return {
    ...eventExample,
    id,
    event: isOn ? "labeled" : "unlabeled",
    actor: { ...objectOf(eventExample["actor"]), ...named(login) },
    created_at: createdAt,
    label: { name: label, color: "ededed" },
  };
}

export function reviewDocument(review: StoredReview, { owner, name }: State): JsonObject {
  const { id, pullNumber, login, body, commit } = review;
  return {
    ...reviewExample,
    id,
    user: { ...objectOf(reviewExample["user"]), ...named(login) },
    body,
    html_url: `https://github.example/${owner}/${name}/pull/${pullNumber}#pullrequestreview-${id}`,
    commit_id: commit,
  };
}

export function createdReviewDocument(review: StoredReview, { owner, name }: State): JsonObject {
  const { id, pullNumber, login, commit } = review;
  const html_url = `https://github.example/${owner}/${name}/pull/${pullNumber}#pullrequestreview-${id}`;
  const user = { ...objectOf(createdReviewExample["user"]), ...named(login) };
  return { ...createdReviewExample, id, user, state: "COMMENTED", html_url, commit_id: commit };
}

export function remarkDocument({ id, path, line, side, body, commit }: StoredRemark): JsonObject {
  return { ...remarkExample, id, path, line, side, body, commit_id: commit };
}

export function fileDocument(path: string, text: string): JsonObject {
  const content = Buffer.from(text).toString("base64").replaceAll(/.{60}/g, "$&\n"); // as GitHub breaks it
  return { ...fileExample, path, name: path.split("/").at(-1) ?? "", size: text.length, content };
}

export function permissionDocument(login: string, permission: string): JsonObject {
  const user = { ...objectOf(permissionExample["user"]), ...named(login), role_name: permission };
  return { ...permissionExample, permission, user };
}

export function checkRunDocument(check: JsonObject, { owner, name, checks }: State): JsonObject {
  const asked = Object.fromEntries(Object.entries(check).filter(([field]) => field !== "output"));
  const html_url = `https://github.example/${owner}/${name}/runs/${checks.length}`;
  return { ...checkRunExample, ...asked, id: checks.length, html_url };
}

export function pullDocument({ number, state, headSha, baseSha }: Pull): JsonObject {
  const { head, base } = pullExample;
  return {
    ...pullExample,
    number,
    state,
    head: { ...(isObject(head) ? head : {}), sha: headSha },
    base: { ...(isObject(base) ? base : {}), sha: baseSha },
    requested_teams: [], // the example's team lacks a field that the description requires
  };
}

/** In the form of lists: with fewer fields, but with the repositories. */
export function listedPullDocument(pull: Pull, state: State): JsonObject {
  const { number, state: openness, headSha, baseSha, fork, branch = "feature", mergedAs } = pull;
  const base = { id: pull.baseRepositoryId ?? repositoryId, owner: state.owner };
  return {
    ...listedPullExample,
    number,
    state: openness,
    merged_at: mergedAs === undefined ? null : "2026-11-20T11:00:00Z",
    merge_commit_sha: mergedAs ?? null,
    head: sideDocument(listedPullExample["head"], headSha, branch, fork ?? base),
    base: sideDocument(listedPullExample["base"], baseSha, "main", base),
    requested_teams: [], // as in a pull request alone
  };
}

function sideDocument(example: Json | undefined, sha: string, ref: string, { id, owner }: Fork): JsonObject {
  const side = objectOf(example);
  const repo = objectOf(side["repo"]);
  return {
    ...side,
    sha,
    ref,
    label: `${owner}:${ref}`,
    repo: { ...repo, id, owner: { ...objectOf(repo["owner"]), login: owner } },
  };
}

export function runDocument(run: Run, { owner, name }: State): JsonObject {
  const { id, runNumber, attempt, event, headSha, branch = "feature", fork } = run;
  const repository = objectOf(runExample["repository"]);
  const source = fork ?? { id: repositoryId, owner };
  return {
    ...runExample,
    id,
    run_number: runNumber,
    run_attempt: attempt,
    event,
    status: "completed",
    conclusion: "success",
    head_sha: headSha,
    head_branch: branch,
    pull_requests: [], // always so for forks
    repository: { ...repository, id: repositoryId, full_name: `${owner}/${name}` },
    head_repository:
      fork === null
        ? null
        : { ...repository, id: source.id, owner: { ...objectOf(repository["owner"]), login: source.owner } },
  };
}

export function artifactDocument(artifact: StoredArtifact): JsonObject {
  const { id, runId, name, archive, isExpired = false, bytes = archive.length } = artifact;
  const sum = createHash("sha256").update(archive).digest("hex");
  return {
    ...artifactExample,
    id,
    name,
    size_in_bytes: bytes,
    expired: isExpired,
    digest: artifact.digest ?? `sha256:${sum}`,
    workflow_run: { ...objectOf(artifactExample["workflow_run"]), id: runId },
  };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function named(login: string): JsonObject {
  const isBot = login.endsWith("[bot]");
  return { login, type: isBot ? "Bot" : "User" };
}
