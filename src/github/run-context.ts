import * as z from "zod";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import { jobName } from "./comment-marker.ts";
import { defaultBranchIn, type EventFile, readPullRequest } from "./run-pull-request.ts";

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** A run of a workflow, as reports name it and comments need it. */
export interface WorkflowRun {
  readonly kind: "workflow run";
  /** No slash at the end, as in all URLs here. */
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly repository: RepositoryName;
  readonly runId: number;
  readonly runNumber: number;
  readonly attempt: number;
  /** The commit that the workflow was started for; on `pull_request` a merge of head and base. */
  readonly sha: string;
  readonly event: string;
  /** The branch or tag that it was started for, e.g. `refs/heads/main`; `undefined`: the runner does not name it. */
  readonly ref?: string;
  /** As the event names it; `undefined`: the event does not. */
  readonly defaultBranch?: string;
  /** Tells this job from the others of the run; `undefined`: nobody says. */
  readonly job?: string;
  /** True on Gitea and Forgejo, whose pages have other addresses than GitHub's; absent: it is not one of them. */
  readonly isGitea?: boolean;
  readonly pullRequest: PullRequestOfRun;
  readonly url: string;
}

/** A run of a workflow; or a run elsewhere, with the reason for taking it for one. */
export type RunContext = WorkflowRun | { readonly kind: "local"; readonly reason: string };

const name = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);
const count = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => /^[^?#@]*$/.test(text), "has a user, a query or a fragment")
  .transform((text) => text.replace(/\/+$/, ""));

const variablesSchema = z.object({
  GITHUB_SERVER_URL: baseUrl.default("https://github.com"),
  GITHUB_API_URL: baseUrl.default("https://api.github.com"),
  GITHUB_REPOSITORY: z
    .string()
    .transform((text) => text.split("/"))
    .pipe(z.tuple([name, name])),
  GITHUB_RUN_ID: count,
  GITHUB_RUN_NUMBER: count,
  GITHUB_RUN_ATTEMPT: count.prefault("1"),
  GITHUB_SHA: z.string().regex(/^[0-9a-f]{40,64}$/),
  GITHUB_REF: z.string().max(1_000).optional(),
  LOADTEST_JOB: jobName.optional().catch(undefined),
  GITEA_ACTIONS: z.string().optional(),
  FORGEJO_ACTIONS: z.string().optional(),
  GITHUB_EVENT_NAME: z.string().regex(/^\w{1,60}$/),
});

/** Reads a run's facts from the runner's variables and the event. Anything missing or broken becomes a reason. */
export function parseRunContext(
  variables: Readonly<Record<string, string | undefined>>,
  eventFile: EventFile,
): RunContext {
  if (variables["GITHUB_ACTIONS"] !== "true") {
    return { kind: "local", reason: "this is not a workflow run (GITHUB_ACTIONS is not `true`)" };
  }
  const parsed = variablesSchema.safeParse(withoutEmpty(variables));
  if (!parsed.success) {
    const broken = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))];
    return {
      kind: "local",
      reason: `this workflow run does not say what it is: ${broken.join(", ")} missing or broken`,
    };
  }
  const given = parsed.data;
  const [owner, repositoryName] = given.GITHUB_REPOSITORY;
  const defaultBranch = defaultBranchIn(eventFile);
  const attemptPath = given.GITHUB_RUN_ATTEMPT === 1 ? "" : `/attempts/${given.GITHUB_RUN_ATTEMPT}`;
  return {
    kind: "workflow run",
    serverUrl: given.GITHUB_SERVER_URL,
    apiUrl: given.GITHUB_API_URL,
    repository: { owner, name: repositoryName },
    runId: given.GITHUB_RUN_ID,
    runNumber: given.GITHUB_RUN_NUMBER,
    attempt: given.GITHUB_RUN_ATTEMPT,
    sha: given.GITHUB_SHA,
    event: given.GITHUB_EVENT_NAME,
    ...(given.GITHUB_REF !== undefined && { ref: given.GITHUB_REF }),
    ...(defaultBranch !== undefined && { defaultBranch }),
    ...(given.LOADTEST_JOB !== undefined && { job: given.LOADTEST_JOB }),
    ...([given.GITEA_ACTIONS, given.FORGEJO_ACTIONS].includes("true") && { isGitea: true }),
    pullRequest: readPullRequest(given.GITHUB_EVENT_NAME, eventFile, `${owner}/${repositoryName}`),
    url: `${given.GITHUB_SERVER_URL}/${owner}/${repositoryName}/actions/runs/${given.GITHUB_RUN_ID}${attemptPath}`,
  };
}

/** Leaves out empty variables: they count as not set. */
function withoutEmpty(variables: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}
