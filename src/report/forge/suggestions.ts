import type { Comparison } from "../../compare/comparison.ts";
import { suggestionBlock } from "../../text/markdown.ts";
import type { ReportedCauses } from "../causes/causes.ts";
import { wordsOf } from "../causes/patches.ts";
import type { Links } from "../links.ts";
import { inMarkdown } from "../render/markdown/blocks.ts";

/** A change of one line, to be shown at it as GitHub's suggestion. */
export interface Suggestion {
  readonly path: string;
  readonly line: number;
  /** What the line must say: otherwise it is another one. */
  readonly before: string;
  readonly body: string;
}

/** More of them nobody reads. */
const mostSuggestions = 5;

/** Edits of a single line that the diff has. What cannot be shown to the letter is left out. */
export function suggestionsOf(
  { commits }: Comparison,
  { causes }: ReportedCauses,
  links: Links,
): Suggestion[] {
  const sources = { links, commit: commits.head };
  return causes
    .flatMap((cause) => {
      const [edit, ...others] = cause.finding.edits ?? [];
      if (edit?.isInDiff !== true || others.length > 0) return [];
      const block = suggestionBlock(edit.after);
      const { path, line, before } = edit;
      return block === undefined
        ? []
        : [{ path, line, before, body: `${inMarkdown(wordsOf(cause, sources))}\n\n${block}` }];
    })
    .slice(0, mostSuggestions);
}
