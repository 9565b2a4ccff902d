import * as z from "zod";
import * as values from "../../config/input-values.ts";
import { type CommentMode, commentModes } from "../../model/choices.ts";
import { type Posting, parsePosting } from "./posting.ts";

/** What `announce` was asked for. */
export interface Announcing extends Posting {
  readonly mode: CommentMode;
  /** Whether what this run announced is taken back instead: it was cancelled. */
  readonly isWithdrawal: boolean;
}

export const announcingHelp: readonly string[] = [
  "  announce  say in the comment on the pull request that this run measures; before anything of it runs",
  "            [--report-id NAME] [--withdraw: take it back, where the run was cancelled]",
];

/** What the report would refuse. */
const schema = z.object({
  "comment-mode": z.enum(commentModes, `must be one of ${commentModes.join(", ")}`),
  comment: values.flag,
  "check-run": values.checkRun,
  "history-branch": values.branch,
});

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads what follows `announce`; a sentence when it cannot be read. As the action's inputs of the report have it: what
 * the report would refuse is refused here, since a run that ends there would leave the announcement standing.
 */
export function parseAnnouncing(words: readonly string[], environment: Environment): Announcing | string {
  const isWithdrawal = words[0] === "--withdraw";
  const posting = parsePosting(isWithdrawal ? words.slice(1) : words, environment);
  const given: Environment = {
    "comment-mode": environment["INPUT_COMMENT_MODE"] || "always",
    comment: environment["INPUT_COMMENT"] || "true",
    "check-run": environment["INPUT_CHECK_RUN"] || undefined,
    "history-branch": environment["INPUT_HISTORY_BRANCH"] || undefined,
  };
  const inputs = schema.safeParse(given);
  if (typeof posting !== "string" && inputs.success)
    return { ...posting, mode: inputs.data.comment ? inputs.data["comment-mode"] : "never", isWithdrawal };
  const issues = inputs.error?.issues ?? [];
  return [
    ...(typeof posting === "string" ? [posting.replace(/^post /, "announce ")] : []),
    ...issues.map(
      ({ path: [name = ""], message }) =>
        `${String(name)}: ${message} (got ${JSON.stringify(given[String(name)])})`,
    ),
  ].join("; ");
}

/** What to correct when a report's inputs cannot be read: what can be read of them; `undefined`: not even whose report. */
export function parseCorrecting(raw: Environment) {
  const posting = parsePosting([], { INPUT_REPORT_ID: raw["report-id"] });
  if (typeof posting === "string") return undefined;
  const isUnwanted = raw["comment"] === "false" || raw["comment-mode"] === "never";
  const checkRun = values.checkRun.safeParse(raw["check-run"] || undefined).data;
  return {
    ...posting,
    comment: isUnwanted ? ("never" as const) : ("always" as const),
    ...(checkRun !== undefined && { checkRun }),
  };
}
