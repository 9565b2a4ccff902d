import type { StackDocument, StackFrame } from "../../model/findings/stack-document.ts";
import { shortenEnd } from "../../text/length.ts";
import { visibleLine } from "../../text/visible.ts";

const longestFrame = 120;
/** More of them would be thinner than a line on a screen. */
const mostStacks = 5_000;

/**
 * One line for each stack, its outermost function first, and the microseconds of CPU time that it took: the form that
 * `flamegraph.pl`, `difffolded.pl` and speedscope read. The longest are kept.
 */
export function foldedStacks(documents: readonly StackDocument[]): string {
  const taken = new Map<string, number>();
  for (const { frames, stacks, samples } of documents) {
    const names = frames.map(frameName);
    const lines = stacks.map((stack) =>
      stack
        .flatMap((each, at) => (at % 2 === 0 ? (names[each] ?? []) : []))
        .toReversed()
        .join(";"),
    );
    for (const [, stack, weight] of samples) {
      const line = lines[stack];
      if (line !== undefined && line !== "" && weight > 0) taken.set(line, (taken.get(line) ?? 0) + weight);
    }
  }
  return [...taken]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostStacks)
    .map(([line, microseconds]) => `${line} ${Math.round(microseconds)}\n`)
    .join("");
}

/** `price.py:quote`, `pydantic:dump`: without what separates frames and their count. */
export function frameName({ file, package: from, function: name }: StackFrame): string {
  const whole = visibleLine(`${file ?? from}:${name}`).replaceAll(/[;\s]/g, "_");
  return shortenEnd(whole, longestFrame);
}
