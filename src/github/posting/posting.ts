import { readInputs } from "../../config/input-checks.ts";
import { inputsSchema, type RawInputs } from "../../config/inputs.ts";

/** The inputs of `post`. */
export interface Posting {
  /** The report whose comment is written. The posting workflow names it, never the run that measured. */
  readonly reportId: string;
}

export const postingHelp: readonly string[] = [
  "  post      comment the report that another run left, from a workflow started by `workflow_run`",
];

const schema = inputsSchema.pick({ "report-id": true });

/** Reads the inputs of `post`. Throws an `InputError`. */
export function parsePosting(raw: RawInputs): Posting {
  return { reportId: readInputs(schema, raw)["report-id"] };
}
