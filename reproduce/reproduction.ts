import { type Size, sizes } from "./scenario/scenario.ts";

/** What `reproduce` was asked for, before any name is looked at. */
export interface Reproduction {
  /** Names of scenarios, `all`, or ids of claims. */
  readonly names: readonly string[];
  readonly size: Size;
  readonly resultsFolder: string;
  /** Where pages are written; in the results folder when not given. */
  readonly pagesFolder: string | undefined;
}

const options = ["size", "results-folder", "pages"] as const;

export const reproductionHelp: readonly string[] = [
  "  reproduce run a published report again and check its claims: reproduce NAME... | all | CLAIM...",
  "            [--size quick | full] [--results-folder FOLDER] [--pages FOLDER]",
];

/** Reads what follows `reproduce`; a sentence when it cannot be read. */
export function parseReproduction(words: readonly string[]): Reproduction | string {
  const names: string[] = [];
  const given: Partial<Record<(typeof options)[number], string>> = {};
  const rest = words[Symbol.iterator]();
  for (const word of rest) {
    const [, written, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (written === undefined) {
      names.push(word);
      continue;
    }
    const option = options.find((each) => each === written);
    if (option === undefined)
      return `--${written} is not an option of reproduce; known are ${options.map((each) => `--${each}`).join(", ")}`;
    const value = attached ?? rest.next().value;
    if (value === undefined) return `--${written} needs a value`;
    given[option] = value;
  }
  const size = sizes.find((each) => each === (given.size ?? "quick"));
  if (size === undefined)
    return `--size: must be one of ${sizes.join(", ")} (got ${JSON.stringify(given.size)})`;
  const resultsFolder = given["results-folder"] ?? "loadtest-results/reproduce";
  return { names, size, resultsFolder, pagesFolder: given.pages };
}
