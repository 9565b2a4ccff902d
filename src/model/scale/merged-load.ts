import { groupBy } from "../../lists/group.ts";
import { sum } from "../../statistics/estimate.ts";
import { figure } from "../../text/numbers.ts";
import { mergeSlices, type Slice } from "../load/load-records.ts";
import type { GeneratorIdentity, GeneratorRecords } from "./generator-records.ts";
import { compareSegments, problemsOfSegments } from "./segments.ts";

/** Part of a slice by which the clocks of generators may differ: beyond it they would load both arms at once. */
export const clockShare = 0.1;

/** What all records of one load must agree with. */
export interface ExpectedLoad {
  readonly cell: string;
  readonly plan: string;
  readonly run: string;
  readonly count: number;
  readonly sliceMs: number;
}

export interface MergedLoad {
  readonly slices: readonly Slice[];
  readonly generators: readonly GeneratorRecords[];
  readonly requests: number;
  readonly droppedIterations: number;
  readonly durationSeconds: number;
  /** Largest difference between two of their clocks, and between two beginnings. */
  readonly clocksApartMs: number;
  readonly beginningsApartMs: number;
}

/** Or what keeps the records from being one load: one clause each, in which a generator is named by its segment. */
export type Merging = { readonly load: MergedLoad } | { readonly problems: readonly string[] };

/** Adds up a cell's generators. A load with a missing, double or different part is refused. */
export function mergeGenerators(records: readonly GeneratorRecords[], expected: ExpectedLoad): Merging {
  const generators = once(records).toSorted((a, b) =>
    compareSegments(a.identity.segment, b.identity.segment),
  );
  const problems = [
    ...problemsOfSegments(generators.map(({ identity }) => identity.segment)),
    ...differences(generators.map(({ identity }) => identity)),
    ...strangers(generators, expected),
    ...(generators.length > expected.count
      ? [`${generators.length} generators left records; the plan has ${expected.count}`]
      : []),
    ...generators.flatMap((each) => problemsOf(each, expected.sliceMs)),
    ...clockProblems(generators, expected.sliceMs),
    ...armProblems(generators),
  ];
  return problems.length > 0 ? { problems } : { load: merged(generators) };
}

/** A document that came twice is one; two processes are two, even if they claim the same segment. */
function once(records: readonly GeneratorRecords[]): GeneratorRecords[] {
  const sameProcess = groupBy(records, ({ identity }) => identity.process);
  return [...sameProcess.values()].flatMap((each) =>
    each.length === 1 ? each : [...new Map(each.map((one) => [JSON.stringify(one), one])).values()],
  );
}

function merged(generators: readonly GeneratorRecords[]): MergedLoad {
  return {
    slices: mergeSlices(generators.map(({ slices }) => slices)),
    generators,
    requests: sum(generators.map(({ end }) => end?.requests ?? 0)),
    droppedIterations: sum(generators.map(({ end }) => end?.droppedIterations ?? 0)),
    durationSeconds: Math.max(...generators.map(({ end }) => end?.durationSeconds ?? 0)),
    clocksApartMs: range(generators.map(({ identity }) => identity.clock?.offsetMs ?? 0)),
    beginningsApartMs: range(generators.map(({ identity }) => identity.begunMs)),
  };
}

function range(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

const alike = [
  ["run", "runs"],
  ["plan", "plans"],
  ["script", "scripts"],
  ["version", "versions"],
  ["sequence", "sequences of segments"],
  ["startMs", "instants of the start"],
] as const;

function differences(identities: readonly GeneratorIdentity[]): string[] {
  return alike.flatMap(([field, plural]) => {
    const groups = groupBy(identities, (identity) => identity[field]);
    if (groups.size < 2) return [];
    const who = [...groups].map(
      ([value, those]) => `${value} (${those.map(({ segment }) => segment).join(", ")})`,
    );
    return [`the records are of ${groups.size} ${plural}: ${who.join(", ")}`];
  });
}

function strangers(generators: readonly GeneratorRecords[], { cell, plan, run }: ExpectedLoad): string[] {
  return generators.flatMap(({ identity }) => [
    ...(identity.cell === cell
      ? []
      : [`generator ${identity.segment} measured another cell: ${identity.cell}`]),
    ...(identity.plan === plan
      ? []
      : [`generator ${identity.segment} had the plan ${identity.plan}, the report has ${plan}`]),
    ...(identity.run === run
      ? []
      : [`generator ${identity.segment} is of the run ${identity.run}, the report of ${run}`]),
  ]);
}

function problemsOf({ identity, end, slices }: GeneratorRecords, sliceMs: number): string[] {
  const name = `generator ${identity.segment}`;
  const late = latenessOf(identity, sliceMs).map((words) => `${name} ${words}`);
  if (end === undefined) return [...late, `${name} left no end: it was stopped, or its log is cut short`];
  const counted = sum(slices.flatMap(({ statuses }) => Object.values(statuses)));
  if (counted === end.requests) return late;
  return [...late, `the records of ${name} hold ${counted} requests, but k6 counted ${end.requests}`];
}

/** One that was ready in time may still be held up at the start. */
function latenessOf({ startMs, readyMs, begunMs }: GeneratorRecords["identity"], sliceMs: number): string[] {
  if (readyMs > startMs) return [`was ready ${figure((readyMs - startMs) / 1_000)} s after the start`];
  const heldUpMs = begunMs - startMs;
  return heldUpMs > clockShare * sliceMs ? [`began ${figure(heldUpMs / 1_000)} s late`] : [];
}

/** A lone generator has no other whose clock could differ. */
function clockProblems(generators: readonly GeneratorRecords[], sliceMs: number): string[] {
  if (generators.length < 2) return [];
  const unknown = generators.filter(({ identity }) => identity.clock === null);
  if (unknown.length > 0)
    return unknown.map(
      ({ identity }) => `the clock of generator ${identity.segment} is not known: no response had a Date`,
    );
  const apartMs = range(generators.map(({ identity }) => identity.clock?.offsetMs ?? 0));
  const mostMs = clockShare * sliceMs;
  return apartMs <= mostMs
    ? []
    : [`the generators' clocks differ by ${figure(apartMs)} ms; at most ${figure(mostMs)} ms are allowed`];
}

/** Which arm a slice is for follows from the script's seed, which all have in common. */
function armProblems(generators: readonly GeneratorRecords[]): string[] {
  const bySlice = groupBy(
    generators.flatMap(({ slices }) => slices),
    ({ index }) => index,
  );
  return [...bySlice].flatMap(([index, slices]) =>
    slices.every(({ arm }) => arm === slices[0]?.arm) ? [] : [`slice ${index} has two arms`],
  );
}
