import type { Comparison, Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import type { Cause } from "../../model/findings/finding.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { figure, plural } from "../../text/numbers.ts";
import { changeSize, percent } from "../../text/percent.ts";
import { againOf } from "../again.ts";
import { continuedCause, type Sources } from "../causes/cause-text.ts";
import type { ReportedCause, ReportedCauses } from "../causes/causes.ts";
import { joined, type Line, line, name, sentence, strong } from "../document/inline.ts";
import type { Paragraph } from "../document/report.ts";
import { countedChanges } from "../facts/counted-changes.ts";

export interface Explained {
  /** Each with the paragraph that it stands in. */
  readonly causes: ReadonlyMap<FoundCause, Line>;
  /** Ids of cells whose counted changes are reported. */
  readonly cells: ReadonlySet<string>;
}

interface ChangesSection {
  readonly paragraphs: readonly Paragraph[];
  readonly explained: Explained;
}

export function changesSection(
  comparison: Comparison,
  causes: ReportedCauses,
  sources: Sources,
): ChangesSection {
  const { shown, more } = changesOf(comparison);
  const explained = new Map<FoundCause, Line>();
  const cells = new Set<string>();
  const textOf = (change: Change): Line => {
    const cause = causeOf(change, causes.causes);
    const what = whatChanged(change, comparison);
    if (cause !== undefined) {
      const text = line(what, ": ", continuedCause(cause, sources, change.rows[0].cell));
      explained.set(cause.finding, text);
      return text;
    }
    cells.add(change.rows[0].cell.id);
    const known = why(change, comparison);
    return line(what, known.length === 0 ? "." : ". ", known);
  };
  const paragraphs = shown.map((change) => ({
    text: textOf(change),
    ...(change.kind === "slower" && againOf(change.rows[0], comparison)),
  }));
  const rest = (["slower", "faster"] as const).flatMap((kind) =>
    more[kind] > 0 ? [{ text: line(`${plural(more[kind], "more endpoint")} got ${kind}.`) }] : [],
  );
  return { paragraphs: [...paragraphs, ...rest], explained: { causes: explained, cells } };
}

/** `` `/orders` **is 63% slower** (a factor of 2.7; 99% interval 33 to 80%, 1 worker) ``, without a full stop. */
function whatChanged({ kind, rows }: Change, comparison: Comparison): Line {
  const [worst, ...others] = rows;
  const { size, factor } = changeSize(worst.effect);
  const isFactor = kind === "faster" && factor !== undefined;
  const isSlowing = kind === "faster" && comparison.rows.some((row) => isSlowingDown(row, worst));
  const words = isFactor ? `is ${factor} times as fast` : `is ${size} ${kind}`;
  const sizes = isFactor ? [`+${size}`] : factor === undefined ? [] : [`a factor of ${factor}`];
  const interval = worst.versus === undefined ? "" : `${percent(worst.versus.confidence)} interval `;
  const ranges = [worst, ...others.slice(0, 2)]
    .map(rangeWords)
    .map((words, at) => `${at === 0 ? interval : ""}${words}`);
  const more = others.length > 2 ? [`and ${others.length - 2} more`] : [];
  return line(
    name(cellLabel(worst.cell)),
    " ",
    strong(`${words}${isSlowing ? ", but slows down over time" : ""}`),
    ` (${[...sizes, ...ranges, ...more].join("; ")})`,
  );
}

function isSlowingDown({ withAge, cell }: Row, worst: Row): boolean {
  return withAge === "slower" && cellLabel(cell) === cellLabel(worst.cell);
}

function rangeWords(row: Row): string {
  const { range } = changeSize(row.effect);
  const verdict = row.versus?.verdict;
  const by = verdict?.isByCpu ? "by CPU time, " : verdict?.isByStalls ? "in total throughput, " : "";
  return `${range}, ${by}${plural(row.cell.workers, "worker")}`;
}

/** The weightiest cause that came with the head, or is on a line of the diff, at any worker count. */
function causeOf(change: Change, causes: readonly ReportedCause[]): ReportedCause | undefined {
  return causes.find(
    (cause) =>
      (change.kind === "slower" ? isOfSlower(cause) : cause.finding.cause === "less CPU in a function") &&
      cause.ofRows.some((row) => isOfEndpoint(row, change)),
  );
}

/** These take no more time in a request. */
const timeless: readonly Cause[] = ["less CPU in a function", "growing memory", "slower start"];

function isOfSlower({ finding, isNew }: ReportedCause): boolean {
  const isPossible = finding.severity === "problem" && !timeless.includes(finding.cause);
  return isPossible && (isNew !== false || finding.isInDiff === true);
}

function isOfEndpoint({ cell }: Row, { rows: [worst] }: Change): boolean {
  return cellLabel(cell) === cellLabel(worst.cell);
}

function why(change: Change, comparison: Comparison): Line {
  const { kind, rows } = change;
  const [worst] = rows;
  const isExamined = comparison.rows.some(
    (row) => isOfEndpoint(row, change) && row.diagnosis?.head?.findings !== undefined,
  );
  const counted = countedChanges(worst, comparison);
  const start = isExamined ? "No cause was found: " : counted.length === 0 ? "Not diagnosed: " : "";
  const unexplained = kind === "faster" ? [] : [capitalised(`${start}${hint(worst)}`)];
  return joined([...counted, ...unexplained].map(sentence), " ");
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

interface Change {
  readonly kind: "slower" | "faster";
  /** Its cells, the largest change first; never empty. */
  readonly rows: readonly [Row, ...Row[]];
}

/** Changes of at least the smallest effect. Smaller ones are in the table only. */
interface Changes {
  /** Slower ones first, the largest first. */
  readonly shown: readonly Change[];
  readonly more: { readonly slower: number; readonly faster: number };
}

/** More paragraphs than these nobody reads. */
const mostOfKind = { slower: 5, faster: 3 } as const;

/** The first thing that a reader on a phone sees. */
function changesOf(comparison: Comparison): Changes {
  const [slower, faster] = [changesOfKind("slower", comparison), changesOfKind("faster", comparison)];
  return {
    shown: [...slower.slice(0, mostOfKind.slower), ...faster.slice(0, mostOfKind.faster)],
    more: {
      slower: Math.max(0, slower.length - mostOfKind.slower),
      faster: Math.max(0, faster.length - mostOfKind.faster),
    },
  };
}

function changesOfKind(kind: Change["kind"], { rows }: Comparison): Change[] {
  const changed = rows.filter((row) => {
    const verdict = row.versus?.verdict;
    return verdict?.kind === kind && !verdict.isSmall;
  });
  return [...groupBy(changed, ({ cell }) => cellLabel(cell)).values()]
    .flatMap((own): Change[] => {
      const [first, ...others] = own.toSorted((a, b) => sizeOf(b) - sizeOf(a));
      return first === undefined ? [] : [{ kind, rows: [first, ...others] }];
    })
    .toSorted((a, b) => sizeOf(b.rows[0]) - sizeOf(a.rows[0]));
}

function sizeOf(row: Row): number {
  return Math.abs(row.effect?.value ?? 0);
}

/** Where to look when no cause of a slowdown was found: our own words. */
function hint(row: Row): string {
  const { base, head } = row.arms;
  const [before, after] = [base?.cpuPerRequestMs, head?.cpuPerRequestMs];
  const { low, high } = row.versus?.effects.cpuPerRequest?.interval ?? {
    low: Number.NaN,
    high: Number.NaN,
  };
  if (before === undefined || after === undefined || Number.isNaN(low))
    return "compare the figures of both versions below.";
  if (low > 0)
    return `each request takes ${figure(after - before)} ms more CPU (${figure(before)} → ${figure(after)} ms). Look at what this pull request adds to this endpoint's code path.`;
  if (high < 0) return "each request takes less CPU than before but waits longer. Look at what it calls.";
  return "each request takes as much CPU as before but waits longer. Look at its SQL statements and the services it calls.";
}
