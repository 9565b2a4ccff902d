import type { CountedArm, CountedStart, Instructions } from "../model/measurement/instructions.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import { type Design, usualCostEffect } from "../model/plan/plan.ts";
import { type Estimate, mean, median, sum, variance as varianceOf } from "../statistics/estimate.ts";
import { aroundLog, halfWidthOfSample, sampleOf } from "../statistics/student.ts";
import { cellAlarmRate } from "./alarm-shares.ts";

export interface InstructionChange {
  /** `more`, `less`: certainly, and as estimated by as much as matters. */
  readonly kind: "more" | "less" | "none";
  /** Its interval has a level of its own, shared by the cells of the report. */
  readonly effect: Estimate;
  /** The same for this cell alone: what a wrong "equal" misses is no false alarm. */
  readonly effectAlone: Estimate;
  readonly arms: Readonly<Record<ArmName, number>>;
  /** Instructions of a request that a library runs in addition, or no longer; empty without a change. */
  readonly libraries: readonly LibraryChange[];
}

interface LibraryChange {
  readonly name: string;
  readonly extraInstructions: number;
}

const mostLibraries = 3;
/** Share of the change from which a library is named. */
const leastOfChange = 0.2;

/** Standard deviation between two starts of identical code, on the logarithmic scale, and how well it is known. */
const spread = 0.001_5;
const priorDegrees = 8;
/** Where the background takes more than this share, what is left says nothing. */
const mostBackground = 0.5;
/** Share of the background by which its part in the requests is wrong, at the least: it comes in lumps. */
const backgroundError = 0.12;
/** From this ratio on the arms' idle servers do different things. */
const otherBackground = 2;
/** Standard error of a median of normal values, in standard errors of their mean. */
const medianError = 1.25;
/** Standard deviation of normal values in median absolute deviations. */
const deviationsInMedian = 1.48;

/** The change, or why it is not known. */
export function instructionChange(
  instructions: Instructions,
  design: Pick<Design, "falseAlarmRate" | "cells" | "minCostChange">,
): InstructionChange | string {
  if (!("starts" in instructions)) return instructions.unseen;
  const counted = instructions.starts.map((start) => {
    const idle = idleOf(start);
    return { base: netOf(start.base, idle.base, start), head: netOf(start.head, idle.head, start) };
  });
  if (counted.some(({ base, head }) => !isClear(base) || !isClear(head)))
    return "the app's background work drowns out the requests' own instructions";
  const compared = counted.map(({ base, head }) => batchesCompared(base, head));
  const prior = { variance: spread ** 2, degrees: priorDegrees };
  const sample = sampleOf(
    compared.map(({ effect }) => effect),
    prior,
  );
  const variance = sample.variance + mean(compared.map(({ error }) => error ** 2));
  const effectAt = (level: number) =>
    aroundLog(sample.mean, halfWidthOfSample({ ...sample, variance }, 1 - level));
  const effect = effectAt(cellAlarmRate("instructions", design));
  const middleOf = (arm: ArmName) => mean(counted.map(({ [arm]: { nets } }) => median(nets)));
  const arms = { base: middleOf("base"), head: middleOf("head") };
  const kind = kindOf(effect, design.minCostChange ?? usualCostEffect);
  const whole = kind === "none" ? undefined : Math.abs(arms.head - arms.base);
  return {
    kind,
    effect,
    effectAlone: effectAt(design.falseAlarmRate),
    arms,
    libraries: whole === undefined ? [] : librariesOf(instructions.starts, whole),
  };
}

/** The libraries that make up the change in each start, the largest part first. */
function librariesOf(starts: readonly CountedStart[], whole: number): readonly LibraryChange[] {
  const all = starts.flatMap(({ base, head }) => [...(base.libraries ?? []), ...(head.libraries ?? [])]);
  return [...new Set(all.map(({ name }) => name))]
    .flatMap((name) => {
      const extras = starts.map(
        ({ requests, base, head }) => (shareOf(name, head) - shareOf(name, base)) / requests,
      );
      const least = Math.max(Math.min(...extras), -Math.max(...extras));
      return least < leastOfChange * whole ? [] : { name, extraInstructions: Math.round(mean(extras)) };
    })
    .toSorted((a, b) => Math.abs(b.extraInstructions) - Math.abs(a.extraInstructions))
    .slice(0, mostLibraries);
}

/** Instructions of a batch in a library. */
function shareOf(library: string, { libraries = [], batches }: CountedArm): number {
  return (libraries.find(({ name }) => name === library)?.count ?? 0) / batches.length;
}

interface Net {
  /** Instructions of a request in each batch, without the background. */
  readonly nets: readonly number[];
  /** Share of them that may be wrong because the background is not known better. */
  readonly error: number;
  /** Share of the background in what was counted. */
  readonly background: number;
}

/**
 * ln(head / base), with its standard error. Batch by batch: what fills up with the requests, and makes later batches cheaper,
 * does so in both arms.
 */
function batchesCompared(base: Net, head: Net): { readonly effect: number; readonly error: number } {
  const effects = head.nets.map((net, index) => Math.log(net / (base.nets[index] ?? 0)));
  const effect = median(effects);
  const deviation = deviationsInMedian * median(effects.map((each) => Math.abs(each - effect)));
  return {
    effect,
    error: Math.hypot((medianError * deviation) / Math.sqrt(effects.length), base.error, head.error),
  };
}

/** Instructions per second without requests, and the share of them that is in doubt. */
interface Idle {
  readonly perSecond: number;
  readonly error: number;
}

/** From the readings of both arms together, so that an error is in both alike, unless they do different things. */
function idleOf({ base, head }: CountedStart): Readonly<Record<ArmName, Idle>> {
  const of = (readings: readonly number[]): Idle => {
    const perSecond = mean(readings);
    const error = Math.sqrt(varianceOf(readings) / readings.length);
    return { perSecond, error: Math.max(backgroundError, perSecond === 0 ? 0 : error / perSecond) };
  };
  const own = { base: of(base.idlePerSecond), head: of(head.idlePerSecond) };
  const arms = [own.base.perSecond, own.head.perSecond];
  if (Math.max(...arms) > otherBackground * Math.min(...arms)) return own;
  const both = of([...base.idlePerSecond, ...head.idlePerSecond]);
  return { base: both, head: both };
}

function netOf(
  { batches, seconds }: CountedArm,
  { perSecond, error }: Idle,
  { requests }: CountedStart,
): Net {
  const nets = batches.map((count, index) => (count - perSecond * (seconds[index] ?? 0)) / requests);
  const background = (perSecond * sum(seconds)) / sum(batches);
  return { nets, error: (error * background) / (1 - background), background };
}

function isClear({ nets, background }: Net): boolean {
  return nets.every((each) => each > 0) && background <= mostBackground;
}

function kindOf({ value, interval }: Estimate, smallest: number): InstructionChange["kind"] {
  if (interval === undefined || Math.abs(Math.log1p(value)) < Math.log1p(smallest)) return "none";
  if (interval.low > 0) return "more";
  return interval.high < 0 ? "less" : "none";
}
