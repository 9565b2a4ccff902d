import { readInputs } from "../../config/input-reader.ts";
import { inputsSchema, rows } from "../../config/inputs.ts";
import type { RawInputs } from "../../config/raw-inputs.ts";
import type { CommentMode } from "../../model/choices.ts";
import type { Posting } from "./posting.ts";

/** What `announce` was asked for. */
export interface Announcing extends Posting {
  readonly mode: CommentMode;
  /** Whether what this run announced is taken back instead: it was cancelled. */
  readonly isWithdrawal: boolean;
}

export const announcingHelp: readonly string[] = [
  "  announce  say in the comment on the pull request that this run measures; before anything of it runs",
  "            [--withdraw: take it back, where the run was cancelled]",
];

/** What the report would refuse is refused here, too: a run that ends there would leave the announcement standing. */
const schema = inputsSchema.pick({
  "report-id": true,
  "comment-mode": true,
  comment: true,
  "check-run": true,
  "history-branch": true,
});

/** Reads the inputs of `announce`. Throws an `InputError`. */
export function parseAnnouncing(raw: RawInputs, isWithdrawal: boolean): Announcing {
  const { comment, ...read } = readInputs(schema, raw);
  return { reportId: read["report-id"], mode: comment ? read["comment-mode"] : "never", isWithdrawal };
}

/** What to correct when a report's inputs cannot be read: what can be read of them; `undefined`: not even whose report. */
export function parseCorrecting(raw: RawInputs) {
  const id = rows["report-id"];
  const reportId = id.reader.safeParse(raw["report-id"] || id.fallback).data;
  if (reportId === undefined) return undefined;
  const isUnwanted = raw["comment"] === "false" || raw["comment-mode"] === "never";
  const checkRun = rows["check-run"].reader.safeParse(raw["check-run"] || undefined).data;
  return {
    reportId,
    comment: isUnwanted ? ("never" as const) : ("always" as const),
    ...(checkRun !== undefined && { checkRun }),
  };
}
