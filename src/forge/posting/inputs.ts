import { readInputs } from "../../config/input-checks.ts";
import { inputsSchema, type RawInputs, rows } from "../../config/inputs.ts";
import { defined } from "../../lists/defined.ts";
import type { CommentMode } from "../../model/choices.ts";

export interface Posting {
  /** The report whose comment is written. The posting workflow names it, never the run that measured. */
  readonly reportId: string;
}

/** Reads the inputs of `post`. Throws an `InputError`. */
export function parsePosting(raw: RawInputs): Posting {
  return { reportId: readInputs(inputsSchema.pick({ "report-id": true }), raw)["report-id"] };
}

export interface Announcing extends Posting {
  readonly mode: CommentMode;
  /** True when the announcement of this run is taken back, because the run was cancelled. */
  readonly isWithdrawal: boolean;
}

/** Inputs that the report would refuse are refused here, or the announcement would stand for ever. */
const schema = inputsSchema.pick({
  "report-id": true,
  "comment-mode": true,
  comment: true,
  "check-name": true,
  "history-branch": true,
});

/** Reads the inputs of `announce`. Throws an `InputError`. */
export function parseAnnouncing(raw: RawInputs, isWithdrawal: boolean): Announcing {
  const { comment, ...read } = readInputs(schema, raw);
  return { reportId: read["report-id"], mode: comment ? read["comment-mode"] : "never", isWithdrawal };
}

/** The readable inputs of a report whose inputs are wrong; `undefined`: not even its name is known. */
export function parseCorrecting(raw: RawInputs) {
  const id = rows["report-id"];
  const reportId = id.reader.safeParse(raw["report-id"] || id.fallback).data;
  if (reportId === undefined) return undefined;
  const isUnwanted = raw["comment"] === "false" || raw["comment-mode"] === "never";
  const checkRun = rows["check-name"].reader.safeParse(raw["check-name"] || undefined).data;
  return {
    reportId,
    comment: isUnwanted ? ("never" as const) : ("always" as const),
    ...defined({ checkRun }),
  };
}
