import type { StackDocument } from "../../model/findings/stack-document.ts";
import type { Slice } from "../../model/load/load-records.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { sum } from "../../statistics/estimate.ts";
import { loopOwner, type Owned, type Owner, ownerKey, ownerOf, type StackStep } from "./owner.ts";

export interface OwnerCpu {
  readonly owner: Owner;
  /** Milliseconds per request, in each turn. */
  readonly turnsMs: readonly number[];
  /** Milliseconds over all turns, by the owner's own line. */
  readonly linesMs: ReadonlyMap<number, number>;
  /** Milliseconds over all turns in which a package was at work for it; several may be at once. */
  readonly packagesMs: ReadonlyMap<string, number>;
  /** The user's lines on the way to it, the nearest first, and of those the one by which it takes most. */
  readonly callers: readonly Caller[];
}

export interface Caller extends StackStep {
  /** 1: it calls the owner itself. */
  readonly distance: number;
  /** Milliseconds over all turns. */
  readonly ms: number;
}

export interface ArmCpu {
  readonly owners: ReadonlyMap<string, OwnerCpu>;
  /** Milliseconds per request, in each turn. */
  readonly turnsMs: readonly number[];
  /** Instructions per request, in each turn; `undefined` unless all processes count them. */
  readonly turnsInstructions: readonly number[] | undefined;
  /** Source texts by `file:line`. */
  readonly texts: ReadonlyMap<string, string>;
  readonly handler: StackStep | undefined;
}

interface Collected {
  readonly owner: Owner;
  readonly turns: number[];
  readonly lines: Map<number, number>;
  readonly packages: Map<string, number>;
  readonly callers: Map<string, Caller>;
}

export function armCpu(documents: readonly StackDocument[], turns: readonly Turn[]): ArmCpu {
  const owners = new Map<string, Collected>();
  const totals = turns.map(() => 0);
  const handlers = new Map<string, Caller>();
  const collect = ({ owner, steps, packages = [], handler }: Owned, turn: number, microseconds: number) => {
    const ms = microseconds / 1_000 / (turns[turn]?.requests ?? 1);
    const key = ownerKey(owner);
    const known = owners.get(key) ?? emptyFor(owner, turns.length);
    owners.set(key, known);
    known.turns[turn] = (known.turns[turn] ?? 0) + ms;
    totals[turn] = (totals[turn] ?? 0) + ms;
    const [own, ...callers] = steps;
    if (own !== undefined) known.lines.set(own.line, (known.lines.get(own.line) ?? 0) + ms);
    for (const name of packages) known.packages.set(name, (known.packages.get(name) ?? 0) + ms);
    for (const [at, step] of callers.entries()) addCaller(known.callers, `${step.line}`, step, at + 1, ms);
    if (handler !== undefined) addCaller(handlers, handler.frame.function, handler, 0, ms);
  };
  for (const document of documents) {
    const owned = document.stacks.map((_, stack) => ownerOf(document, stack));
    for (const [turn, samples] of samplesByTurn(document, turns).entries())
      spread(samples, owned, (each, microseconds) => collect(each, turn, microseconds));
  }
  return {
    owners: new Map([...owners].map(([key, each]) => [key, finished(each)])),
    turnsMs: totals,
    turnsInstructions: instructionsOf(documents, turns),
    texts: textsOf(documents),
    handler: byWeight(handlers)[0],
  };
}

function instructionsOf(
  documents: readonly StackDocument[],
  turns: readonly Turn[],
): readonly number[] | undefined {
  const ofDocuments = documents.map((document) => samplesByTurn(document, turns));
  const isCounted = ([, , , used, count]: Sample) => used === 0 || count !== undefined;
  if (!ofDocuments.flat(2).every(isCounted)) return undefined;
  return turns.map(({ requests }, turn) => {
    const counts = ofDocuments.flatMap((each) => each[turn] ?? []).map(([, , , , count = 0]) => count);
    return sum(counts) / requests;
  });
}

type Sample = StackDocument["samples"][number];

