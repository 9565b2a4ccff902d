import * as z from "zod";
import { jsonOf } from "../../text/json.ts";
import { isSameRepository, placesOf } from "../github/github.ts";
import { type EventFile, type RunContext, shaSchema, type WorkflowRun } from "../run.ts";

/** The run that a `workflow_run` event is about, in GitHub's own words. */
interface RunEvent {
  readonly runId: number;
  readonly attempt: number;
  readonly headSha: string;
}

export type RunOfEvent =
  | { readonly kind: "run"; readonly run: RunEvent }
  | { readonly kind: "none"; readonly reason: string };

const eventSchema = z.object({
  action: z.literal("completed"),
  repository: z.object({ full_name: z.string() }),
  workflow_run: z.object({
    id: z.int().positive(),
    run_attempt: z.int().positive(),
    event: z.string(),
    head_sha: shaSchema,
  }),
});

/** Why a run that is no workflow's posts nothing. */
export function reasonNotToPost(context: Exclude<RunContext, WorkflowRun>): string {
  return context.kind === "local" ? context.reason : "`post` works only in a GitHub workflow, not on GitLab";
}

/** Finds the run in the event. `repositoryName` is that of the workflow which posts, `owner/name`. */
export function readRunEvent(eventName: string, file: EventFile, repositoryName: string): RunOfEvent {
  if (eventName !== "workflow_run")
    return none(`\`post\` must run in a workflow started by \`workflow_run\`, not by \`${eventName}\``);
  if (file.kind === "missing") return none(file.reason);
  const parsed = eventSchema.safeParse(jsonOf(file.text));
  if (!parsed.success)
    return none(`the event file does not describe a finished run: ${placesOf(parsed.error)}`);
  const { repository: owner, workflow_run: run } = parsed.data;
  if (!isSameRepository(owner.full_name, repositoryName))
    return none("the run in the event file belongs to another repository");
  if (run.event !== "pull_request")
    return none(`the run was started by \`${run.event.slice(0, 60)}\`, not by \`pull_request\``);
  return { kind: "run", run: { runId: run.id, attempt: run.run_attempt, headSha: run.head_sha } };
}

export interface MeasuredRun {
  readonly id: number;
  readonly runNumber: number;
  readonly attempt: number;
  /** Event that started the run, e.g. `pull_request`. */
  readonly event: string;
  readonly headSha: string;
  /** `null`: the branch is no longer known. */
  readonly headBranch: string | null;
  readonly repositoryId: number;
  /** The fork, or the repository itself; `null`: it was deleted. */
  readonly headRepository: { readonly id: number; readonly owner: string } | null;
}

export interface OpenPull {
  readonly number: number;
  readonly state: string;
  readonly headSha: string;
  /** `null`: the fork was deleted. */
  readonly headRepositoryId: number | null;
  readonly baseRepositoryId: number;
}

type PullOfRun =
  | { readonly kind: "pull request"; readonly number: number }
  | { readonly kind: "none"; readonly reason: string };

/** The reason not to post a run's report, as far as the run itself shows it; `undefined` when there is none. */
export function runProblem(event: RunEvent, run: MeasuredRun): string | undefined {
  if (run.id !== event.runId) return "GitHub and the event describe different runs";
  if (run.headSha !== event.headSha) return "GitHub and the event name different commits for the run";
  if (run.event !== "pull_request") return `the run was started by \`${run.event}\`, not by \`pull_request\``;
  if (run.attempt > event.attempt)
    return `attempt ${event.attempt} of the run was superseded by attempt ${run.attempt}`;
  if (run.headRepository === null || run.headBranch === null)
    return "the repository or branch of the run no longer exists";
  return undefined;
}

/** The one open pull request whose newest commit a run is about. Only GitHub's word counts. */
export function pullOfRun(run: MeasuredRun, pulls: readonly OpenPull[]): PullOfRun {
  const matching = pulls.filter(
    (pull) =>
      pull.state === "open" &&
      pull.headSha === run.headSha &&
      pull.headRepositoryId === run.headRepository?.id &&
      pull.baseRepositoryId === run.repositoryId,
  );
  const [pull, ...others] = matching;
  if (pull === undefined) return none(`no open pull request is at commit ${run.headSha.slice(0, 10)} now`);
  if (others.length > 0) {
    const numbers = matching.map(({ number }) => number).join(", ");
    return none(
      `several open pull requests are at this commit (${numbers}), and the run does not identify one`,
    );
  }
  return { kind: "pull request", number: pull.number };
}

function none(reason: string) {
  return { kind: "none", reason } as const;
}
