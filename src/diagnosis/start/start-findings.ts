import type { FoundCause } from "../../model/findings/diagnosis.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import type { StackDocument } from "../../model/findings/stack-document.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { figure } from "../../text/numbers.ts";
import { type AddedFindings, isFitting } from "../added-findings.ts";
import { type ArmCpu, armCpu } from "../functions/arm-cpu.ts";
import { at, figureOf, phrase, predictionOf } from "../wording.ts";

/** Least share of what the start takes more for which a line is named. */
const leastShare = 0.1;
const mostLines = 3;
const close = 0.15;

/** A line of the user's, with what libraries do for it, in seconds of CPU. */
interface Line {
  readonly place: Place;
  readonly seconds: number;
}

/** The user's lines that make a worker's start longer, if they add up to `measured`, in CPU seconds. */
export function startFindings(
  documents: Readonly<Record<ArmName, readonly StackDocument[]>>,
  measured: Estimate,
): AddedFindings {
  const arms = { base: cpuOf(documents.base), head: cpuOf(documents.head) };
  const whole = totalOf(arms.head) - totalOf(arms.base);
  const took = `starting a worker took ${figure(whole)} s more CPU time according to the samples`;
  if (!isFitting(whole, measured))
    return {
      findings: [],
      unexplained: [`${took} but ${figure(measured.value)} s more in the measurement, so no line is blamed`],
    };
  const found = dearer(linesOf(arms.base), linesOf(arms.head))
    .filter(({ seconds }) => seconds >= leastShare * whole)
    .slice(0, mostLines);
  if (found.length === 0)
    return { findings: [], unexplained: [`${took}, but no line of the app took a tenth of that`] };
  const prediction = predictionOf("CPU time of the start", whole, measured.value, "s");
  const confidence = Math.abs(whole - measured.value) <= close * measured.value ? "high" : "medium";
  const findings = found.map(({ place, seconds }): FoundCause => {
    const share = Math.min(1, seconds / whole);
    return {
      ...{ cause: "slower start", severity: "problem", confidence, place },
      subject: "starting a worker",
      summary: phrase`takes ${figure(seconds)} s more CPU${at(place)}`,
      advice: "Import or compute it when it is first needed, or once for all workers.",
      figures: [
        figureOf("more CPU time at the line", seconds, "s"),
        figureOf("share of the change", share, "share"),
      ],
      prediction,
      weight: 0, // of a request's time
    };
  });
  return { findings, unexplained: [] };
}

/** All samples as one turn with one request: milliseconds for a start. */
function cpuOf(documents: readonly StackDocument[]): ArmCpu {
  return armCpu(documents, [{ pair: 0, fromMs: 0, toMs: Number.POSITIVE_INFINITY, requests: 1 }]);
}

function totalOf({ turnsMs: [ms = 0] }: ArmCpu): number {
  return ms / 1_000;
}

function linesOf({ owners, texts }: ArmCpu): readonly Line[] {
  return [...owners.values()].flatMap(({ owner, linesMs }) =>
    owner.kind === "own"
      ? [...linesMs].map(([line, ms]) => ({
          place: {
            ...{ file: owner.where, line: Math.max(1, line), function: owner.function },
            code: texts.get(`${owner.where}:${line}`) ?? "",
          },
          seconds: ms / 1_000,
        }))
      : [],
  );
}

/** Lines of the head by what they take more than the base's. Lines move, so they are the same by what is written there. */
function dearer(base: readonly Line[], head: readonly Line[]): readonly Line[] {
  const left = new Map<string, number>();
  for (const { place, seconds } of base) left.set(keyOf(place), (left.get(keyOf(place)) ?? 0) + seconds);
  return head
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ place, seconds }) => {
      const before = Math.min(seconds, left.get(keyOf(place)) ?? 0);
      left.set(keyOf(place), (left.get(keyOf(place)) ?? 0) - before);
      return { place, seconds: seconds - before };
    })
    .toSorted((a, b) => b.seconds - a.seconds);
}

function keyOf({ file, code }: Place): string {
  return `${file} ${code}`;
}
