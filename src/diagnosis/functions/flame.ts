import { type Flame, mostNodes } from "../../model/findings/diagnosis.ts";
import type { StackDocument, StackFrame } from "../../model/findings/stack-document.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { sum } from "../../statistics/estimate.ts";
import { shortenEnd } from "../../text/length.ts";
import { visibleLine } from "../../text/visible.ts";
import { samplesByTurn, scaleOf, type Turn } from "./arm-cpu.ts";

interface SampledArm {
  readonly documents: readonly StackDocument[];
  readonly turns: readonly Turn[];
}

interface Node {
  readonly name: string;
  readonly ms: Record<ArmName, number>;
  readonly called: Map<string, Node>;
}

const whole = "request";
const besides = "(event loop and server)";
/** Share of the whole below which nothing can be seen on a screen. */
const leastShare = 0.002;
const deepest = 300;

/** The tree of functions of a head, and what each took in the base; `undefined` where nothing was seen. */
export function flameOf(head: SampledArm, base?: SampledArm): Flame | undefined {
  const root = nodeOf(whole);
  addArm(root, "head", head);
  if (base !== undefined) addArm(root, "base", base);
  const most = mostOf(root);
  if (!(most > 0)) return undefined;
  let nodes = within(root, leastShare * most);
  for (let share = 2 * leastShare; nodes.length > mostNodes; share *= 2) nodes = within(root, share * most);
  const names = [...new Set(nodes.map(({ node }) => node.name))];
  const numbers = new Map(names.map((name, index) => [name, index]));
  return {
    names,
    nodes: nodes.map(({ node: { name, ms }, depth }) => [
      ...([depth, numbers.get(name) ?? 0, short(ms.head)] as const),
      base === undefined ? null : short(ms.base),
    ]),
  };
}

function addArm(root: Node, arm: ArmName, { documents, turns }: SampledArm): void {
  const requests = sum(turns.map((turn) => turn.requests));
  for (const document of documents) {
    const paths = document.stacks.map((_, stack) => pathOf(document, stack));
    for (const samples of samplesByTurn(document, turns)) {
      const { scale } = scaleOf(samples);
      for (const [, stack, microseconds] of samples) {
        const path = paths[stack];
        if (path !== undefined && microseconds > 0)
          add(root, arm, path, (scale * microseconds) / 1_000 / requests);
      }
    }
  }
}

function add(root: Node, arm: ArmName, path: readonly string[], ms: number): void {
  let node = root;
  node.ms[arm] += ms;
  for (const name of path) {
    const next = node.called.get(name) ?? nodeOf(name);
    node.called.set(name, next);
    next.ms[arm] += ms;
    node = next;
  }
}

/** Names from the outermost function on, without the server around the app. */
function pathOf({ frames, stacks }: StackDocument, stack: number): readonly string[] {
  const inside = (stacks[stack] ?? []).flatMap((each, at) => (at % 2 === 0 ? (frames[each] ?? []) : []));
  const app = inside.findLastIndex(({ isApp }) => isApp);
  const outermost = app >= 0 ? app : inside.findLastIndex(({ file }) => file !== null);
  if (outermost < 0) return [besides];
  return inside
    .slice(0, outermost + 1)
    .map(frameName)
    .toReversed()
    .slice(0, deepest);
}

function within(node: Node, leastMs: number, depth = 0): readonly { node: Node; depth: number }[] {
  const called = [...node.called.values()].filter((each) => mostOf(each) >= leastMs);
  return [
    { node, depth },
    ...called.toSorted((a, b) => mostOf(b) - mostOf(a)).flatMap((each) => within(each, leastMs, depth + 1)),
  ];
}

function nodeOf(name: string): Node {
  return { name, ms: { base: 0, head: 0 }, called: new Map() };
}

function mostOf({ ms }: Node): number {
  return Math.max(...armNames.map((arm) => ms[arm]));
}

function short(ms: number): number {
  return Math.round(ms * 10_000) / 10_000;
}

const longestFrame = 120;
/** More of them would be thinner than a line on a screen. */
const mostStacks = 5_000;

/** A line for each stack with its CPU µs, as `flamegraph.pl` and speedscope read it; the longest are kept. */
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
function frameName({ file, package: from, function: name }: StackFrame): string {
  const whole = visibleLine(`${file ?? from}:${name}`).replaceAll(/[;\s]/g, "_");
  return shortenEnd(whole, longestFrame);
}
