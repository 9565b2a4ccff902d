import { phrase } from "../../diagnosis/wording.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import {
  type EvidenceFigure,
  type Phrase,
  sentenceOf,
  subjectOf,
  textOf,
} from "../../model/findings/finding.ts";
import type { Cell } from "../../model/plan/cell.ts";
import { shortenEnd } from "../../text/length.ts";
import { count, figure, plural } from "../../text/numbers.ts";
import { percent, relativeChange } from "../../text/percent.ts";
import { type Line, line, link, sentence } from "../document/inline.ts";
import type { Item } from "../document/report.ts";
import { type Links, sourceUrl } from "../links.ts";
import type { FixedCause, ReportedCause, ReportedCauses } from "./causes.ts";

/** The first figures of a finding say most; those with an interval are always shown. */
const mostFigures = 3;
const longestText = 1_000;

/** The findings of diagnosis, each on a line: causes in the head, fixed ones, and blind spots. */
export function causeLines({ causes, more, fixed, remarks }: ReportedCauses, sources: Sources): Line[] {
  return [
    ...causes.map((cause) => causeLine(cause, sources)),
    ...(more > 0 ? [line(`and ${more} more.`)] : []),
    ...fixed.map((cause) => sentence(fixedText(cause))),
    ...remarks.map((remark) => sentence(`${withoutStop(remark)}.`)),
  ];
}

function fixedText({ app, finding, cells }: FixedCause): string {
  const where = cells > 1 ? ` (${plural(cells, "cell")})` : "";
  const text = `${appText(app)}Fixed here${where}: in the base, ${subjectOf(finding)} ${textOf(finding.summary)}`;
  return `${shortenEnd(text, longestText)}.`;
}

/** What a cause does and what to change, in two sentences. They may quote foreign text, between backticks or not. */
export function causeText(cause: ReportedCause): string {
  return textOf(advised(cause, sentenceOf(cause.finding)));
}

export function causeLine(cause: ReportedCause, sources: Sources): Line {
  return linked(advised(cause, sentenceOf(cause.finding)), cause, sources);
}

/** The same after `` `/orders` is 63% slower: ``, which has named the cell. */
export function continuedCause(
  cause: ReportedCause,
  sources: Sources,
  { endpoint }: Pick<Cell, "endpoint">,
): Line {
  const { finding } = cause;
  const isNamed = finding.subject === undefined && "path" in endpoint;
  const text = phrase`${isNamed ? "it" : subjectOf(finding)} ${finding.summary}`;
  return linked(advised({ ...cause, app: undefined, cells: 1 }, text), cause, sources);
}

function linked(pieces: Phrase, { finding }: ReportedCause, { links, commit }: Sources): Line {
  const { path, place } = finding;
  const url =
    path === undefined || place === undefined ? undefined : sourceUrl(links, commit, path, place.line);
  if (url === undefined || typeof pieces === "string") return sentence(textOf(pieces));
  return pieces.flatMap((piece) => (typeof piece === "string" ? spaced(piece) : link(piece.line, url)));
}

function advised({ app, finding, isNew, cells }: ReportedCause, what: Phrase): Phrase {
  const change = finding.isInDiff ? "changed in this pull request" : "";
  const marks = [
    isNew === undefined ? change : isNew ? "new in this pull request" : "already in the base",
    cells > 1 ? `in ${plural(cells, "cell")}` : "",
  ].filter((mark) => mark !== "");
  const added = marks.length > 0 ? ` – ${marks.join(", ")}` : "";
  const whole = phrase`${appText(app)}${what}${added}. ${withoutStop(finding.advice)}.`;
  const text = textOf(whole);
  return text.length <= longestText + 1 ? whole : `${shortenEnd(withoutStop(text), longestText)}.`;
}

export function evidenceItems({ causes, fixed }: ReportedCauses): Item[] {
  return [...causes, ...fixed].map(({ app, finding }) => ({
    lead: finding.cause,
    text: sentence(
      `${appText(app)}${finding.endpoint === undefined ? "" : `${finding.endpoint}: `}${evidenceText(finding)}.`,
    ),
  }));
}

function appText(app: string | undefined): string {
  return app === undefined ? "" : `${app}: `;
}

export function evidenceText({ figures, prediction, confidence }: FoundCause): string {
  const { predicted, observed } = prediction;
  const support = figures
    .filter(({ interval }, index) => index < mostFigures || interval !== undefined)
    .map(({ value, interval, ...named }) =>
      interval === undefined
        ? figureText(named, value)
        : `${named.what}: ${relativeChange({ value, interval })}`,
    );
  const met = `predicted ${figureText(prediction, predicted)}, measured: ${figure(observed)} (${confidence} confidence)`;
  return [...(support.length > 0 ? [support.join(", ")] : []), met].join("; ");
}

/** `mean: 480 ms` */
function figureText({ what, unit }: Pick<EvidenceFigure, "what" | "unit">, value: number): string {
  if (unit === "share") return `${what}: ${percent(value, "measured")}`;
  return `${what}: ${numberText(value)}${unit === undefined ? "" : ` ${unit}`}`;
}

/** Counts need no decimals. */
function numberText(value: number): string {
  return Number.isInteger(value) ? count(value) : figure(value);
}

function withoutStop(text: string): string {
  return text.replace(/[.]$/, "");
}

export interface Sources {
  readonly links: Links;
  /** The head that was measured, as the documents name it. */
  readonly commit: string | undefined;
}

/** A part of a sentence with the spaces at its ends, which foreign text loses. */
function spaced(part: string): Line {
  const [start, end] = [part.startsWith(" ") ? " " : "", part.endsWith(" ") ? " " : ""];
  return part.trim() === "" ? line(start) : line(start, sentence(part.trim()), end);
}
