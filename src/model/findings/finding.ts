import type { Interval } from "../../statistics/estimate.ts";
import type { Place } from "./probe-document.ts";

/** Known causes, in the order in which equally weighty findings are shown. */
export const causes = [
  "generator bound",
  "blocking call on the event loop",
  "CPU work on the event loop",
  "event loop per request",
  "executor per request",
  "garbage collection",
  "unpooled connections",
  "pool too small",
  "pool larger than the database allows",
  "repeated query",
  "missing index",
  "slow query",
  "thread pool exhausted",
  "one worker gets most requests",
  "delayed acknowledgements",
  "connections not kept alive",
  "more workers than CPUs",
  "more CPU in a function",
  "less CPU in a function",
  "growing memory",
  "slower start",
  "CPU time of a request",
  "waiting, not computing",
] as const;
export type Cause = (typeof causes)[number];

/** A figure that the cause implies, and the measured one, a fifth apart at most. */
export interface Prediction {
  /** e.g. `requests per second`. */
  readonly what: string;
  readonly unit?: Unit | undefined;
  readonly predicted: number;
  readonly observed: number;
}

/** Units of figures. A `share` is between 0 and 1; a figure without a unit is what its name says. */
export const units = [
  "ms",
  "s",
  "bytes",
  "per request",
  "ms per request",
  "bytes per request",
  "share",
] as const;
export type Unit = (typeof units)[number];

export interface EvidenceFigure {
  readonly what: string;
  readonly unit?: Unit | undefined;
  readonly value: number;
  /** Only of a relative change, where 0.1 is 10% more. */
  readonly interval?: Interval | undefined;
}

/** A text, or its pieces where a line of code stands in it: the finding's own, as `app/orders.py:37`. */
export type Phrase = string | readonly PhrasePiece[];
export type PhrasePiece = string | { readonly line: string };

/** A cause with its evidence, and the line or knob to change. All texts may quote the app: escape them where shown. */
export interface Finding {
  readonly cause: Cause;
  /** A `note` explains where the time goes, without anything being wrong. */
  readonly severity: "problem" | "note";
  /** `high` when the prediction is met within a tenth. */
  readonly confidence: "high" | "medium";
  /** Method and route; absent when it applies to all. */
  readonly endpoint?: string;
  readonly place?: Place;
  /** Who does it: `` `quote()` ``, `the server`; absent when it is the endpoint. */
  readonly subject?: string | undefined;
  /** What it does, with numbers: the rest of the sentence, without a full stop. */
  readonly summary: Phrase;
  readonly advice: string;
  readonly figures: readonly EvidenceFigure[];
  readonly prediction: Prediction;
  /** Share of a request's time, or of its bottleneck, that the cause accounts for, 0 to 1; the largest is first. */
  readonly weight: number;
  readonly statementMs?: number | undefined;
  /** A pool that should be larger: the line that makes it, and the size by its keyword's name. */
  readonly pool?: {
    readonly place: Place;
    readonly name: string;
    readonly from: number;
    readonly to: number;
  };
  /** A statement that removes the cause from the database. */
  readonly sql?: string;
}

/** Other lines for one line of a file. Foreign text. */
export interface Edit {
  /** From the top of the repository. */
  readonly path: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly isInDiff?: boolean | undefined;
}

/** A rule's answer before its prediction is checked. */
type Suspicion = Omit<Finding, "confidence" | "severity"> & {
  readonly severity?: Finding["severity"];
};

const tolerance = 0.2;
const close = 0.1;

/** The suspicion as a finding when its prediction was measured, else nothing. */
export function confirm({ severity = "problem", ...suspicion }: Suspicion): Finding | undefined {
  if (!isMet(suspicion.prediction)) return undefined;
  const confidence = missOf(suspicion.prediction) <= close ? "high" : "medium";
  return { ...suspicion, severity, confidence };
}

/** True when what was measured is what the cause implies. */
export function isMet(prediction: Prediction): boolean {
  return missOf(prediction) <= tolerance;
}

/** The text of pieces, with the line of code between backticks. */
export function textOf(phrase: Phrase): string {
  if (typeof phrase === "string") return phrase;
  return phrase.map((piece) => (typeof piece === "string" ? piece : `\`${piece.line}\``)).join("");
}

interface Statement extends Pick<Finding, "subject" | "summary"> {
  readonly endpoint?: string | undefined;
}

export function subjectOf({ subject, endpoint }: Pick<Statement, "subject" | "endpoint">): string {
  return subject ?? (endpoint === undefined ? "a request" : `\`${endpoint.replaceAll("`", "'")}\``);
}

/** The whole sentence, without a full stop. */
export function sentenceOf(statement: Statement): Phrase {
  const subject = subjectOf(statement);
  const [first = "", ...rest] = [statement.summary].flat();
  const start = `${subject.charAt(0).toUpperCase()}${subject.slice(1)} `;
  return typeof first === "string" ? [`${start}${first}`, ...rest] : [start, first, ...rest];
}

/** In the order of the report: a saturated generator first, problems before notes, the weightiest first. */
export function inOrder<T extends Pick<Finding, "cause" | "severity" | "weight">>(all: readonly T[]): T[] {
  const rank = ({ cause, severity }: T) => (cause === "generator bound" ? 0 : severity === "problem" ? 1 : 2);
  const order = (each: T) => causes.indexOf(each.cause);
  return all.toSorted((a, b) => rank(a) - rank(b) || b.weight - a.weight || order(a) - order(b));
}

/** Distance of the prediction from the measured value, relative to that value. */
export function missOf({ predicted, observed }: Prediction): number {
  if (observed <= 0) return Number.POSITIVE_INFINITY;
  return Math.abs(predicted - observed) / observed;
}
