import * as values from "../config/input-values.ts";
import { type CommentMode, commentModes } from "../report/comment-mode.ts";
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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads what follows `announce`; a sentence when it cannot be read. As the action's inputs of the report have it: what
 * the report would refuse is refused here, since a run that ends there would leave the announcement standing.
 */
export function parseAnnouncing(words: readonly string[], environment: Environment): Announcing | string {
  const isWithdrawal = words[0] === "--withdraw";
  const posting = parsePosting(isWithdrawal ? words.slice(1) : words, environment);
  if (typeof posting === "string") return posting.replace(/^post /, "announce ");
  const text = environment["INPUT_COMMENT_MODE"] || "always";
  const mode = commentModes.find((each) => each === text);
  if (mode === undefined) return `comment-mode: must be one of ${commentModes.join(", ")}`;
  const isWanted = values.flag.safeParse(environment["INPUT_COMMENT"] || "true");
  if (!isWanted.success) return "comment: must be true or false";
  const problem = problemOf("check-run", values.checkRun, environment["INPUT_CHECK_RUN"]);
  const other = problemOf("history-branch", values.branch, environment["INPUT_HISTORY_BRANCH"]);
  if (problem !== undefined || other !== undefined) return [problem, other].filter(Boolean).join("; ");
  return { ...posting, mode: isWanted.data ? mode : "never", isWithdrawal };
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

function problemOf(name: string, reader: typeof values.checkRun, text: string | undefined) {
  const found = reader.safeParse(text || undefined);
  return found.success ? undefined : `${name}: ${found.error.issues[0]?.message ?? "is wrong"}`;
}
