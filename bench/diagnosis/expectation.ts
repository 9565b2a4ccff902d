import { readFileSync } from "node:fs";
import { join } from "node:path";

import { type Cause, causes, type Finding } from "../../src/engine.ts";

/**
 * The finding that must come first. It is a cause and its line, which a comment in the app's source marks; or a cause
 * and the line of an app that stays as it was published, found by its text; or a cause without a line.
 */
export type Expectation =
  | { readonly kind: "marker"; readonly file: string }
  | {
      readonly kind: "code";
      readonly cause: Cause;
      readonly file: string;
      readonly code: string;
      /** The line is the first one behind this text. */
      readonly after?: string;
    }
  | { readonly kind: "cause"; readonly cause: Cause };

export interface Wanted {
  readonly cause: Cause;
  /** `file:line` */
  readonly place?: string;
}

export type Outcome = "hit" | "miss" | "false";

/** Reads the sources, so that the expectation follows an app that changes. */
export function wantedOf(expected: Expectation, folder: string): Wanted {
  if (expected.kind === "cause") return { cause: expected.cause };
  const lines = readFileSync(join(folder, expected.file), "utf8").split("\n");
  return expected.kind === "marker" ? markedIn(lines, expected.file) : codeIn(lines, expected);
}

function markedIn(lines: readonly string[], file: string): Wanted {
  const marked = lines.flatMap((line, index) => {
    const text = /# finding: (.+)$/.exec(line)?.[1];
    return text === undefined ? [] : [{ text, line: index + 1 }];
  });
  const [one, ...more] = marked;
  const cause = causes.find((each) => each === one?.text);
  if (one === undefined || cause === undefined || more.length > 0)
    throw new Error(`${file} must name one cause`);
  return { cause, place: `${file}:${one.line}` };
}

function codeIn(lines: readonly string[], wanted: Extract<Expectation, { kind: "code" }>): Wanted {
  const { cause, file, code, after } = wanted;
  const start = after === undefined ? 0 : lines.findIndex((line) => line.includes(after));
  const found = lines.findIndex((line, index) => index >= start && line.includes(code));
  if (start < 0 || found < 0) throw new Error(`${file} has no line with ${code}`);
  return { cause, place: `${file}:${found + 1}` };
}

/** A wrong cause or a wrong line is a miss. A finding in a healthy app is false. */
export function outcomeOf(wanted: Wanted | undefined, findings: readonly Finding[]): Outcome {
  const [first] = findings;
  if (wanted === undefined) return first === undefined ? "hit" : "false";
  const isRight =
    first?.cause === wanted.cause && (wanted.place === undefined || placeOf(first) === wanted.place);
  return isRight ? "hit" : "miss";
}

/** `file:line`; `undefined` for a finding without a place. */
export function placeOf({ place }: Finding): string | undefined {
  return place === undefined ? undefined : `${place.file}:${place.line}`;
}
