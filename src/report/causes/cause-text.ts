import { phrase } from "../../diagnosis/wording.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import { type EvidenceFigure, type Phrase, type PhrasePiece, textOf } from "../../model/findings/finding.ts";
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
  const text = `${appText(app)}mended in head${where}: in base ${withoutStop(textOf(finding.summary))}`;
  return `${shortenEnd(text, longestText)}.`;
}

/** What a cause does and what to change, in two sentences. They may quote foreign text, between backticks or not. */
export function causeText(cause: ReportedCause): string {
  return textOf(causePhrase(cause));
}

/** The same, in which its line of code is a link to the measured commit. */
export function causeLine(cause: ReportedCause, { links, commit }: Sources): Line {
  const { path, place } = cause.finding;
  const url =
    path === undefined || place === undefined ? undefined : sourceUrl(links, commit, path, place.line);
  const pieces = causePhrase(cause);
  if (url === undefined || typeof pieces === "string") return sentence(textOf(pieces));
  return pieces.flatMap((piece) => (typeof piece === "string" ? spaced(piece) : link(piece.line, url)));
}

function causePhrase({ app, finding, isNew, cells }: ReportedCause): Phrase {
  const marks = [
    isNew ? "new in head" : "",
    isNew === false ? "also in base" : "",
    finding.isInDiff ? "in this diff" : "",
    cells > 1 ? `in ${plural(cells, "cell")}` : "",
  ].filter((mark) => mark !== "");
  const added = marks.length > 0 ? ` – ${marks.join(", ")}` : "";
  const { summary, advice } = finding;
  const whole = phrase`${appText(app)}${withoutLastStop(summary)}${added}. ${withoutStop(advice)}.`;
  const text = textOf(whole);
  return text.length <= longestText + 1 ? whole : `${shortenEnd(withoutStop(text), longestText)}.`;
}

/** The figures behind each cause. */
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

/** The figures that speak for a cause, and how well its prediction was met. */
export function evidenceText({ figures, prediction, confidence }: FoundCause): string {
  const { predicted, observed } = prediction;
  return [
    ...figures
      .filter(({ interval }, index) => index < mostFigures || interval !== undefined)
      .map(({ value, interval, ...named }) =>
        interval === undefined
          ? figureText(named, value)
          : `${named.what} ${relativeChange({ value, interval })}`,
      ),
    `${figureText(prediction, predicted)} predicted and ${figure(observed)} measured (confidence ${confidence})`,
  ].join(", ");
}

/** `mean hold 480 ms` */
function figureText({ what, unit }: Pick<EvidenceFigure, "what" | "unit">, value: number): string {
  if (unit === "share") return `${what} ${percent(value, "measured")}`;
  return `${what} ${numberText(value)}${unit === undefined ? "" : ` ${unit}`}`;
}

/** Counts need no decimals. */
function numberText(value: number): string {
  return Number.isInteger(value) ? count(value) : figure(value);
}

function withoutStop(text: string): string {
  return text.replace(/[.]$/, "");
}

function withoutLastStop(summary: Phrase): Phrase {
  if (typeof summary === "string") return withoutStop(summary);
  const last = summary.length - 1;
  return summary.map(
    (piece, index): PhrasePiece => (typeof piece === "string" && index === last ? withoutStop(piece) : piece),
  );
}

/** Where a report's lines of code can be read. */
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
