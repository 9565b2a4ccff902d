/** A part of a load, as k6 cuts it: `1/4:1/2` is the second quarter. */
export interface Segment {
  readonly start: Fraction;
  readonly end: Fraction;
}

/** Numerator and denominator: whole numbers, so that neighbours meet exactly. */
export type Fraction = readonly [number, number];

export const segmentPattern = /^\d{1,6}(\/[1-9]\d{0,5})?:\d{1,6}(\/[1-9]\d{0,5})?$/;

/** The segment of one of `count` equal generators, which are numbered from 1, in k6's words. */
export function segmentOf(number: number, count: number): string {
  return `${edge(number - 1, count)}:${edge(number, count)}`;
}

/** k6's `--execution-segment-sequence` for so many equal generators: all of them must be given the same. */
export function sequenceOf(count: number): string {
  return Array.from({ length: count + 1 }, (_, index) => edge(index, count)).join(",");
}

function edge(index: number, count: number): string {
  if (index === 0 || index === count) return index === 0 ? "0" : "1";
  const divisor = greatestDivisor(index, count);
  return `${index / divisor}/${count / divisor}`;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Reads a text that fits `segmentPattern`. */
export function parseSegment(text: string): Segment {
  const [start = "0", end = "1"] = text.split(":");
  return { start: parseFraction(start), end: parseFraction(end) };
}

function parseFraction(text: string): Fraction {
  const [above = 0, below = 1] = text.split("/").map(Number);
  return [above, below];
}

/** Below 0 when `a` is the smaller one. */
export function compareFractions([a, b]: Fraction, [c, d]: Fraction): number {
  return a * d - c * b;
}

export function compareSegments(a: string, b: string): number {
  const [first, second] = [parseSegment(a), parseSegment(b)];
  return compareFractions(first.start, second.start) || compareFractions(first.end, second.end);
}

/** What keeps these segments from being one whole load, each part of it once. One clause each. */
export function problemsOfSegments(segments: readonly string[]): string[] {
  const problems: string[] = [];
  let covered: Fraction = [0, 1];
  let last = "";
  for (const text of segments.toSorted(compareSegments)) {
    const { start, end } = parseSegment(text);
    const step = compareFractions(start, covered);
    if (text === last) problems.push(`two generators have the segment ${text}`);
    else if (step < 0) problems.push(`the segments ${last} and ${text} overlap`);
    else if (step > 0) problems.push(missing(covered, start));
    if (compareFractions(end, covered) > 0) covered = end;
    last = text;
  }
  if (compareFractions(covered, [1, 1]) < 0) problems.push(missing(covered, [1, 1]));
  return [...new Set(problems)];
}

function missing(from: Fraction, to: Fraction): string {
  return `no records came for the segment ${words(from)}:${words(to)}`;
}

function words([above, below]: Fraction): string {
  return below === 1 || above === 0 ? `${above}` : `${above}/${below}`;
}
