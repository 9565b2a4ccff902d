import type { Histogram } from "../load/histogram.ts";
import { packedHistogram } from "../load/packed-histogram.ts";
import type { ArmRecord, Measurement, OpenPhase, Replicate } from "./measurement.ts";

/** The measurement with its histograms in little memory. */
export function packed(measurement: Measurement): Measurement {
  return { ...measurement, replicates: withHistograms(measurement.replicates, packedHistogram) };
}

/** The replicates with their histograms as lists: for who reads each of them several times. */
export function unpacked(replicates: readonly Replicate[]): Replicate[] {
  return withHistograms(replicates, ({ buckets, counts }) => ({ buckets, counts }));
}

type Change = (histogram: Histogram) => Histogram;

function withHistograms(replicates: readonly Replicate[], change: Change): Replicate[] {
  return replicates.map((replicate) => {
    const { base, head } = replicate.arms;
    return {
      ...replicate,
      arms: { ...(base && { base: changed(base, change) }), ...(head && { head: changed(head, change) }) },
      ...(replicate.open && { open: changedPhase(replicate.open, change) }),
    };
  });
}

function changedPhase(phase: OpenPhase, change: Change): OpenPhase {
  const { base, head } = phase.arms;
  return { ...phase, arms: { base: changed(base, change), head: changed(head, change) } };
}

function changed<T extends Pick<ArmRecord, "latency">>(arm: T, change: Change): T {
  return { ...arm, latency: change(arm.latency) };
}
