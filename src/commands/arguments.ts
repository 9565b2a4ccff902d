import { inputsOf, readRawInputs, scanRawInputs } from "../config/command-line.ts";
import type { InputVerb } from "../config/inputs/row.ts";
import { inputs, type RawInputs } from "../config/inputs.ts";
import { InputError } from "../errors/errors.ts";
import {
  type Announcing,
  announcingHelp,
  type Posting,
  parseAnnouncing,
  parsePosting,
  postingHelp,
} from "../forge/posting/inputs.ts";
import { parseTrending, type Trending, trendingHelp } from "../history/trends/trending.ts";
import { type Initialisation, initHelp, parseInit } from "../init/options.ts";
import { type Verb, verbs } from "../model/choices.ts";
import { nearest } from "../text/nearest.ts";

/** Inputs of a verb that measures or reports. */
export interface InputsOfVerb {
  readonly verb: Verb;
  readonly raw: RawInputs;
  /** One sentence for each option that cannot be read; told with all that is wrong in the values. */
  readonly problems: readonly string[];
}

/** A parsed command line; no value is checked yet. */
export type Arguments =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | ({ readonly kind: "run" } & InputsOfVerb)
  | ({ readonly kind: "export" } & InputsOfVerb)
  | ({ readonly kind: "post" } & Posting)
  | ({ readonly kind: "announce" } & Announcing)
  | ({ readonly kind: "init" } & Initialisation)
  | ({ readonly kind: "trends" } & Trending);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `VERB --name value ...` together with inputs from variables, as the action passes them. The command line wins.
 * Throws an `InputError` for an unknown verb or option. Verbs that measure or report check options and values later.
 */
export function parseArguments(argv: readonly string[], environment: Environment): Arguments {
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === "help" || argv.includes("--help") || argv.includes("-h"))
    return { kind: "help" };
  if (verb === "--version") return { kind: "version" };
  const known = verbs.find((each) => each === verb);
  if (known !== undefined) {
    const { raw, problems } = scanRawInputs(known, rest, environment);
    return { kind: "run", verb: known, raw, problems };
  }
  switch (verb) {
    case "reproduce":
      throw new InputError([
        `reproduce: is a program of its own; run \`${["node dist/reproduce.js", ...rest].join(" ")}\``,
      ]);
    case "init":
      return { kind: "init", ...parseInit(rest) };
    case "export": {
      const [to, ...options] = rest;
      if (to !== "k6-operator")
        throw new InputError([
          `export: must be told what for: k6-operator (got ${JSON.stringify(to ?? "")})`,
        ]);
      const { raw, problems } = scanRawInputs("run", options, environment);
      return { kind: "export", verb: "run", raw, problems };
    }
    case "post":
      return { kind: "post", ...parsePosting(readRawInputs("post", rest, environment).raw) };
    case "announce": {
      const { raw, switches } = readRawInputs("announce", rest, environment, ["withdraw"]);
      return { kind: "announce", ...parseAnnouncing(raw, switches.has("withdraw")) };
    }
    case "trends":
      return { kind: "trends", ...parseTrending(readRawInputs("trends", rest, environment).raw) };
    default:
      throw new InputError([unknownCommand(verb)]);
  }
}

const others = ["announce", "export", "init", "post", "trends"] as const;

function unknownCommand(verb: string): string {
  const all = [...verbs, ...others];
  const meant = nearest(verb, all);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `unknown command ${JSON.stringify(verb)}${hint || `; known are ${all.join(", ")}`}`;
}

const summaries: Readonly<Record<Verb, string>> = {
  run: "plan, measure and report on this machine",
  plan: "list the cells and the time they will take",
  measure: "measure the cells; one document each in the results folder",
  report: "make the table, the page and the comment from the results folder",
};

function optionsOf(verb: InputVerb): string[] {
  return [
    `            [${inputsOf(verb)
      .map(({ name }) => `--${name}`)
      .join("] [")}]`,
  ];
}

/** The text of `--help`. */
export function helpText(): string {
  const options = inputs.map(({ name, alias, description, fallback }) => {
    const plain = description.replaceAll("`", "");
    return `  --${name}${alias === undefined ? "" : `, --${alias}`}\n      ${plain}${fallback === "" ? "" : ` [${fallback}]`}`;
  });
  return [
    "fastapi-loadtest: load-tests a FastAPI app on real uvicorn, Postgres and k6",
    "",
    "Usage: fastapi-loadtest COMMAND [--option value ...]",
    "",
    "Commands:",
    ...verbs.map((verb) => `  ${verb.padEnd(9)} ${summaries[verb]}`),
    ...initHelp,
    "  export    k6-operator: write manifests of a load by `generators`; options as for run",
    ...announcingHelp,
    ...optionsOf("announce"),
    ...postingHelp,
    ...optionsOf("post"),
    ...trendingHelp,
    ...optionsOf("trends"),
    "",
    "Options (default in brackets; --config may be given several times; docs/configuration.md says which of them are inputs of",
    "the action):",
    ...options,
    "",
    "Exit status: 0 fine, 1 a threshold or regression, 2 bad input, 3 app, database or k6 could not run, 4 our fault.",
    "",
  ].join("\n");
}
