import { shortenEnd } from "./length.ts";
import { visibleLine } from "./visible.ts";
import { toAscii } from "./width.ts";

/** Most characters of a text; more would leave no room for the drawing. */
const longestText = 40;

/** Larger numbers would be written with an exponent, which Mermaid does not read. */
const largest = 1e15;

/** Mermaid's strings know no escape: characters that could end one or start markup are left out. */
export function mermaidText(text: string): string {
  const harmless = toAscii(visibleLine(text)).replaceAll(/[^\w ./@=,+:()-]/g, "_");
  return `"${shortenEnd(harmless, longestText, "..") || "-"}"`; // an empty string is a syntax error
}

/** With the significant digits, and never an exponent. */
export function mermaidNumber(value: number): string {
  const decimals = [100, 10, 1].findIndex((border) => value >= border);
  return String(Number(Math.min(value, largest).toFixed(decimals < 0 ? 3 : decimals)));
}
