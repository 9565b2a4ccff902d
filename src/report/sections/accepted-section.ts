import type { Comparison } from "../../compare/comparison.ts";
import { data, type Line, line, link, sentence } from "../document/inline.ts";
import { acceptedRows } from "../facts/accepted.ts";
import { isRemarkAddress } from "../links.ts";
import { cellName } from "./cell-name.ts";

/** Who accepts which slow-down, and why; nothing where nobody does. */
export function acceptedLines(comparison: Comparison): readonly Line[] {
  return acceptedRows(comparison).map(({ row, acceptance: { by, reason, url } }) => {
    const who = isRemarkAddress(url) ? link(by, url) : data(by);
    return line("Accepted: ", cellName(row), ", by ", who, ": ", sentence(reason));
  });
}
