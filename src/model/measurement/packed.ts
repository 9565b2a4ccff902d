import type { Histogram } from "../load/histogram.ts";
import { histogramPacker } from "../load/packed-histogram.ts";
import type { ArmRecord, Measurement, OpenPhase, Replicate } from "./measurement.ts";

type Pack = (histogram: Histogram) => Histogram;

/** The measurement with its histograms in little memory. */
export function packed(measurement: Measurement): Measurement {
  const pack = histogramPacker();
  return { ...measurement, replicates: measurement.replicates.map((each) => packedReplicate(each, pack)) };
}

function packedReplicate(replicate: Replicate, pack: Pack): Replicate {
  const { base, head } = replicate.arms;
  return {
    ...replicate,
    arms: { ...(base && { base: packedArm(base, pack) }), ...(head && { head: packedArm(head, pack) }) },
    ...(replicate.open && { open: packedPhase(replicate.open, pack) }),
  };
}

function packedPhase(phase: OpenPhase, pack: Pack): OpenPhase {
  const { base, head } = phase.arms;
  return { ...phase, arms: { base: packedArm(base, pack), head: packedArm(head, pack) } };
}

function packedArm<T extends Pick<ArmRecord, "latency">>(arm: T, pack: Pack): T {
  return { ...arm, latency: pack(arm.latency) };
}
