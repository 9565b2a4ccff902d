import * as z from "zod";
import { defined } from "../../lists/defined.ts";
import type { PullRequestOfRun } from "../../model/pull-request.ts";
import { jsonOf } from "../../text/json.ts";
import { jobName } from "../comment-marker.ts";
import {
  addressSchema,
  countSchema,
  type EventFile,
  type ForgeTraits,
  type RunContext,
  readVariables,
  shaSchema,
  type Variables,
  type WorkflowRun,
} from "../run.ts";

const name = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);

const variablesSchema = z.object({
  GITHUB_SERVER_URL: addressSchema.default("https://github.com"),
  GITHUB_API_URL: addressSchema.default("https://api.github.com"),
  GITHUB_REPOSITORY: z
    .string()
    .transform((text) => text.split("/"))
    .pipe(z.tuple([name, name])),
  GITHUB_RUN_ID: countSchema,
  GITHUB_RUN_NUMBER: countSchema,
  GITHUB_RUN_ATTEMPT: countSchema.prefault("1"),
  GITHUB_SHA: shaSchema,
  GITHUB_REF: z.string().max(1_000).optional(),
  LOADTEST_JOB: jobName.optional().catch(undefined),
  GITHUB_EVENT_NAME: z.string().regex(/^\w{1,60}$/),
});

/** Reads a run's facts from variables and the event. `filesPath`: between repository and commit. */
export function readWorkflowRun(
  kind: WorkflowRun["kind"],
  filesPath: string,
  variables: Variables,
  eventFile: EventFile,
): RunContext {
  const read = readVariables(variablesSchema, variables, "this workflow run");
  if (read.kind === "local") return read;
  const given = read.value;
  const [owner, repositoryName] = given.GITHUB_REPOSITORY;
  const attempt = given.GITHUB_RUN_ATTEMPT;
  const repositoryUrl = `${given.GITHUB_SERVER_URL}/${owner}/${repositoryName}`;
  return {
    kind,
    serverUrl: given.GITHUB_SERVER_URL,
    apiUrl: given.GITHUB_API_URL,
    repository: { owner, name: repositoryName },
    runId: given.GITHUB_RUN_ID,
    runNumber: given.GITHUB_RUN_NUMBER,
    attempt,
    sha: given.GITHUB_SHA,
    event: given.GITHUB_EVENT_NAME,
    ...defined({
      ref: given.GITHUB_REF,
      defaultBranch: defaultBranchIn(eventFile),
      job: given.LOADTEST_JOB,
    }),
    pullRequest: readPullRequest(given, eventFile, `${owner}/${repositoryName}`),
    url: `${repositoryUrl}/actions/runs/${given.GITHUB_RUN_ID}${attempt === 1 ? "" : `/attempts/${attempt}`}`,
    label: `run ${given.GITHUB_RUN_NUMBER}`,
    filesUrl: `${repositoryUrl}/${filesPath}/`,
  };
}

const repository = z.object({ full_name: z.string() });

const eventSchema = z.object({
  action: z.string().optional(),
  pull_request: z.object({
    number: z.int().positive(),
    state: z.string().optional(),
    updated_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
    head: z.object({ sha: shaSchema, repo: repository.nullable() }), // null: the fork was deleted
    base: z.object({ sha: shaSchema, repo: repository }),
  }),
});

/** Both run on the merge of the pull request. For a pull request from a fork they have a stranger's rights. */
const aboutPullRequests = new Set(["pull_request", "pull_request_review"]);

const reasons = new Map([
  [
    "pull_request_target",
    "the event `pull_request_target` is not supported: it would run a stranger's code with a write token; use `pull_request`",
  ],
  ["merge_group", "a merge queue tests a group of pull requests, not one"],
  ["workflow_run", "the event `workflow_run` is about another run"],
]);

/** Finds the event's pull request, whose number must be the variable's, in the run's own repository. */
function readPullRequest(
  { GITHUB_EVENT_NAME: eventName, GITHUB_REF: ref = "" }: z.infer<typeof variablesSchema>,
  file: EventFile,
  repositoryName: string,
): PullRequestOfRun {
  if (!aboutPullRequests.has(eventName))
    return none(reasons.get(eventName) ?? `the event \`${eventName}\` is not about a pull request`);
  if (file.kind === "missing") return none(file.reason);
  const parsed = eventSchema.safeParse(jsonOf(file.text));
  if (!parsed.success)
    return none(`the event file does not describe a pull request: ${placesOf(parsed.error)}`);
  const { action, pull_request: pull } = parsed.data;
  if (action === "closed" || pull.state === "closed") return none(`pull request ${pull.number} is closed`);
  if (!isSameRepository(pull.base.repo.full_name, repositoryName))
    return none(`pull request ${pull.number} in the event file belongs to another repository`);
  const [, number = String(pull.number)] = /^refs\/pull\/(\d+)\//.exec(ref) ?? [];
  if (number !== String(pull.number))
    return none(`the event file is about pull request ${pull.number}, but the run is about ${ref}`);
  return {
    kind: "pull request",
    number: pull.number,
    headSha: pull.head.sha,
    baseSha: pull.base.sha,
    ...defined({ updatedAt: pull.updated_at }),
    isFork: pull.head.repo === null || !isSameRepository(pull.head.repo.full_name, repositoryName),
  };
}

/** The places of a document that are not as expected, as far as they fit a sentence. */
export function placesOf({ issues }: z.ZodError): string {
  return issues
    .map(({ path }) => path.join(".") || "the whole document")
    .slice(0, 5)
    .join(", ");
}

/** GitHub keeps the case of names, but does not tell them apart by it. */
export function isSameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const namedBranch = z.object({ repository: z.object({ default_branch: z.string().max(250) }) });

/** The default branch of the event's repository; `undefined` when the event does not name it. */
function defaultBranchIn(file: EventFile): string | undefined {
  return namedBranch.safeParse(file.kind === "text" ? jsonOf(file.text) : undefined).data?.repository
    .default_branch;
}

function none(reason: string): PullRequestOfRun {
  return { kind: "none", reason };
}

export const github: ForgeTraits = {
  name: "GitHub",
  isAround: (variables) => variables["GITHUB_ACTIONS"] === "true",
  readRun: (variables, event) => readWorkflowRun("github", "blob", variables, event),
  tokenVariables: ["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_PAT", "INPUT_GITHUB_TOKEN", "INPUT_GITHUB-TOKEN"],
  tokenStart: "gh[pousr]_|github_pat_",
  noToken: "there is no token (GITHUB_TOKEN); set the action's input `github-token`",
  remedy:
    "Add this to the job: `permissions: { contents: read, pull-requests: write }`. (On pull requests by Dependabot " +
    "the token is read-only.)",
  forkRemedy:
    "On a pull request from a fork the token is read-only, whatever the workflow requests. The job summary has the " +
    "report, and a second workflow that calls `post-report.yml` can post it (docs/comment.md#pull-requests-from-forks).",
  artifactsAnchor: "#artifacts",
  takesAcceptances: true,
};
