import type { Comparison } from "../../compare/comparison.ts";
import { visibleLine } from "../../text/visible.ts";
import { causeText } from "../causes/cause-text.ts";
import { causesOf } from "../causes/causes.ts";
import { plainText } from "../document/inline.ts";
import { changesSection } from "../sections/changes-section.ts";

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

/** Problems at a line of the repository, unless the base has them and the diff does not. */
export function annotationsOf(comparison: Comparison): Annotation[] {
  const causes = causesOf(comparison);
  const { explained } = changesSection(comparison, causes, { links: {}, commit: undefined });
  return causes.causes
    .flatMap((reported): Annotation[] => {
      const { path, place, cause, severity, isInDiff } = reported.finding;
      const isOld = reported.isNew === false && isInDiff !== true;
      if (path === undefined || place === undefined || severity === "note" || isOld) return [];
      const paragraph = explained.causes.get(reported.finding);
      const text = paragraph === undefined ? visibleLine(causeText(reported)) : plainText(paragraph);
      const message = text.replaceAll("`", "");
      return [{ path, line: place.line, title: `Load test: ${cause}`, message }];
    })
    .slice(0, mostAnnotations);
}
