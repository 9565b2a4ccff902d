import type { Turn } from "../../../src/diagnosis/functions/arm-cpu.ts";
import type { ChangeFacts } from "../../../src/diagnosis/functions/change-facts.ts";
import type { StackDocument, StackFrame } from "../../../src/model/findings/stack-document.ts";

export function frame(changes: Partial<StackFrame> = {}): StackFrame {
  return {
    file: "app/price.py",
    package: "",
    function: "quote",
    first: 10,
    last: 19,
    isApp: false,
    names: ["ROUNDS", "Decimal"],
    ...changes,
  };
}

export function foreign(name: string, functionName: string, changes: Partial<StackFrame> = {}): StackFrame {
  return frame({
    file: null,
    package: name,
    function: functionName,
    first: 1,
    last: 2,
    names: [],
    ...changes,
  });
}

/** A stack's frames with their lines, the innermost first, and what it takes in each turn. */
export interface Sampled {
  readonly stack: readonly (readonly [frame: StackFrame, line: number])[];
  readonly microseconds: number;
}

/** Turns of a second with one request each, beginning at 1,000. */
export const turns: readonly Turn[] = Array.from({ length: 8 }, (_, pair) => ({
  pair,
  fromMs: 1_000 * (pair + 1),
  toMs: 1_000 * (pair + 2),
  requests: 1,
}));

/** One process. In each turn the stacks take their time, more or less by a few thousandths, and the loop takes 100 µs. */
export function stacks(sampled: readonly Sampled[], changes: Partial<StackDocument> = {}): StackDocument {
  const frames = [...new Set(sampled.flatMap(({ stack }) => stack.map(([each]) => each)))];
  const texts = frames.flatMap((each, index): [number, number, string][] =>
    each.file === null ? [] : [[index, each.first, `${each.function} begins`]],
  );
  return {
    schemaVersion: 1,
    window: "w",
    frames,
    stacks: sampled.map(({ stack }) => stack.flatMap(([each, line]) => [frames.indexOf(each), line])),
    texts,
    samples: turns.flatMap(({ fromMs }, turn) =>
      sampled.map(({ microseconds }, index): [number, number, number, number] => {
        const taken = Math.round(microseconds * (1 + ((turn * 7 + index) % 5) / 1_000));
        return [fromMs + 10 + index, index, taken, taken + (index === 0 ? 100 : 0)];
      }),
    ),
    unseen: [],
    ...changes,
  };
}

/** The same, when the system lets instructions be counted: so many thousands for each sample, more or less by few. */
export function counted(document: StackDocument, thousands: number): StackDocument {
  return {
    ...document,
    samples: document.samples.map(([when, stack, weight, used], at) => [
      ...([when, stack, weight, used] as const),
      thousands * 1_000 + ((at * 7) % 5),
    ]),
  };
}

export function facts(changes: Partial<ChangeFacts> = {}): ChangeFacts {
  return {
    measured: { baseMs: 2, isCertain: false, extraMs: { value: 0.5, interval: { low: 0.45, high: 0.55 } } },
    endpoint: "/orders",
    changes: undefined,
    names: [],
    turned: [],
    loneLines: [],
    packages: new Map(),
    calls: new Map(),
    texts: new Map(),
    ...changes,
  };
}
