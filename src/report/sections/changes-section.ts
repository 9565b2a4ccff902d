import type { Comparison, Row } from "../../compare/comparison.ts";
import { judgedEffect, versusIn } from "../../compare/standing.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import type { Cause } from "../../model/findings/finding.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { plural } from "../../text/numbers.ts";
import { changeSize } from "../../text/percent.ts";
import { lineOfCause, type Sources } from "../causes/cause-line.ts";
import { causeText } from "../causes/cause-text.ts";
import type { Told, ToldCause } from "../causes/causes.ts";
import { joined, type Line, line, name, sentence, strong } from "../document/inline.ts";
import { type Change, changesOf } from "../facts/changes.ts";
import { countedChanges } from "../facts/counted-changes.ts";
import { unexplainedSentences } from "../facts/unexplained.ts";

/** What paragraphs tell need not stand anywhere else. */
export interface ToldAbove {
  readonly causes: ReadonlySet<FoundCause>;
  /** Ids of cells whose counted changes are told. */
  readonly cells: ReadonlySet<string>;
}

/** Changes as paragraphs. */
export interface ChangesSection {
  readonly paragraphs: readonly Line[];
  readonly told: ToldAbove;
}

/** One paragraph for each endpoint that changed, with what caused it and what to do. */
export function changesSection(comparison: Comparison, causes: Told, sources: Sources): ChangesSection {
  const { shown, more } = changesOf(comparison);
  const told = new Set<FoundCause>();
  const cells = new Set<string>();
  const paragraphs = shown.map((change) => {
    const cause = causeOf(change, causes.causes);
    if (cause === undefined) cells.add(change.rows[0].cell.id);
    else told.add(cause.finding);
    return joined([whatChanged(change), ...why(change, cause, comparison, sources)], " ");
  });
  const rest = (["slower", "faster"] as const).flatMap((kind) =>
    more[kind] > 0 ? [line(`${plural(more[kind], "more endpoint")} got ${kind}.`)] : [],
  );
  return { paragraphs: [...paragraphs, ...rest], told: { causes: told, cells } };
}

/** `` `/orders` **is 63 % slower** (33 to 80 %, 1 worker). `` */
function whatChanged({ kind, rows }: Change): Line {
  const [worst, ...others] = rows;
  const { size } = changeSize(judgedEffect(worst));
  const ranges = [worst, ...others.slice(0, 2)].map(rangeWords).join("; ");
  const more = others.length > 2 ? `; and ${others.length - 2} more` : "";
  const words = size.startsWith("×") ? `is ${size.slice(1)} times as fast` : `is ${size} ${kind}`;
  return line(name(cellLabel(worst.cell)), " ", strong(words), ` (${ranges}${more}).`);
}

function rangeWords(row: Row): string {
  const { range } = changeSize(judgedEffect(row));
  const verdict = versusIn(row)?.verdict;
  const by = verdict?.isByCpu ? "by CPU time, " : verdict?.isByStalls ? "stalls included, " : "";
  return `${range}, ${by}${plural(row.cell.workers, "worker")}`;
}

/**
 * The weightiest cause that came with the head, or stands on a line of the diff. Causes are looked for at one worker
 * count of an endpoint.
 */
function causeOf(change: Change, causes: readonly ToldCause[]): ToldCause | undefined {
  return causes.find(
    (told) =>
      (change.kind === "slower" ? isOfSlower(told) : told.finding.cause === "less CPU in a function") &&
      told.ofRows.some((row) => isOfEndpoint(row, change)),
  );
}

/** These take no more time in a request. */
const timeless: readonly Cause[] = ["less CPU in a function", "memory that grows", "slower start"];

function isOfSlower({ finding, isNew }: ToldCause): boolean {
  const isPossible = finding.severity === "problem" && !timeless.includes(finding.cause);
  return isPossible && (isNew !== false || finding.isInDiff === true);
}

function isOfEndpoint({ cell }: Row, { rows: [worst] }: Change): boolean {
  return cellLabel(cell) === cellLabel(worst.cell);
}

function why(change: Change, cause: ToldCause | undefined, comparison: Comparison, sources: Sources): Line[] {
  const { kind, rows } = change;
  const [worst] = rows;
  const counted = countedChanges(worst, comparison).map(sentence);
  if (cause !== undefined)
    return [lineOfCause(causeText({ ...cause, app: undefined, cells: 1 }), cause.finding, sources)];
  if (kind === "faster") return counted;
  const isLookedInto = comparison.rows.some(
    (row) => isOfEndpoint(row, change) && row.diagnosis?.head?.findings !== undefined,
  );
  return [...counted, sentence(unexplainedSentences(worst, isLookedInto))];
}
