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

const usage = "trends takes --history FOLDER|REF, --results-folder FOLDER and --python PYTHON";
const fallbacks: Readonly<Record<string, string>> = {
  history: "",
  "results-folder": "loadtest-results",
  python: "auto",
};

/** Reads what follows `trends`; a sentence when it cannot be read. The command line wins over the action's variables. */
export function parseTrending(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Trending | string {
  const given = new Map<string, string>();
  for (const [name, fallback] of Object.entries(fallbacks))
    given.set(name, environment[`INPUT_${name.toUpperCase().replaceAll("-", "_")}`] || fallback);
  const rest = words[Symbol.iterator]();
  for (const word of rest) {
    const [, name = "", attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const value = attached ?? rest.next().value;
    if (!given.has(name) || value === undefined) return usage;
    given.set(name, value);
  }
  const [history = "", resultsFolder = "", python = ""] = given.values();
  // Git would take such a name for an option.
  if (history === "" || history.startsWith("-"))
    return "history: must be a folder or a ref, e.g. origin/loadtest-history";
  return { history, resultsFolder, python };
}
