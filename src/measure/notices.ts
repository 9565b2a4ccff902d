import { remedyIn } from "../diagnosis/remedies.ts";
import { type ArmName, armNames } from "../model/measurement/measurement.ts";
import type { Redirect } from "../model/measurement/redirects.ts";
import { sharedThings } from "../model/measurement/shared-things.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { AppServer } from "../ports/app.ts";
import { count } from "../text/numbers.ts";
import type { Trouble } from "../text/telling-line.ts";

type Running = ReadonlyMap<ArmName, { readonly app: AppServer }>;

interface Found extends Trouble {
  readonly arm: ArmName;
}

/** What a cell's loads showed of each arm's log, until its document is written. */
const troubles = new WeakMap<Cell, readonly Found[]>();
const shared = new WeakMap<Cell, ReadonlySet<string>>();
/** Counts of a server's log at the end of an earlier load: it may serve several cells. */
const counted = new WeakMap<AppServer, ReadonlyMap<string, number>>();

/** Notes the most frequent exception in the log of each server since its load before. */
export function noteTroubles(cell: Cell, running: Running): void {
  for (const [arm, { app }] of running) {
    const all = app.troubles?.() ?? [];
    const before = counted.get(app);
    counted.set(app, new Map(all.map(({ text, times }) => [text, times])));
    const since = all.map(({ text, times }) => ({ arm, text, times: times - (before?.get(text) ?? 0) }));
    const [first] = since.filter(({ times }) => times > 0).toSorted((a, b) => b.times - a.times);
    const known = troubles.get(cell)?.find((each) => each.arm === arm);
    if (first !== undefined && first.times > (known?.times ?? 0))
      troubles.set(cell, [...(troubles.get(cell) ?? []).filter((each) => each.arm !== arm), first]);
  }
}

export function troublesOf(cell: Cell): readonly string[] {
  const found = troubles.get(cell) ?? [];
  return found.map(({ arm, text, times }) => {
    const remedy = remedyIn(text);
    const whose = arm === "base" || found.length > 1 ? `the ${arm}'s` : "the app's";
    const often = times === 1 ? "once" : `${count(times)} times`;
    return `${whose} log has "${text}" ${often}${remedy && `: ${remedy}`}`.slice(0, 1_000);
  });
}

/** Notes what both of two arms hold, or only one of them got. */
export function noteShared(cell: Cell, running: Running): void {
  const [base, head] = armNames.map((arm) => running.get(arm)?.app.holdings?.());
  if (base === undefined || head === undefined) return;
  shared.set(cell, new Set([...(shared.get(cell) ?? []), ...sharedThings(base, head)]));
}

export function sharedOf(cell: Cell): readonly string[] {
  return [...(shared.get(cell) ?? [])];
}

/** Redirects that the requests before the load met, until the cell's document is written. */
const redirects = new WeakMap<Cell, readonly Redirect[]>();

export function noteRedirects(cell: Cell, found: readonly Redirect[]): void {
  if (found.length > 0) redirects.set(cell, found.slice(0, 20));
}

/** `undefined`: none. */
export function redirectsOf(cell: Cell): Redirect[] | undefined {
  const found = redirects.get(cell);
  return found && [...found];
}
