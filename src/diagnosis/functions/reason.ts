import { type ChangedLines, isChanged } from "../reach/changed-files.ts";
import type { Caller, OwnerCpu } from "./arm-cpu.ts";
import {
  type Calls,
  type ChangedName,
  type ChangedPackage,
  type ChangeFacts,
  callsKey,
  type LoneLines,
  packageKey,
} from "./change-facts.ts";
import type { Difference } from "./differences.ts";
import { threadsOwner } from "./owner.ts";

export interface Spot {
  readonly file: string;
  readonly line: number;
  readonly function: string;
}

/** What of the change made a function dearer or cheaper. */
export type ChangeReason =
  | { readonly kind: "changed"; readonly spot: Spot }
  | { readonly kind: LoneLines["kind"]; readonly spot: Spot; readonly text: string }
  | { readonly kind: "caller"; readonly spot: Spot; readonly calls: Calls | undefined }
  | { readonly kind: "threads"; readonly spot: Spot; readonly isAsync: boolean }
  | { readonly kind: "constant"; readonly spot: Spot; readonly name: string }
  | {
      readonly kind: "package";
      readonly spot: Spot | undefined;
      readonly name: string;
      readonly versions: ChangedPackage;
    }
  | { readonly kind: "unknown"; readonly spot: Spot | undefined };

/** The nearest change that can have made the difference: in the function, what calls it, a constant, a package. */
export function reasonOf(
  difference: Difference,
  facts: ChangeFacts,
  handler: Spot | undefined,
): ChangeReason {
  const { owner, head } = difference;
  if (owner.kind === "own") {
    const hottest = hottestLine(difference);
    const own: Spot = { file: owner.where, line: hottest ?? owner.first, function: owner.function };
    const changed = head && changedSpot(own, { ...owner, linesMs: head.linesMs }, facts);
    if (changed !== undefined) return { kind: "changed", spot: changed };
    const lone = loneIn(owner, head === undefined ? "added" : "removed", facts);
    if (lone !== undefined) return { kind: lone.kind, spot: { ...own, line: lone.line }, text: lone.text };
    return reasonElsewhere(difference, facts, head === undefined ? undefined : own);
  }
  const [turned] = facts.turned;
  if (owner === threadsOwner && turned !== undefined)
    return {
      kind: "threads",
      spot: { file: turned.file, line: turned.line, function: turned.name },
      isAsync: /^\s*async /.test(turned.text),
    };
  const { versions, name } = packageOf([owner.where], facts) ?? {};
  if (versions !== undefined && name !== undefined) return { kind: "package", spot: handler, name, versions };
  const inHandler = handler && changedIn(handler.file, facts).length > 0 ? handler : undefined;
  return { kind: "unknown", spot: inHandler ?? handler };
}

/** True for an owner that the diff touches: its own lines, those that call it, or a name or package that it uses. */
export function isTouched(
  { owner, callers }: Pick<OwnerCpu, "owner" | "callers">,
  facts: Omit<ChangeFacts, "measured" | "texts">,
): boolean {
  if (owner.kind !== "own") return packageOf([owner.where], facts) !== undefined;
  const own: Spot = { file: owner.where, line: owner.first, function: owner.function };
  return (
    changedSpot(own, owner, facts) !== undefined ||
    loneIn(owner, "removed", facts) !== undefined ||
    callers.some((each) => each.distance === 1 && changedCaller(each, facts) !== undefined) ||
    facts.names.some(({ name }) => owner.names.includes(name)) ||
    packageOf(owner.names, facts) !== undefined ||
    constantOfCaller(callers, facts) !== undefined
  );
}

function reasonElsewhere(difference: Difference, facts: ChangeFacts, spot: Spot | undefined): ChangeReason {
  const { owner, head, base } = difference;
  const calls = facts.calls.get(callsKey(owner.where, owner.function));
  const caller = (head ?? base)?.callers.map((each) => changedCaller(each, facts)).find((each) => each);
  const isCalledElse = calls !== undefined && calls.base !== calls.head;
  if (caller !== undefined && isCalledElse) return { kind: "caller", spot: caller, calls };
  const name = facts.names.find((each) => owner.names.includes(each.name));
  if (name !== undefined) return { kind: "constant", name: name.name, spot: spotOfName(name) };
  const found = packageOf(owner.names, facts) ?? packageWithin(difference, facts);
  if (found !== undefined) return { kind: "package", spot, ...found };
  if (caller !== undefined) return { kind: "caller", spot: caller, calls };
  const given = constantOfCaller((head ?? base)?.callers ?? [], facts);
  if (given !== undefined) return { kind: "constant", name: given.name, spot: spotOfName(given) };
  return { kind: "unknown", spot };
}

