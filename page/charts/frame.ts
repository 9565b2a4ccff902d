import { plot } from "@observablehq/plot";

type Options = NonNullable<Parameters<typeof plot>[0]>;

/** The page's colours. They change with the browser's light and dark, and in print. */
export const colours = {
  base: "var(--base-line)",
  head: "var(--bar)",
  text: "var(--text)",
  soft: "var(--soft)",
  line: "var(--line)",
  band: "var(--band)",
  bad: "var(--bad)",
  good: "var(--good)",
} as const;

/** Largest width at which a chart is still easy to read, in pixels. */
const widest = 1_000;

/** A chart with its description for readers who cannot see it. */
export function chart(words: string, width: number, options: Options): Element {
  const drawn = plot({
    // This keeps its style constant, and the page's policy allows just that one.
    className: "plot",
    width: Math.max(280, Math.min(widest, width)),
    height: 260,
    marginLeft: 56,
    marginRight: 24,
    marginTop: 28,
    marginBottom: 40,
    style: { background: "transparent", color: "var(--text)", fontSize: "12px" },
    ariaLabel: words,
    ...options,
  });
  // The chart counts as one picture: the library's names of its parts (`rule`, `x-axis tick`) tell a listener nothing.
  drawn.setAttribute("role", "img");
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  return drawn;
}

export const armNames = ["base", "head"] as const;
