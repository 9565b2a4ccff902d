import { byteLength } from "../../text/length.ts";
import type { ExplainDocument } from "./explain-schema.ts";

/** A small part of what a coding agent can read at once; in bytes. */
const mostBytes = 8_000;

/** The document on one line. It has at most 8 kB unless `isAll`: what is least important is left out first. */
export function explainText(document: ExplainDocument, { isAll = false } = {}): string {
  let fitting = document;
  while (!isAll && byteLength(JSON.stringify(fitting)) > mostBytes) {
    const shorter = shorterThan(fitting);
    if (shorter === undefined) break;
    fitting = shorter;
  }
  return `${JSON.stringify(fitting)}\n`;
}

type ExplainedList = "cells" | "causes" | "thresholds";

/** The same with less: kept thresholds, quiet cells, evidence, then whatever is last. */
function shorterThan(document: ExplainDocument): ExplainDocument | undefined {
  const { cells, causes, thresholds = [] } = document;
  const isKept = thresholds.at(-1)?.state === "kept";
  const isQuiet = !["slower", "faster", "inconclusive"].includes(cells.at(-1)?.verdict ?? "slower");
  const isProven = causes.some(({ quoted }) => quoted.evidence !== undefined);
  if (document.quoted !== undefined) {
    const { quoted: _, ...rest } = document;
    return rest;
  }
  if (isKept) return withoutLast(document, "thresholds");
  if (isQuiet && cells.length > 1) return withoutLast(document, "cells");
  if (isProven) return { ...document, causes: causes.map(withoutEvidence) };
  if (causes.length > 3) return withoutLast(document, "causes");
  if (thresholds.length > 3) return withoutLast(document, "thresholds");
  return cells.length > 1 ? withoutLast(document, "cells") : undefined;
}

function withoutEvidence({
  quoted: { evidence: _, ...quoted },
  ...cause
}: ExplainDocument["causes"][number]) {
  return { ...cause, quoted };
}

function withoutLast(document: ExplainDocument, list: ExplainedList): ExplainDocument {
  const { leftOut = {} } = document;
  return {
    ...document,
    [list]: document[list]?.slice(0, -1),
    leftOut: { ...leftOut, [list]: (leftOut[list] ?? 0) + 1 },
  };
}
