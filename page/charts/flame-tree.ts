import type { PageDiagnosis } from "../../src/report/page/page-diagnosis.ts";

type Flame = NonNullable<PageDiagnosis["flame"]>;

/** A function with all that it calls, as the library draws it: as wide as its value. */
export interface FlameData {
  readonly name: string;
  value: number;
  readonly headMs: number;
  /** Absent with one arm. */
  readonly baseMs: number | undefined;
  readonly children: FlameData[];
}

/** Widths by the head's time, or by the longer of both, so that a function that is gone can be seen. */
export type FlameView = "head" | "difference";

/** The tree for a view; frames that have no width in it are left out. */
export function treeOf({ names, nodes }: Flame, view: FlameView): FlameData | undefined {
  const path: FlameData[] = [];
  for (const [depth, name, headMs, baseMs] of nodes) {
    const made: FlameData = {
      ...{ name: names[name] ?? "", value: 0, headMs, baseMs: baseMs ?? undefined, children: [] },
    };
    path.length = depth;
    path.at(-1)?.children.push(made);
    path.push(made);
  }
  const [root] = path;
  if (root !== undefined) giveWidth(root, view);
  return root === undefined || root.value <= 0 ? undefined : root;
}

/** A function is as wide as its own time and all that it calls, which must fit above it. */
function giveWidth(node: FlameData, view: FlameView): void {
  for (const each of node.children) giveWidth(each, view);
  const own = (of: (each: FlameData) => number) =>
    Math.max(0, of(node) - node.children.reduce((sum, each) => sum + of(each), 0));
  const ownHead = own(({ headMs }) => headMs);
  const ownBase = own(({ baseMs = 0 }) => baseMs);
  const shown = node.children.filter(({ value }) => value > 0);
  node.children.splice(0, node.children.length, ...shown);
  node.value =
    (view === "head" ? ownHead : Math.max(ownHead, ownBase)) +
    shown.reduce((sum, { value }) => sum + value, 0);
}

/** The extra time of a function, head against base, in milliseconds. */
export function extraMs({ headMs, baseMs }: FlameData): number {
  return baseMs === undefined ? 0 : headMs - baseMs;
}
