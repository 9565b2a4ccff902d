import * as z from "zod";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import { jsonOf } from "../text/json.ts";

/** The text of the event file, or the reason why there is none. */
export type EventFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing"; readonly reason: string };

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const repository = z.object({ full_name: z.string() });

const eventSchema = z.object({
  action: z.string().optional(),
  pull_request: z.object({
    number: z.int().positive(),
    state: z.string().optional(),
    updated_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
    head: z.object({ sha, repo: repository.nullable() }), // null: the fork was deleted
    base: z.object({ sha, repo: repository }),
  }),
});

/** Both run on the merge of the pull request. For a pull request from a fork they have a stranger's rights. */
const aboutPullRequests = new Set(["pull_request", "pull_request_review"]);

const reasons: Readonly<Record<string, string>> = {
  pull_request_target:
    "the event `pull_request_target` is not supported: it would run a stranger's code with a token that can write; use `pull_request`",
  merge_group: "a merge queue tests a group of pull requests, not one",
  workflow_run: "the event `workflow_run` is about another run",
};

/** Finds the pull request in the event. `repositoryName` is the run's own, `owner/name`. */
export function readPullRequest(
  eventName: string,
  file: EventFile,
  repositoryName: string,
): PullRequestOfRun {
  if (!aboutPullRequests.has(eventName)) {
    const reason = Object.hasOwn(reasons, eventName) ? reasons[eventName] : undefined;
    return none(reason ?? `the event \`${eventName}\` is not about a pull request`);
  }
  if (file.kind === "missing") return none(file.reason);
  const parsed = eventSchema.safeParse(jsonOf(file.text));
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => path.join(".") || "the whole document");
    return none(`the event file does not describe a pull request: ${places.slice(0, 5).join(", ")}`);
  }
  const { action, pull_request: pull } = parsed.data;
  if (action === "closed" || pull.state === "closed") return none(`pull request ${pull.number} is closed`);
  if (!isSameRepository(pull.base.repo.full_name, repositoryName)) {
    return none(`pull request ${pull.number} in the event file belongs to another repository than this run`);
  }
  return {
    kind: "pull request",
    number: pull.number,
    headSha: pull.head.sha,
    baseSha: pull.base.sha,
    ...(pull.updated_at !== undefined && { updatedAt: pull.updated_at }),
    isFork: pull.head.repo === null || !isSameRepository(pull.head.repo.full_name, repositoryName),
  };
}

const namedBranch = z.object({ repository: z.object({ default_branch: z.string().max(250) }) });

/** The default branch of the event's repository; `undefined` when the event does not name it. */
export function defaultBranchIn(file: EventFile): string | undefined {
  if (file.kind === "missing") return undefined;
  return namedBranch.safeParse(jsonOf(file.text)).data?.repository.default_branch;
}

function none(reason: string): PullRequestOfRun {
  return { kind: "none", reason };
}

/** GitHub keeps the case of names, but does not tell them apart by it. */
function isSameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
