import type { Redirect } from "../model/measurement/redirects.ts";
import type { Cell } from "../model/plan/cell.ts";

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
