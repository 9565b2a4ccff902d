import { defined } from "../lists/defined.ts";
import type { EvidenceFigure, Phrase, PhrasePiece, Prediction, Unit } from "../model/findings/finding.ts";
import type { EndpointReport, Place } from "../model/findings/probe-document.ts";
import { shortenEnd } from "../text/length.ts";

/** A time as people read it: `0.4 ms`, `480 ms`, `2.1 s`. */
export function milliseconds(value: number): string {
  if (value >= 1_000) return `${(value / 1_000).toFixed(1)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** A part of a whole: `100 of 101 ms`. */
export function millisecondsOf(part: number, whole: number): string {
  if (whole >= 1_000) return `${(part / 1_000).toFixed(1)} of ${milliseconds(whole)}`;
  return `${whole < 10 ? part.toFixed(1) : Math.round(part)} of ${milliseconds(whole)}`;
}

/** A sentence in which words of a line of code stay a piece of their own. */
export function phrase(
  texts: TemplateStringsArray,
  ...values: readonly (Phrase | PhrasePiece | number)[]
): Phrase {
  const pieces = texts.flatMap((text, index) => [text, values[index] ?? ""]).flat();
  const joined: PhrasePiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "object") joined.push(piece);
    else if (typeof last === "string") joined.splice(-1, 1, `${last}${piece}`);
    else if (piece !== "") joined.push(`${piece}`);
  }
  return joined.every((piece) => typeof piece === "string") ? joined.join("") : joined;
}

const longestCode = 80;

/** `` at `app/orders.py:37` (`time.sleep(0.48)`)``, or nothing where the line is not known. Foreign text. */
export function at(place: Place | null | undefined): Phrase {
  if (place === null || place === undefined) return "";
  const code = place.code === "" ? "" : ` (\`${plain(shortenEnd(place.code, longestCode))}\`)`;
  return [" at ", lineOf(place), code];
}

export function lineOf({ file, line }: Place): { readonly line: string } {
  return { line: `${plain(file)}:${line}` };
}

/** Text to put between backticks, which the report shows as code; its own backticks become quotes. */
export function plain(text: string): string {
  return text.replaceAll("`", "'");
}

/** The name as people write it: `/orders`, `POST /orders`. */
export function endpointName({ method, route }: Pick<EndpointReport, "method" | "route">): string {
  return method === "GET" ? route : `${method} ${route}`.trim();
}

export function locationOf(endpoint: EndpointReport | undefined, place: Place | null | undefined) {
  return defined({ endpoint: endpoint && endpointName(endpoint), place: place ?? undefined });
}

export function figureOf(what: string, value: number, unit?: Unit): EvidenceFigure {
  return { what, value, ...defined({ unit }) };
}

export function predictionOf(what: string, predicted: number, observed: number, unit?: Unit): Prediction {
  return { what, predicted, observed, ...defined({ unit }) };
}
