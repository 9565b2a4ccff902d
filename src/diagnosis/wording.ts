import type { Place } from "../model/findings/probe-document.ts";
import { shortenEnd } from "../text/length.ts";

/** A time as people read it: `0.4 ms`, `480 ms`, `2.1 s`. */
export function milliseconds(value: number): string {
  if (value >= 1_000) return `${(value / 1_000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

const longestCode = 80;

/** `` at `app/orders.py:37` (`time.sleep(0.48)`)``, or nothing where the line is not known. Foreign text. */
export function at(place: Place | null | undefined): string {
  if (place === null || place === undefined) return "";
  const where = ` at ${quoted(`${place.file}:${place.line}`)}`;
  return place.code === "" ? where : `${where} (${quoted(shortenEnd(place.code, longestCode))})`;
}

/** Text between backticks, which the report shows as code; its own backticks become quotes. */
function quoted(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** The place as a part of a finding. */
export function placeOf(place: Place | null | undefined): { readonly place?: Place } {
  return place === null || place === undefined ? {} : { place };
}
