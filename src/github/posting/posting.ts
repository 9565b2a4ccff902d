/** What `post` was asked for. */
export interface Posting {
  /** The report whose comment is written; the posting workflow says it, never the run that measured. */
  readonly reportId: string;
}

export const postingHelp: readonly string[] = [
  "  post      comment the report that another run left, from a workflow started by `workflow_run`",
  "            [--report-id NAME]",
];

/** As the input `report-id`. */
const reportIdPattern = /^[\w. -]{1,60}$/;

/** Reads what follows `post`; a sentence when it cannot be read. The command line wins over the action's variable. */
export function parsePosting(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Posting | string {
  const text = words.join("=");
  const [, written] = /^--report-id=(.*)$/s.exec(text) ?? [];
  if (words.length > 0 && written === undefined) return "post takes one option, --report-id NAME";
  const reportId = written ?? (environment["INPUT_REPORT_ID"] || "default");
  if (!reportIdPattern.test(reportId))
    return "report-id: must be 1 to 60 letters, digits, spaces, dots, dashes";
  return { reportId };
}
