import { readCommandLine } from "../config/command-line.ts";
import { InputError } from "../errors/errors.ts";
import type { ReportPorts } from "../ports/report.ts";
import { explainDocument } from "../report/explain/explain-document.ts";
import { explainText } from "../report/explain/explain-text.ts";
import { renderComment } from "../report/render/markdown/comment.ts";
import { reportOf } from "../report/report.ts";
import { readResults } from "./compared-results.ts";

export interface Explaining {
  readonly resultsDirectory: string;
  readonly isAll: boolean;
  /** For people; otherwise JSON. */
  readonly isMarkdown: boolean;
}

/** Throws an `InputError` for more than one folder, and for unknown options. */
export function parseExplaining(argv: readonly string[]): Explaining {
  const options = ["all", "markdown"].map((name) => ({ name, isSwitch: true }));
  const { words, values } = readCommandLine({ verb: "explain", options, takesWords: true }, argv);
  const [resultsDirectory = "loadtest-results", ...others] = words;
  if (others.length > 0)
    throw new InputError([`explain: takes a single results folder (got ${JSON.stringify(words.join(" "))})`]);
  return { resultsDirectory, isAll: values.has("all"), isMarkdown: values.has("markdown") };
}

export type ExplainPorts = ReportPorts & {
  /** Writes to standard output, which has nothing else. */
  answer(text: string): void;
};

/** Prints what the results of a folder say. Throws an `InputError` when it has none of this version. */
export async function explain(
  { resultsDirectory, isAll, isMarkdown }: Explaining,
  ports: ExplainPorts,
): Promise<void> {
  const results = await readResults(
    { planText: undefined, check: { failOn: undefined, maxSlowdown: undefined } },
    ports,
  );
  if (results === undefined || results.measurements.length === 0) {
    const lost = results?.comparison.warnings.find((text) => text.startsWith("Ignored"));
    throw new InputError([
      `explain: ${resultsDirectory} contains no results${lost === undefined ? "; name another folder" : ` of this version. ${lost}`}`,
    ]);
  }
  const { comparison } = results;
  ports.answer(
    isMarkdown
      ? renderComment(reportOf(comparison, ports.links), { marker: "" }).trimStart()
      : explainText(explainDocument(comparison), { isAll }),
  );
}