/** A constant that a function uses which calls the owner itself: it may hand it on. */
function constantOfCaller(
  callers: readonly Caller[],
  { names }: Pick<ChangeFacts, "names">,
): ChangedName | undefined {
  return callers
    .filter(({ distance }) => distance === 1)
    .flatMap(({ frame }) => names.filter(({ name }) => frame.names.includes(name)))[0];
}

function hottestLine({ head, base }: Difference): number | undefined {
  const lines = [...((head ?? base)?.linesMs ?? [])].toSorted(([, a], [, b]) => b - a);
  return lines[0]?.[0];
}

function changedIn(file: string, { changes }: Pick<ChangeFacts, "changes">): readonly ChangedLines[] {
  return changes?.files.find(({ path }) => path === file)?.lines.head ?? [];
}

/** The changed line of a function that takes most; the first one where none was seen. */
function changedSpot(
  own: Spot,
  {
    first,
    last,
    linesMs,
  }: { readonly first: number; readonly last: number; readonly linesMs?: ReadonlyMap<number, number> },
  facts: Pick<ChangeFacts, "changes">,
): Spot | undefined {
  const changed = changedIn(own.file, facts);
  const hot = [...(linesMs ?? [])]
    .filter(([line]) => isChanged(line, changed))
    .toSorted(([, a], [, b]) => b - a)[0];
  if (hot !== undefined) return { ...own, line: hot[0] };
  const inside = changed.find((range) => range.first <= last && range.last >= first);
  return inside && { ...own, line: Math.max(inside.first, first) };
}

/** Lines taken out of a function that the head runs, or put into one that it runs no more. */
function loneIn(
  { where, first, last }: Pick<OwnerCpu["owner"], "where" | "first" | "last">,
  kind: LoneLines["kind"],
  facts: Pick<ChangeFacts, "loneLines">,
): LoneLines | undefined {
  return facts.loneLines.find(
    (each) =>
      each.kind === kind &&
      each.file === where &&
      ((each.before > first && each.before <= last) || (each.before === first && each.text.startsWith("@"))),
  );
}

/** Where the caller's function changed: at the call itself, if that did. */
function changedCaller(
  { frame, line }: Caller,
  facts: Pick<ChangeFacts, "changes" | "loneLines">,
): Spot | undefined {
  const { first, last, file } = frame;
  const spot = { file: file ?? "", line, function: frame.function };
  const changed = changedSpot(spot, { first, last, linesMs: new Map([[line, 1]]) }, facts);
  const removed = loneIn({ where: spot.file, first, last }, "removed", facts);
  return changed ?? (removed && { ...spot, line: removed.line });
}

function spotOfName({ file, line }: ChangedName): Spot {
  return { file, line, function: "" };
}

/** Least share of a function's difference that a package of another version has, which makes it the reason. */
const mostOf = 0.5;

/** A package of another version that took most of the difference, at work for the function; rather that than one it brings. */
function packageWithin(
  { base, head, extraMs, pairsMs }: Difference,
  facts: Pick<ChangeFacts, "packages">,
): ReturnType<typeof packageOf> {
  const wholeMs = extraMs.value * pairsMs.length;
  const names = [base, head].flatMap((each) => [...(each?.packagesMs.keys() ?? [])]);
  const shareOf = (name: string) =>
    ((head?.packagesMs.get(name) ?? 0) - (base?.packagesMs.get(name) ?? 0)) / wholeMs;
  const [most] = [...new Set(names)]
    .map((name) => ({ share: shareOf(name), found: packageOf([name], facts) }))
    .filter(({ share, found }) => share >= mostOf && found !== undefined)
    .toSorted((a, b) => Number(isNewIn(a.found)) - Number(isNewIn(b.found)) || b.share - a.share);
  return most?.found;
}

function isNewIn(found: ReturnType<typeof packageOf>): boolean {
  return found?.versions.base === undefined || found.versions.head === undefined;
}

function packageOf(
  names: readonly string[],
  { packages }: Pick<ChangeFacts, "packages">,
): { readonly name: string; readonly versions: ChangedPackage } | undefined {
  for (const name of names) {
    const versions = packages.get(packageKey(name));
    if (versions !== undefined) return { name, versions };
  }
  return undefined;
}
