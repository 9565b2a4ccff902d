import type { Histogram } from "../load/histogram.ts";
import type { ArmRecord, Measurement, OpenPhase, Replicate } from "./measurement.ts";

type Pack = (histogram: Histogram) => Histogram;

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

/** Larger numbers do not fit into 16 bits; bucket numbers always do. */
const mostCount = 0xffff;
/** An array of numbers with a buffer of its own takes more than most histograms, so many share one. */
const bufferBytes = 65_536;

/** A function that returns histograms in a quarter of the memory: a large report has tens of thousands at once. */
export function histogramPacker(): (histogram: Histogram) => Histogram {
  let buffer = new ArrayBuffer(0);
  let used = 0;
  const room = (bytes: number): number => {
    if (used + bytes > buffer.byteLength) {
      buffer = new ArrayBuffer(Math.max(bufferBytes, bytes));
      used = 0;
    }
    used += bytes;
    return used - bytes;
  };
  return (histogram) => {
    const { buckets, counts } = histogram;
    for (let index = 0; index < counts.length; index += 1)
      if ((counts[index] ?? 0) > mostCount) return histogram;
    const start = room(2 * (buckets.length + counts.length));
    const packed = {
      buckets: new Int16Array(buffer, start, buckets.length),
      counts: new Uint16Array(buffer, start + 2 * buckets.length, counts.length),
    };
    packed.buckets.set(buckets);
    packed.counts.set(counts);
    return new PackedHistogram(packed);
  };
}

/** A class for `toJSON` alone: a document has lists. */
class PackedHistogram implements Histogram {
  readonly buckets: Int16Array;
  readonly counts: Uint16Array;

  constructor({ buckets, counts }: { readonly buckets: Int16Array; readonly counts: Uint16Array }) {
    this.buckets = buckets;
    this.counts = counts;
  }

  toJSON(): Histogram {
    return { buckets: listOf(this.buckets), counts: listOf(this.counts) };
  }
}

function listOf(numbers: ArrayLike<number>): number[] {
  const list: number[] = [];
  for (let index = 0; index < numbers.length; index += 1) list.push(numbers[index] ?? 0);
  return list;
}
