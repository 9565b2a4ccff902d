import { groupBy } from "../../lists/group.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import { percent } from "../../text/percent.ts";
import { type Line, line, sentence } from "../document/inline.ts";
import type { Patch } from "../document/report.ts";
import { causeLine, type Sources } from "./cause-text.ts";
import type { ReportedCause, ReportedCauses } from "./causes.ts";

/** The remedies that are certain from the source's own lines. Foreign text. */
export function patchesOf({ causes }: Pick<ReportedCauses, "causes">, sources: Sources): Patch[] {
  return causes.flatMap((cause) => {
    const text = patchText(cause.finding);
    return text === undefined
      ? []
      : [{ kind: cause.finding.sql === undefined ? "diff" : "sql", words: wordsOf(cause, sources), text }];
  });
}

export function wordsOf(cause: ReportedCause, sources: Sources): Line {
  const share = percent(cause.finding.weight, "whole");
  return line(
    causeLine(cause, sources),
    " ",
    sentence(`This accounts for ${share} of a request's time, or of the time at its bottleneck.`),
  );
}

/** A patch as `git apply --unidiff-zero` takes it, or a statement; `undefined` where no remedy is certain. */
export function patchText({ edits = [], sql }: FoundCause): string | undefined {
  if (sql !== undefined) return sql;
  if (edits.length === 0) return undefined;
  return [...groupBy(edits, ({ path }) => path)]
    .map(([path, own]) => {
      let added = 0;
      const hunks = own
        .toSorted((a, b) => a.line - b.line)
        .map(({ line: at, before, after }) => {
          const lines = after.split("\n");
          const count = lines.length === 1 ? "" : `,${lines.length}`;
          const head = `@@ -${at} +${at + added}${count} @@`;
          added += lines.length - 1;
          return [head, `-${before}`, ...lines.map((each) => `+${each}`)].join("\n");
        });
      return [`--- a/${path}`, `+++ b/${path}`, ...hunks].join("\n");
    })
    .join("\n");
}
