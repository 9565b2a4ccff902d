import { defined } from "../../lists/defined.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import type { MemoryDocument } from "../../model/findings/stack-document.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import { type Estimate, sum } from "../../statistics/estimate.ts";
import { count } from "../../text/numbers.ts";
import { type AddedFindings, isFitting } from "../added-findings.ts";
import { figureOf, lineOf, phrase, plain, predictionOf } from "../wording.ts";

/** What one arm's processes keep of some requests. */
export interface ArmMemory {
  readonly documents: readonly MemoryDocument[];
  readonly requests: number;
}

interface GrowthFacts {
  /** Absent when all endpoints got requests by turns. */
  readonly endpoint: string | undefined;
  /** Growth of the head's memory beyond the base's, in bytes per request. */
  readonly measured: Estimate;
}

/** Least share of the growth for which a line is named. */
const leastShare = 0.1;
const mostLines = 3;
const close = 0.15;

interface Kept {
  readonly place: Place;
  /** Bytes per request that the head keeps more. */
  readonly extra: number;
  readonly base: number;
}

/** The lines that allocate what the head keeps more, if that is what its memory was seen to grow by. */
export function memoryFindings(
  arms: Readonly<Record<ArmName, ArmMemory>>,
  { endpoint, measured }: GrowthFacts,
): AddedFindings {
  const whole = keptPerRequest(arms.head) - keptPerRequest(arms.base);
  const sizes = `Python keeps ${count(whole)} more bytes per request than in the base`;
  if (!isFitting(whole, measured)) {
    const grew = `memory grew by ${count(measured.value)} more bytes per request`;
    return { findings: [], unexplained: [`${sizes}, but ${grew}, so no line is blamed`] };
  }
  const lines = linesOf(arms)
    .filter(({ extra }) => extra >= leastShare * whole)
    .slice(0, mostLines);
  if (lines.length === 0)
    return { findings: [], unexplained: [`${sizes}, but no line of the app allocates a tenth of that`] };
  const prediction = predictionOf("memory that stays", whole, measured.value, "bytes per request");
  const isClose = Math.abs(whole - measured.value) <= close * measured.value;
  const findings = lines.map(({ place, extra, base }): FoundCause => {
    const share = Math.min(1, extra / whole);
    return {
      cause: "growing memory",
      severity: "problem",
      confidence: isClose ? "high" : "medium",
      ...defined({ endpoint }),
      place,
      subject: subjectOf(place),
      summary: phrase`keeps ${count(extra)} ${base > 0 ? "more " : ""}bytes per request in memory at ${lineOf(place)}`,
      advice: "Limit what is kept, or release it when the request ends.",
      figures: [
        figureOf("kept in the base", base, "bytes per request"),
        figureOf("kept in the head", base + extra, "bytes per request"),
        figureOf("share of the change", share, "share"),
      ],
      prediction,
      weight: 0, // of a request's time
    };
  });
  return { findings, unexplained: [] };
}

function keptPerRequest({ documents, requests }: ArmMemory): number {
  return sum(documents.map(({ keptBytes }) => keptBytes)) / Math.max(1, requests);
}

/** Lines of the head, the heaviest first. Lines move, functions stay: the base's count by function. */
function linesOf({ base, head }: Readonly<Record<ArmName, ArmMemory>>): readonly Kept[] {
  const ofBase = keptBy(base, functionKey);
  const left = new Map([...ofBase].map(([key, { bytes }]) => [key, bytes]));
  return [...keptBy(head, lineKey).values()]
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ place, bytes }) => {
      const before = Math.min(bytes, left.get(functionKey(place)) ?? 0);
      left.set(functionKey(place), (left.get(functionKey(place)) ?? 0) - before);
      return { place, extra: bytes - before, base: before };
    })
    .toSorted((a, b) => b.extra - a.extra);
}

/** Bytes per request of all processes. */
function keptBy({ documents, requests }: ArmMemory, keyOf: (place: Place) => string) {
  const kept = new Map<string, { readonly place: Place; readonly bytes: number }>();
  for (const { place, bytes } of documents.flatMap(({ lines }) => lines)) {
    const key = keyOf(place);
    const before = kept.get(key)?.bytes ?? 0;
    kept.set(key, { place, bytes: before + bytes / Math.max(1, requests) });
  }
  return kept;
}

function functionKey({ file, function: name }: Place): string {
  return `${file} ${name}`;
}

function lineKey(place: Place): string {
  return `${functionKey(place)} ${place.line}`;
}

function subjectOf({ file, function: name }: Place): string {
  return name === "<module>" ? `code of \`${plain(file)}\`` : `\`${plain(name)}()\``;
}
