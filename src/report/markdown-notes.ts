import type { Comparison } from "../compare/comparison.ts";
import { codeSpan, sentence } from "../text/markdown.ts";
import { certaintyOf } from "./certainty.ts";
import { isWebAddress, type Links } from "./links.ts";
import { commitOf, hasPlusMinus, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./notes.ts";

/**
 * What holds for the whole report, below its tables. `first`, `second`: what stands before and after the warnings, where no
 * section of an app says it.
 */
export function notesOf(
  comparison: Comparison,
  links: Links,
  first: readonly string[] = [],
  second: readonly string[] = [],
): string {
  const { rows } = comparison;
  const warnings = warningsOf(comparison).map(sentence);
  const small = [
    hasPlusMinus(comparison) ? plusMinusNote : "",
    sentence(howMeasured(rows)),
    sentence(whereMeasured(rows)),
    source(comparison, links),
  ].filter((text) => text !== "");
  const alert =
    warnings.length > 0 ? `> [!WARNING]\n${warnings.map((text) => `> - ${text}`).join("\n")}` : "";
  return paragraphs(
    ...first,
    alert,
    ...second,
    sentence(certaintyOf(comparison)),
    `<sub>${small.join("<br>\n")}</sub>`,
  );
}

/** Texts with an empty line between; those that are empty are left out. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** What the report is about and where it comes from. */
function source(comparison: Comparison, links: Links): string {
  const { runUrl, runLabel = "this run" } = links;
  const run = isWebAddress(runUrl)
    ? `[${sentence(runLabel)}](${runUrl}), whose artifacts have the page with charts (\`report.html\`) and all data`
    : "";
  const sha = commitOf(comparison, links);
  const commit = sha === undefined ? "" : `Commit ${codeSpan(sha.slice(0, 10))}`;
  return [commit, run].filter((text) => text !== "").join(", ") + (commit || run ? "." : "");
}
