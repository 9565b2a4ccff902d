import { visibleLine } from "../../text/visible.ts";

/** A piece of a line. `ours` and `strong` are our words; any other text is foreign, and escaped. */
export type Inline =
  | { readonly kind: "ours" | "strong"; readonly text: string }
  /** Set as code. */
  | { readonly kind: "code"; readonly text: string }
  /** A name set as code. Its middle may be left out when there is little room. */
  | { readonly kind: "name"; readonly text: string }
  /** A value, not prose. */
  | { readonly kind: "data"; readonly text: string }
  /** A sentence in which parts between backticks are code. */
  | { readonly kind: "sentence"; readonly text: string }
  /** The words are foreign; the address is a plain one. */
  | { readonly kind: "link"; readonly text: string; readonly url: string };

export type Line = readonly Inline[];

/** Puts pieces together. Strings are our own words; an empty piece adds nothing. */
export function line(...pieces: readonly (string | Inline | Line)[]): Line {
  return pieces.flatMap((piece) => {
    if (typeof piece !== "string") return piece;
    return piece === "" ? [] : [{ kind: "ours" as const, text: piece }];
  });
}

export function strong(text: string): Inline {
  return { kind: "strong", text };
}

export function code(text: string): Inline {
  return { kind: "code", text };
}

export function name(text: string): Inline {
  return { kind: "name", text };
}

export function data(text: string): Inline {
  return { kind: "data", text };
}

/** Empty for an empty sentence. */
export function sentence(text: string): Line {
  return text === "" ? [] : [{ kind: "sentence", text }];
}

export function link(text: string, url: string): Inline {
  return { kind: "link", text, url };
}

/** The line where nothing can be set as code or in bold. */
export function plainText(line: Line): string {
  return line
    .map(({ kind, text }) => (kind === "ours" || kind === "strong" ? text : visibleLine(text)))
    .join("");
}

/** Joins lines, with our own words between. */
export function joined(lines: readonly Line[], separator: string): Line {
  return lines.flatMap((each, index) => (index === 0 ? each : line(separator, each)));
}
