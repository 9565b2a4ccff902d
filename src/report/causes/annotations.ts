import type { Comparison } from "../../compare/comparison.ts";
import { visibleLine } from "../../text/visible.ts";
import { causeText } from "./cause-text.ts";
import { causesOf } from "./causes.ts";

/** A remark at a line of the repository. */
export interface Annotation {
  /** From the repository's top; never above it. */
  readonly path: string;
  readonly line: number;
  readonly title: string;
  /** One line. */
  readonly message: string;
}

/** GitHub shows at most this many for one step. */
const mostAnnotations = 10;

/**
 * Problems at a line of the repository's own files. Those that the base has, too, are left out when their line is
 * outside of the diff.
 */
export function annotationsOf(comparison: Pick<Comparison, "rows">): Annotation[] {
  return causesOf(comparison)
    .causes.flatMap((reported): Annotation[] => {
      const { path, place, cause, severity, isInDiff } = reported.finding;
      const isOld = reported.isNew === false && isInDiff !== true;
      if (path === undefined || place === undefined || severity === "note" || isOld) return [];
      const message = visibleLine(causeText(reported).replaceAll("`", ""));
      return [{ path, line: place.line, title: `Load test: ${cause}`, message }];
    })
    .slice(0, mostAnnotations);
}
