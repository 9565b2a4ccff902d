import { inputs } from "../config/inputs.ts";
import type { RawInputs } from "../config/raw-inputs.ts";
import { type Announcing, announcingHelp, parseAnnouncing } from "../github/posting/announcing.ts";
import { type Posting, parsePosting, postingHelp } from "../github/posting/posting.ts";
import { parseTrending, type Trending, trendingHelp } from "../history/trends/trending.ts";
import { type Initialisation, initHelp, parseInit } from "../init/initialisation.ts";
import { type Verb, verbs } from "../model/choices.ts";

/** What the command line asks for, before any value is looked at. */
export type Arguments =
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "run"; readonly verb: Verb; readonly raw: RawInputs }
  | ({ readonly kind: "post" } & Posting)
  | ({ readonly kind: "announce" } & Announcing)
  | ({ readonly kind: "init" } & Initialisation)
  | ({ readonly kind: "trends" } & Trending)
  | { readonly kind: "wrong"; readonly problem: string };

/**
 * Reads `VERB --name value ...` over inputs that came as variables (`INPUT_APP_FOLDER` for `app-folder`, as the
 * action passes them). The command line wins. Values are not checked here.
 */
export function parseArguments(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Arguments {
  const [verb, ...rest] = argv;
  if (verb === undefined || verb === "help" || argv.includes("--help") || argv.includes("-h"))
    return { kind: "help" };
  if (verb === "--version") return { kind: "version" };
  if (verb === "reproduce")
    return wrong(
      `reproduce: is a program of its own; run \`${["node dist/reproduce.js", ...rest].join(" ")}\``,
    );
  if (verb === "post") {
    const posting = parsePosting(rest, environment);
    return typeof posting === "string" ? wrong(posting) : { kind: "post", ...posting };
  }
  if (verb === "announce") {
    const announcing = parseAnnouncing(rest, environment);
    return typeof announcing === "string" ? wrong(announcing) : { kind: "announce", ...announcing };
  }
  if (verb === "init") {
    const wanted = parseInit(rest);
    return typeof wanted === "string" ? wrong(wanted) : { kind: "init", ...wanted };
  }
  if (verb === "trends") {
    const trending = parseTrending(rest, environment);
    return typeof trending === "string" ? wrong(trending) : { kind: "trends", ...trending };
  }
  const known = verbs.find((each) => each === verb);
  if (known === undefined)
    return wrong(`unknown command "${verb}"; known are ${verbs.join(", ")}, announce, init, post, trends`);
  const raw: Record<string, string | undefined> = {};
  for (const { name } of inputs) raw[name] = environment[variableOf(name)];
  const configs: string[] = [];
  const words = rest[Symbol.iterator]();
  for (const word of words) {
    const [, name, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) return wrong(`"${word}" is not an option; options are --name value`);
    const value = attached ?? words.next().value;
    if (value === undefined) return wrong(`--${name} needs a value`);
    if (name === "config") configs.push(value);
    else raw[fullName(name)] = value;
  }
  if (configs.length > 0) raw["config"] = configs.join("\n"); // as the input has several
  return { kind: "run", verb: known, raw };
}

function wrong(problem: string): Arguments {
  return { kind: "wrong", problem };
}

function fullName(name: string): string {
  return inputs.find(({ alias }) => alias === name)?.name ?? name;
}

/** Variable in which the action passes an input. */
export function variableOf(name: string): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

const summaries: Readonly<Record<Verb, string>> = {
  run: "plan, measure and report on this machine",
  plan: "list the cells and the time they will take",
  measure: "measure the cells; one document each in the results folder",
  report: "make the table, the page and the comment from the results folder",
};

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
    ...announcingHelp,
    ...postingHelp,
    ...trendingHelp,
    "",
    "Options (the same names as the action's inputs; default in brackets; --config may be given several times):",
    ...options,
    "",
    "Exit status: 0 fine, 1 a threshold or regression, 2 bad input, 3 app, database or k6 could not run, 4 our fault.",
    "",
  ].join("\n");
}
