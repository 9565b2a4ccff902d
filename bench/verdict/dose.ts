// Whether the program reads an injected change in its true size: the estimates of runs against what the app counted, over
// all doses. A slope of 1 says so; an intercept other than 0 would be an offset that no dose causes.

import jstat from "jstat";

import { mean, sum } from "../../src/engine.ts";
import { percent } from "./percent.ts";
import type { RecordedRun } from "./recording.ts";

/** One sentence; none with fewer than five runs whose truth the app counted. */
export function doseWords(runs: readonly RecordedRun[]): string | undefined {
  const points = runs.flatMap((run) => {
    const truths = run.replicates.flatMap(({ trueEffect }) => trueEffect ?? []);
    const isJudged = run.aimedEffect !== 0 && !run.hog && !run.busy && run.alike && truths.length > 0;
    return isJudged ? [{ dose: mean(truths), response: Math.log1p(run.effect) }] : [];
  });
  if (points.length < 5) return undefined;
  const doses = mean(points.map(({ dose }) => dose));
  const responses = mean(points.map(({ response }) => response));
  const squares = sum(points.map(({ dose }) => (dose - doses) ** 2));
  const slope = sum(points.map(({ dose, response }) => (dose - doses) * (response - responses))) / squares;
  const intercept = responses - slope * doses;
  const left = sum(points.map(({ dose, response }) => (response - intercept - slope * dose) ** 2));
  const deviation = Math.sqrt(left / (points.length - 2));
  const t = jstat.studentt.inv(0.975, points.length - 2);
  const slopeHalf = (t * deviation) / Math.sqrt(squares);
  const interceptHalf = t * deviation * Math.sqrt(1 / points.length + doses ** 2 / squares);
  const [least, most] = [Math.max, Math.min].map((of) => of(...points.map(({ dose }) => dose)));
  return `Dose and response, ${points.length} runs from ${percent(least ?? 0)} to ${percent(most ?? 0)}: estimate = ${slope.toFixed(2)} ± ${slopeHalf.toFixed(2)} times what the app counted, ${percent(intercept)} ± ${percent(interceptHalf)} without any (95%).`;
}
