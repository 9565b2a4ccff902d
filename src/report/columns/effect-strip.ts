import type { Row } from "../../compare/comparison.ts";
import { judgedEffect } from "../../compare/standing.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { percent } from "../../text/percent.ts";
import type { FigureColumn } from "./column.ts";

/** Characters on each side of no change. */
const side = 7;

/** Possible ends of the strip, as shares. The smallest that holds every value is taken. */
const ends = [0.05, 0.1, 0.2, 0.5, 1] as const;

/**
 * Draws the effects with characters: the value as a dot on its interval, slower on the left and faster on the right of
 * no change. All rows have one scale, so that they can be compared at a glance; `undefined` when there is no effect.
 */
export function effectStripColumn(rows: readonly Row[]): FigureColumn | undefined {
  const known = rows.flatMap((row) => judgedEffect(row) ?? []);
  if (known.length === 0) return undefined;
  const largest = Math.max(...known.map(({ value }) => Math.abs(value)));
  const end = ends.find((each) => each >= largest) ?? 1;
  return {
    // The only place to break is before the bracket, so that the mark stands above those of the rows.
    title: `slower\u00a0┆\u00a0faster (±\u00a0${percent(end).replace(" ", "\u00a0")})`,
    text: (row) => {
      const effect = judgedEffect(row);
      return effect === undefined ? "" : effectStrip(effect, end);
    },
    dispensability: 9,
    isDrawing: true,
  };
}

/**
 * Draws one effect. An interval that leaves out no change never touches its mark, however near it comes.
 *
 * @param end of the strip, as a share
 */
export function effectStrip({ value, interval }: Estimate, end: number): string {
  const { low, high } = interval ?? { low: value, high: value };
  const place = (share: number) => {
    const rounded = Math.round((share / end) * side) + side;
    if (low > 0) return Math.max(side + 1, rounded);
    return high < 0 ? Math.min(side - 1, rounded) : rounded;
  };
  const [first, at, last] = [low, value, high].map(place);
  const shown = Math.max(0, Math.min(2 * side, at ?? side));
  return Array.from({ length: 2 * side + 1 }, (_, index) => {
    if (index === shown) return "●";
    if (index === 0 && (first ?? 0) < 0) return "◂";
    if (index === 2 * side && (last ?? 0) > 2 * side) return "▸";
    if (index >= (first ?? 0) && index <= (last ?? 0)) return "━";
    return index === side ? "┆" : "·";
  }).join("");
}
