import { InputError, readCommandLine } from "../src/engine.ts";
import { type Size, sizes } from "./scenario/scenario.ts";

/** The request to `reproduce`, before any name is checked. */
export interface Reproduction {
  /** Names of scenarios, `all`, or ids of claims. */
  readonly names: readonly string[];
  readonly size: Size;
  readonly resultsDirectory: string;
  /** Folder for pages; absent: the results folder. */
  readonly pagesFolder: string | undefined;
}

export type ReproduceArguments = { readonly kind: "help" } | ({ readonly kind: "reproduce" } & Reproduction);

const usage = {
  verb: "reproduce",
  options: [{ name: "size" }, { name: "results-directory" }, { name: "pages" }],
  takesWords: true,
} as const;

/** The text of `--help`. */
export const helpText = `reproduce: runs published reports again and checks their claims (docs/reproducing.md)

Usage: node reproduce/dist/reproduce.js NAME... | all | CLAIM... [--size quick | full] [--results-directory FOLDER] [--pages FOLDER]

Exit status: 0 fine, 1 a claim came out otherwise than expected, 2 bad input, 3 a case failed, 4 our fault.
`;

/** Reads the words of the command line. Throws an `InputError`. */
export function parseArguments(argv: readonly string[]): ReproduceArguments {
  if (argv.length === 0 || argv.includes("--help") || argv.includes("-h")) return { kind: "help" };
  const { words: names, values } = readCommandLine(usage, argv);
  const given = (name: (typeof usage.options)[number]["name"]) => values.get(name)?.at(-1);
  const asked = given("size");
  const size = sizes.find((each) => each === (asked ?? "quick"));
  if (size === undefined)
    throw new InputError([`--size: must be one of ${sizes.join(", ")} (got ${JSON.stringify(asked)})`]);
  const resultsDirectory = given("results-directory") ?? "loadtest-results/reproduce";
  return { kind: "reproduce", names, size, resultsDirectory, pagesFolder: given("pages") };
}
