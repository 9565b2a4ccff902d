import * as z from "zod";
import { jsonOf } from "../../text/json.ts";
import type { EventFile } from "../run-pull-request.ts";

/** The run that a `workflow_run` event is about, in GitHub's own words. */
export interface RunEvent {
  readonly runId: number;
  readonly attempt: number;
  readonly headSha: string;
}

export type RunOfEvent =
  | { readonly kind: "run"; readonly run: RunEvent }
  | { readonly kind: "none"; readonly reason: string };

const repository = z.object({ full_name: z.string() });

const eventSchema = z.object({
  action: z.literal("completed"),
  repository,
  workflow_run: z.object({
    id: z.int().positive(),
    run_attempt: z.int().positive(),
    event: z.string(),
    head_sha: z.string().regex(/^[0-9a-f]{40,64}$/),
  }),
});

/** Finds the run in the event. `repositoryName` is that of the workflow which posts, `owner/name`. */
export function readRunEvent(eventName: string, file: EventFile, repositoryName: string): RunOfEvent {
  if (eventName !== "workflow_run")
    return none(`\`post\` belongs into a workflow started by \`workflow_run\`, not by \`${eventName}\``);
  if (file.kind === "missing") return none(file.reason);
  const parsed = eventSchema.safeParse(jsonOf(file.text));
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => path.join(".") || "the whole document");
    return none(`the event file does not describe a finished run: ${places.slice(0, 5).join(", ")}`);
  }
  const { repository: owner, workflow_run: run } = parsed.data;
  if (owner.full_name.toLowerCase() !== repositoryName.toLowerCase())
    return none("the run in the event file belongs to another repository");
  if (run.event !== "pull_request")
    return none(`the run was started by \`${run.event.slice(0, 60)}\`, not by \`pull_request\``);
  return { kind: "run", run: { runId: run.id, attempt: run.run_attempt, headSha: run.head_sha } };
}

function none(reason: string): RunOfEvent {
  return { kind: "none", reason };
}
