import type { Slice } from "../../model/load/load-records.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";

/** One slice of one arm, until its next one: the last requests of a slice are answered after its end. */
export interface Turn {
  readonly pair: number;
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly requests: number;
}

export interface TurnOptions {
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
