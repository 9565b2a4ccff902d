/** What `trends` was asked for. */
export interface Trending {
  /** A folder that holds `cells/`, or a ref of the repository around the working folder. */
  readonly history: string;
  /** Where the page is written. */
  readonly resultsFolder: string;
  /** As the input `python`. */
  readonly python: string;
}

export const trendingHelp: readonly string[] = [
  "  trends    draw a kept history as a page, with its change points",
  "            --history FOLDER|REF [--results-folder FOLDER] [--python PYTHON]",
];

const options = ["history", "results-folder", "python"] as const;

/** Reads what follows `trends`; a sentence when it cannot be read. The command line wins over the action's variables. */
export function parseTrending(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Trending | string {
  const written = new Map<string, string>();
  const rest = words[Symbol.iterator]();
  for (const word of rest) {
    const [, name, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = options.find((each) => each === name);
    if (option === undefined)
      return `"${word}" is not an option of trends; known are ${options.map((each) => `--${each}`).join(", ")}`;
    const value = attached ?? rest.next().value;
    if (value === undefined) return `--${option} needs a value`;
    written.set(option, value);
  }
  // As of an input, an empty value is none: a script may pass on a variable that is not set.
  const given = (option: (typeof options)[number]) =>
    written.get(option) || environment[`INPUT_${option.toUpperCase().replaceAll("-", "_")}`] || "";
  const history = given("history");
  const right = "must be a folder or a ref, e.g. origin/loadtest-history";
  if (history === "") return `history: ${right}`;
  // Git would take such a name for an option.
  if (history.startsWith("-")) return `history: ${right} (got ${JSON.stringify(history)})`;
  return {
    history,
    resultsFolder: given("results-folder") || "loadtest-results",
    python: given("python") || "auto",
  };
}
