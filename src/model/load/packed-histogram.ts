import type { Histogram } from "./histogram.ts";

/** Larger numbers are not kept in a character. */
const mostInCharacter = 0xffff;

/**
 * The histogram in a quarter of the memory: a large report has tens of thousands of them at once. Its lists are made
 * anew each time that they are read. The same histogram where a count is too large for that.
 */
export function packedHistogram(histogram: Histogram): Histogram {
  const { buckets, counts } = histogram;
  for (let index = 0; index < counts.length; index += 1)
    if ((counts[index] ?? 0) > mostInCharacter) return histogram;
  // The lower 16 bits of each number.
  return new PackedHistogram(String.fromCharCode(...buckets, ...counts));
}

/** Characters, because an array of 16-bit numbers is four objects, which take more than most histograms. */
class PackedHistogram implements Histogram {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get buckets(): number[] {
    const text = this.#text;
    const end = text.length / 2;
    const numbers: number[] = [];
    // Ten thousand at most, so the highest of 16 bits is the sign.
    for (let index = 0; index < end; index += 1) numbers.push((text.charCodeAt(index) << 16) >> 16);
    return numbers.slice(); // without the room that it grew into
  }

  get counts(): number[] {
    const text = this.#text;
    const numbers: number[] = [];
    for (let index = text.length / 2; index < text.length; index += 1) numbers.push(text.charCodeAt(index));
    return numbers.slice();
  }

  toJSON(): Histogram {
    return { buckets: this.buckets, counts: this.counts };
  }
}
