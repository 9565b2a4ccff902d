import { readRawInputs, scanRawInputs } from "../config/command-line.ts";
import { percentage } from "../config/input-values.ts";
import type { RawInputs } from "../config/inputs.ts";
import { InputError } from "../errors/errors.ts";
import { type Announcing, type Posting, parseAnnouncing, parsePosting } from "../forge/posting/inputs.ts";
import { parseTrending, type Trending } from "../history/trends/trending.ts";
import { type Initialisation, parseInit } from "../init/options.ts";
import { defined } from "../lists/defined.ts";
import type { Verb } from "../model/choices.ts";
import { cellSchema } from "../model/plan/cell.ts";
import { nearest } from "../text/nearest.ts";
import { type Explaining, parseExplaining } from "./explain.ts";
import { type Command, commandNames } from "./help.ts";

export interface InputsOfVerb {
  readonly verb: Verb;
  readonly raw: RawInputs;
  /** One sentence for each option that cannot be read; reported with all that is wrong in the values. */
  readonly problems: readonly string[];
}

export interface Checking {
  readonly raw: RawInputs;
  readonly isJson: boolean;
  /** Requests the endpoints again whenever a configuration file changes, until it is cancelled. */
  readonly isWatching: boolean;
}

export interface Repeating extends PrintingJson {
  readonly cell: string;
  /** Slowdown that the report was certain of, as a share. */
  readonly reported?: number;
  readonly raw: RawInputs;
}

export interface Bisecting {
  readonly good: string;
  readonly bad: string;
  /** As in `endpoints`; absent: the one that changed most. */
  readonly endpoint?: string;
  readonly raw: RawInputs;
}

/** Set when standard output gets nothing but JSON. */
interface PrintingJson {
  readonly isJson?: true;
}

/** A parsed command line; no value is checked yet. */
export type Arguments =
  /** Without a command: the overview. */
  | { readonly kind: "help"; readonly of?: Command }
  | { readonly kind: "version" }
  | ({ readonly kind: "run" } & InputsOfVerb & PrintingJson)
  | ({ readonly kind: "again" } & Repeating & InputsOfVerb)
  | ({ readonly kind: "bisect" } & InputsOfVerb & Bisecting)
  | ({ readonly kind: "explain" } & Explaining)
  | ({ readonly kind: "check" } & Checking)
  | ({ readonly kind: "post" } & Posting)
  | ({ readonly kind: "announce" } & Announcing)
  | ({ readonly kind: "init" } & Initialisation)
  | ({ readonly kind: "trends" } & Trending);

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `VERB --name value ...` over variables. Throws an `InputError` for an unknown verb or option. */
export function parseArguments(argv: readonly string[], environment: Environment): Arguments {
  const [verb, ...rest] = argv;
  if (verb === undefined) return { kind: "help" };
  if (verb === "help" || argv.includes("--help") || argv.includes("-h")) {
    const [of] = argv.filter((word) => word !== "help" && !word.startsWith("-"));
    return of === undefined ? { kind: "help" } : { kind: "help", of: commandNamed(of) };
  }
  if (verb === "--version") return { kind: "version" };
  if (verb === "reproduce")
    throw new InputError([
      `reproduce: is a separate program; run \`${["node reproduce/dist/reproduce.js", ...rest].join(" ")}\``,
    ]);
  const command = commandNamed(verb);
  switch (command) {
    case "run": {
      const { texts: _, ...scanned } = scanRun(rest, environment);
      return { kind: "run", verb: "run", ...scanned };
    }
    case "again": {
      const [cell = "", ...options] = rest;
      if (cell.startsWith("-") || !cellSchema.shape.id.safeParse(cell).success)
        throw new InputError([
          `again: must be followed by the id of a cell, as shown in the comment (got ${JSON.stringify(cell)})`,
        ]);
      const { texts, ...scanned } = scanRun(options, environment, ["reported-slowdown"]);
      const text = texts["reported-slowdown"];
      const reported = text === undefined ? undefined : percentage(100).safeParse(text);
      if (reported?.error)
        throw new InputError([
          `--reported-slowdown ${reported.error.issues[0]?.message} (got ${JSON.stringify(text)})`,
        ]);
      return { kind: "again", verb: "run", cell, ...defined({ reported: reported?.data }), ...scanned };
    }
    case "bisect": {
      const names = ["good", "bad", "endpoint"];
      const { raw, problems, texts } = scanRawInputs("run", rest, environment, [], names);
      const { good, bad, endpoint } = texts;
      if (problems.length === 0 && (!good || !bad))
        throw new InputError([
          "bisect: needs `--good` and `--bad`, commits before and after the change, e.g. --good v1.2 --bad main",
        ]);
      const ends = { good: good ?? "", bad: bad ?? "" };
      return { kind: "bisect", verb: "run", ...ends, ...(endpoint && { endpoint }), raw, problems };
    }
    case "explain":
      return { kind: "explain", ...parseExplaining(rest) };
    case "plan":
    case "measure":
    case "report": {
      const { raw, problems } = scanRawInputs(command, rest, environment);
      return { kind: "run", verb: command, raw, problems };
    }
    case "check": {
      const { raw, switches } = readRawInputs("check", rest, environment, ["json", "watch"]);
      return { kind: "check", raw, isJson: switches.has("json"), isWatching: switches.has("watch") };
    }
    case "init":
      return { kind: "init", ...parseInit(rest) };
    case "post":
      return { kind: "post", ...parsePosting(readRawInputs("post", rest, environment).raw) };
    case "announce": {
      const { raw, switches } = readRawInputs("announce", rest, environment, ["withdraw"]);
      return { kind: "announce", ...parseAnnouncing(raw, switches.has("withdraw")) };
    }
    case "trends":
      return { kind: "trends", ...parseTrending(readRawInputs("trends", rest, environment).raw) };
  }
}

function scanRun(options: readonly string[], environment: Environment, own: readonly string[] = []) {
  const { raw, problems, switches, texts } = scanRawInputs("run", options, environment, ["json"], own);
  return { raw, problems, texts, ...(switches.has("json") && { isJson: true as const }) };
}

/** Throws an `InputError` for an unknown one, with the one that was probably meant. */
function commandNamed(name: string): Command {
  const command = commandNames.find((each) => each === name);
  if (command !== undefined) return command;
  const meant = nearest(name, commandNames);
  const hint = meant === undefined ? `choose from ${commandNames.join(", ")}` : `did you mean ${meant}?`;
  throw new InputError([`unknown command ${JSON.stringify(name)}; ${hint}`]);
}