export function samplesByTurn({ samples }: StackDocument, turns: readonly Turn[]): readonly Sample[][] {
  const byTurn: Sample[][] = turns.map(() => []);
  for (const sample of samples) {
    const [when] = sample;
    const turn = turns.findLastIndex(({ fromMs }) => fromMs <= when);
    const { toMs = 0 } = turns[turn] ?? {};
    if (when < toMs) byTurn[turn]?.push(sample);
  }
  return byTurn;
}

/** No more than the process has used. CPU time without a sample belongs to the loop and the server. */
function spread(
  samples: readonly Sample[],
  owned: readonly Owned[],
  collect: (owned: Owned, microseconds: number) => void,
): void {
  const { used, sampled, scale } = scaleOf(samples);
  for (const [, stack, weight] of samples) {
    const of = owned[stack];
    if (of !== undefined && weight > 0) collect(of, weight * scale);
  }
  if (used > sampled) collect({ owner: loopOwner, steps: [] }, used - sampled);
}

/** A sample stands for the time since the one before, more of which the process may have waited than it seems. */
export function scaleOf(samples: readonly Sample[]) {
  const used = samples.reduce((sum, sample) => sum + sample[3], 0);
  const sampled = samples.reduce((sum, sample) => sum + sample[2], 0);
  return { used, sampled, scale: sampled > used && sampled > 0 ? used / sampled : 1 };
}

function emptyFor(owner: Owner, turns: number): Collected {
  return {
    owner,
    turns: Array<number>(turns).fill(0),
    lines: new Map(),
    packages: new Map(),
    callers: new Map(),
  };
}

function addCaller(
  callers: Map<string, Caller>,
  part: string,
  step: StackStep,
  distance: number,
  ms: number,
): void {
  const key = `${step.frame.file}:${part}`;
  const known = callers.get(key);
  callers.set(key, {
    ...step,
    distance: Math.min(distance, known?.distance ?? distance),
    ms: ms + (known?.ms ?? 0),
  });
}

function byWeight(callers: ReadonlyMap<string, Caller>): readonly Caller[] {
  return [...callers.values()].toSorted((a, b) => a.distance - b.distance || b.ms - a.ms);
}

function finished({ owner, turns, lines, packages, callers }: Collected): OwnerCpu {
  return { owner, turnsMs: turns, linesMs: lines, packagesMs: packages, callers: byWeight(callers) };
}

function textsOf(documents: readonly StackDocument[]): ReadonlyMap<string, string> {
  return new Map(
    documents.flatMap(({ frames, texts }) =>
      texts.map(([frame, line, text]) => [`${frames[frame]?.file}:${line}`, text] as const),
    ),
  );
}

/** One slice of one arm, until its next one: the last requests of a slice are answered after its end. */
export interface Turn {
  readonly pair: number;
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly requests: number;
}

interface TurnOptions {
  /** When the load began, in milliseconds since 1970. */
  readonly startedMs: number;
  readonly sliceMs: number;
  /** Pairs at the beginning that do not count: the servers were fresh. */
  readonly warmupPairs: number;
  readonly endMs: number;
}

/** Turns of both arms in the pairs in which both answered something, in order; both lists are equally long. */
export function turnsOf(
  slices: readonly Slice[],
  { startedMs, sliceMs, warmupPairs, endMs }: TurnOptions,
): Readonly<Record<ArmName, readonly Turn[]>> {
  const last = Math.floor(Math.round(endMs) / (2 * sliceMs));
  const ofArm = (arm: ArmName): Turn[] => {
    const mine = slices.filter((slice) => slice.arm === arm).toSorted((a, b) => a.index - b.index);
    return mine.map(({ index, requests }, at) => ({
      pair: index >> 1,
      fromMs: startedMs + index * sliceMs,
      toMs: startedMs + (mine[at + 1]?.index ?? index + 2) * sliceMs,
      requests,
    }));
  };
  const [base, head] = armNames.map((arm) =>
    ofArm(arm).filter(({ pair, requests }) => requests > 0 && pair >= warmupPairs && pair < last),
  );
  const has = (turns: readonly Turn[] = [], pair: number) => turns.some((turn) => turn.pair === pair);
  return {
    base: (base ?? []).filter(({ pair }) => has(head, pair)),
    head: (head ?? []).filter(({ pair }) => has(base, pair)),
  };
}
