import { countingSeconds, secondsForAge, secondsForReplicates } from "../model/plan/minutes.ts";
import type { Design } from "../model/plan/plan.ts";
import { count, plural } from "../text/numbers.ts";
import { percent } from "../text/percent.ts";
import { missRateOfEqualWork } from "./no-sign.ts";
import { makeJudge } from "./sequential-judge.ts";

/** Standard deviation between replicates of identical code on a quiet machine, on the logarithmic scale. */
const usualSpread = 0.013;
/** Degrees of freedom that blocks add to those of the replicates. */
const priorDegrees = 8;
/** Smallest effects that a warning may name. */
const otherEffects = [0.05, 0.1, 0.2, 0.3, 0.5] as const;

/** Replicates until a cell of identical code is called unchanged, if the machine is quiet. */
export function expectedReplicates(design: Design): number {
  const sample = { count: 2, mean: 0, variance: usualSpread ** 2, degrees: 1 + priorDegrees, priorDegrees };
  const missRate = design.countedEndpoints ? missRateOfEqualWork : design.falseAlarmRate;
  const settled = makeJudge(design, missRate).settledAfter(sample);
  return settled ?? Math.max(...design.looks);
}

/** Seconds that so many cells of identical code probably take on one quiet machine, with the soak test and counting. */
export function expectedSeconds(design: Design, cells: number): number {
  const measuring = cells * secondsForReplicates(expectedReplicates(design));
  const afterwards = Math.max(
    secondsForAge(design),
    countingSeconds(Math.min(cells, design.countedEndpoints ?? 0)),
  ); // at the same time
  return Math.min(design.maxMinutes * 60, measuring + afterwards);
}

/** Whole minutes that leave so many seconds in addition to those reserved for the soak test. */
function minutesFor(seconds: number, design: Design): number {
  let minutes = Math.ceil(seconds / 60);
  while (minutes * 60 - secondsForAge({ ...design, maxMinutes: minutes }) < seconds) minutes += 1;
  return minutes;
}

/** A warning where the `cells` that share a quiet machine's minutes cannot reach the wanted precision. */
export function precisionWarning(design: Design, cells: number): string | undefined {
  const { maxMinutes, minChange } = design;
  const seconds = maxMinutes * 60 - secondsForAge(design);
  const fits = (replicates: number) => cells * secondsForReplicates(replicates) <= seconds;
  const needed = expectedReplicates(design);
  if (fits(needed)) return undefined;
  const possible = design.looks.findLast(fits) ?? 2;
  const minutes = minutesFor(cells * secondsForReplicates(needed), design);
  const coarser = otherEffects.find(
    (effect) => effect > minChange && fits(expectedReplicates({ ...design, minChange: effect })),
  );
  const ways = [
    `set max-minutes to ${minutes}`,
    ...(coarser === undefined ? [] : [`set min-change to ${percent(coarser)}`]),
    "or measure fewer endpoints or worker counts",
  ];
  const each = cells === 1 ? "the only cell" : `each of the ${count(cells)} cells`;
  return `max-minutes: ${maxMinutes} leaves time for about ${plural(possible, "replicate")} of ${each}, and detecting a change of ${percent(minChange)} takes about ${needed}, even on a quiet machine; ${ways.join(", ")}`;
}
