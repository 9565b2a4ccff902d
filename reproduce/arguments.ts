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

export type Arguments =
  | { readonly kind: "help" }
  | ({ readonly kind: "reproduce" } & Reproduction)
  | { readonly kind: "wrong"; readonly problem: string };

const options = ["size", "results-folder", "pages"] as const;

/** The text of `--help`. */
export const helpText = `reproduce: runs published reports again and checks their claims (docs/reproducing.md)

Usage: node dist/reproduce.js NAME... | all | CLAIM... [--size quick | full] [--results-folder FOLDER] [--pages FOLDER]

Exit status: 0 fine, 1 a claim came out otherwise than expected, 2 bad input, 3 a case failed, 4 our fault.
`;

/** Reads the words of the command line. */
export function parseArguments(argv: readonly string[]): Arguments {
  if (argv.length === 0 || argv.includes("--help") || argv.includes("-h")) return { kind: "help" };
  const names: string[] = [];
  const given: Partial<Record<(typeof options)[number], string>> = {};
  const rest = argv[Symbol.iterator]();
  for (const word of rest) {
    const [, written, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (written === undefined) {
      names.push(word);
      continue;
    }
    const option = options.find((each) => each === written);
    if (option === undefined)
      return wrong(
        `--${written} is not an option of reproduce; known are ${options.map((each) => `--${each}`).join(", ")}`,
      );
    const value = attached ?? rest.next().value;
    if (value === undefined) return wrong(`--${written} needs a value`);
    given[option] = value;
  }
  const size = sizes.find((each) => each === (given.size ?? "quick"));
  if (size === undefined)
    return wrong(`--size: must be one of ${sizes.join(", ")} (got ${JSON.stringify(given.size)})`);
  const resultsFolder = given["results-folder"] ?? "loadtest-results/reproduce";
  return { kind: "reproduce", names, size, resultsFolder, pagesFolder: given.pages };
}

function wrong(problem: string): Arguments {
  return { kind: "wrong", problem };
}
