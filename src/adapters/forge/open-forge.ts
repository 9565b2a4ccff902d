import { forges } from "../../forge/forges.ts";
import { type RunOfEvent, reasonNotToPost } from "../../forge/posting/measured-run.ts";
import type { ForgeTraits, GitLabJob, RunContext, Variables, WorkflowRun } from "../../forge/run.ts";
import { defined } from "../../lists/defined.ts";
import type { CommentOutcome, Forge, ReportToComment } from "../../ports/forge.ts";
import type { PostPorts } from "../../ports/report.ts";
import { type CommentApi, upsertComment, withdrawAnnouncement } from "./comment.ts";
import { readAcceptances, readMergedAcceptances } from "./github/acceptances.ts";
import { checkCommit } from "./github/check-run.ts";
import { createComments } from "./github/comments.ts";
import { historyProblem, keepHistory } from "./github/history-branch.ts";
import { createGitHubRun, poster } from "./github/measured-run.ts";
import { suggest } from "./github/review.ts";
import { createNotes } from "./gitlab/notes.ts";

interface ForgeOptions {
  readonly signal?: AbortSignal;
  /** Waits between tries; tests replace it. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** The forge around a run. Where it lacks something, or there is no token, nothing is requested. */
export function openForge(run: RunContext, variables: Variables, options: ForgeOptions = {}): Forge {
  if (run.kind === "local") return forgeWithout(run.reason);
  const { [forges[run.kind].tokenVariables[0]]: token } = variables;
  return run.kind === "gitlab" ? openGitLab(run, token, options) : openGitHub(run, token, options);
}

function forgeWithout(reason: string): Forge {
  const nothing = async () => none(reason);
  return {
    comment: nothing,
    readAcceptances: nothing,
    readMergedAcceptances: nothing,
    checkCommit: nothing,
    suggest: nothing,
    keepHistory: nothing,
  };
}

function openGitLab(job: GitLabJob, token: string | undefined, options: ForgeOptions): Forge {
  return {
    ...forgeWithout("on GitLab there is only the note on the merge request"),
    comment: (report) =>
      commentOnRun(job, forges.gitlab, token, report, (given, iid) =>
        createNotes(job, iid, { apiUrl: job.apiUrl, token: given, ...options }),
      ),
  };
}

function openGitHub(run: WorkflowRun, token: string | undefined, options: ForgeOptions): Forge {
  const { apiUrl, repository, pullRequest } = run;
  const forge: ForgeTraits = forges[run.kind];
  const access = token ? { apiUrl, repository, token, ...options } : undefined;
  const noToken = none(forge.noToken);
  return {
    comment: (report) =>
      commentOnRun(run, forge, token, report, (given) =>
        createComments({ apiUrl, repository, token: given, ...options }),
      ),
    readAcceptances: async () => {
      if (pullRequest.kind === "none") return none(pullRequest.reason);
      return access ? readAcceptances(access, run, pullRequest) : noToken;
    },
    readMergedAcceptances: async () => (access ? readMergedAcceptances(access, run) : noToken),
    checkCommit: async (check) => {
      if (isReadOnly(run, forge)) return none(onlyReads);
      return access ? checkCommit(access, run, check, forge) : noToken;
    },
    suggest: async (suggestions) => {
      if (pullRequest.kind === "none") return none(pullRequest.reason);
      if (run.kind !== "github") return none("only GitHub shows suggestions");
      if (isReadOnly(run, forge)) return none(onlyReads);
      return access ? suggest(access, pullRequest, suggestions) : noToken;
    },
    keepHistory: async (branch, make) => {
      const problem = historyProblem(run);
      if (problem !== undefined) return none(problem);
      return access ? keepHistory(access, run, branch, make, forge) : noToken;
    },
  };
}

export function openPosting(
  context: RunContext,
  runOfEvent: RunOfEvent,
  variables: Variables,
  options: ForgeOptions = {},
): PostPorts["posting"] {
  if (!("repository" in context)) return none(reasonNotToPost(context));
  const { noToken, tokenVariables, artifactsAnchor }: ForgeTraits = forges[context.kind];
  const { [tokenVariables[0]]: token } = variables;
  if (!token) return none(noToken);
  if (runOfEvent.kind === "none") return runOfEvent;
  const { apiUrl, repository, serverUrl } = context;
  const access = { apiUrl, repository, token, ...options };
  const comments = createComments(access);
  return {
    ...runOfEvent,
    ...createGitHubRun(access),
    linksOf: ({ id, runNumber, headSha }) => ({
      runUrl: `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${id}`,
      runLabel: `run ${runNumber}`,
      headSha,
      ...defined({ artifactsAnchor }),
    }),
    comment: (report) => upsertComment(comments, { ...report, writer: poster, isPosted: true }),
  };
}

/** Puts the report on the pull request of this run, or takes its announcement back. */
async function commentOnRun(
  run: WorkflowRun | GitLabJob,
  forge: ForgeTraits,
  token: string | undefined,
  { reportId, accepted, isWithdrawal, render, ...report }: ReportToComment,
  open: (token: string, pullNumber: number) => CommentApi,
): Promise<CommentOutcome> {
  const { pullRequest, runNumber, attempt, runId, job } = run;
  if (pullRequest.kind === "none") return none(pullRequest.reason);
  if (!token) return none(forge.noToken);
  const { number: pullNumber, headSha } = pullRequest;
  const forkRemedy = isReadOnly(run, forge) ? forge.forkRemedy : undefined;
  if ((report.isAnnouncement || isWithdrawal) && forkRemedy !== undefined) return none(onlyReads);
  const api = open(token, pullNumber);
  const writer = { forge: forge.name, remedy: forkRemedy ?? forge.remedy };
  const state = { reportId, runNumber, attempt, headSha, runId, job, accepted };
  if (isWithdrawal) return withdrawAnnouncement(api, { pullNumber, writer, state }, render("").trimStart());
  return upsertComment(api, { pullNumber, writer, state, render, ...report });
}

const onlyReads = "on a pull request from a fork, the token is read-only";

function isReadOnly({ pullRequest }: WorkflowRun | GitLabJob, { forkRemedy }: ForgeTraits): boolean {
  return pullRequest.kind !== "none" && pullRequest.isFork && forkRemedy !== undefined;
}

function none(reason: string) {
  return { kind: "none", reason } as const;
}
