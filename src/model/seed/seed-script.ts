import { type PsqlCommand, type PsqlVariables, readCommand, withVariables } from "./psql-command.ts";
import { ifThere, type SeedGround, sentStatement } from "./seed-statement.ts";
import { type SqlPiece, sqlPieces } from "./sql-pieces.ts";

export interface SeedText {
  readonly path: string;
  readonly text: string;
  /** Number of its first line in the file. */
  readonly line: number;
}

/** A part of a seed file as it is sent: one query, and the rows that it asks for on its way. */
export interface SeedScript {
  readonly text: string;
  /** Rows of each `COPY ... FROM stdin`. */
  readonly rows: readonly string[];
  readonly places: readonly ScriptPlace[];
}

interface ScriptPlace {
  /** Offset in the script. */
  readonly at: number;
  readonly path: string;
  readonly line: number;
}

export interface ScriptState {
  readonly ground: SeedGround;
  readonly variables: PsqlVariables;
  /** Text of a file that another names, or the end of a sentence about it. */
  readonly include: (name: string, from: string) => SeedText | string;
  /** How often something was left out, by its words. */
  readonly left: Map<string, number>;
  /** The database that the file connects to, which ours stands for. */
  connected?: string;
}

/** Files may include themselves. */
const deepest = 20;

/** Throws a `RangeError` that names file and line for what cannot be run. */
export function seedScript(part: SeedText, state: ScriptState): SeedScript {
  const isDump = /^(?:--[^\n]*\n)?-- PostgreSQL database dump\s/.test(part.text);
  const texts: string[] = [];
  const rows: string[] = [];
  const places: ScriptPlace[] = [];
  let length = 0;
  const put = (text: string, path: string, line: number) => {
    if (text === "") return;
    places.push({ at: length, path, line });
    texts.push(text);
    length += text.length;
  };
  const add = ({ text, path, line: first }: SeedText, depth: number): void => {
    let line = first;
    let seen = 0;
    const advance = (to: number) => {
      line += linesIn(text, seen, to);
      seen = to;
    };
    let done = { offset: 0, line };
    for (const piece of sqlPieces(text)) {
      advance(piece.start);
      const replaced = replacement(piece, text.slice(piece.start, piece.end), { path, line });
      if (replaced === undefined) continue;
      put(text.slice(done.offset, piece.start), path, done.line);
      if (typeof replaced === "string") put(replaced, path, line);
      else if (replaced.kind === "include") included(replaced.name, { path, line, depth });
      else if (replaced.kind === "end") return;
      advance(piece.end);
      done = { offset: piece.end, line };
    }
    put(text.slice(done.offset), path, done.line);
  };
  /** What is sent in place of a piece; `undefined`: the piece itself. */
  const replacement = ({ kind }: SqlPiece, text: string, at: Line): PsqlCommand | string | undefined => {
    if (kind === "rows") {
      rows.push(text);
      return "";
    }
    if (kind === "command") return commanded(readCommand(text, state.variables), at);
    const filled = withVariables(text, state.variables);
    const sent = sentStatement(isDump ? ifThere(filled) : filled, state.ground);
    if (sent.left !== undefined) state.left.set(sent.left, (state.left.get(sent.left) ?? 0) + 1);
    return sent.text === text ? undefined : sent.text;
  };
  const commanded = (command: PsqlCommand, at: Line): PsqlCommand | string => {
    if (command.kind === "problem") throw problemAt(at, command.problem);
    if (command.kind === "run") return ";";
    if (command.kind !== "connect") return command.kind === "nothing" ? "" : command;
    if (state.connected !== undefined && state.connected !== command.name)
      throw problemAt(at, "\\connect leads to a second database; dump one of them with pg_dump");
    if (!["postgres", "template1"].includes(command.name)) state.connected = command.name;
    return "";
  };
  const included = (name: string, { depth, ...at }: Line & { readonly depth: number }) => {
    const found = depth < deepest ? state.include(name, at.path) : "includes itself";
    if (typeof found === "string") throw problemAt(at, `${name} ${found}`);
    add(found, depth + 1);
  };
  add(part, 0);
  return { text: texts.join(""), rows, places };
}

type Line = Pick<ScriptPlace, "path" | "line">;

function problemAt({ path, line }: Line, problem: string): RangeError {
  return new RangeError(`${path}, line ${line}: ${problem}`);
}

export function lineOf({ places, text }: SeedScript, offset: number): Line | undefined {
  const place = places.findLast(({ at }) => at <= offset);
  return place && { path: place.path, line: place.line + linesIn(text, place.at, offset) };
}

function linesIn(text: string, from: number, to: number): number {
  const part = text.slice(from, to);
  let count = 0;
  for (let at = part.indexOf("\n"); at >= 0; at = part.indexOf("\n", at + 1)) count += 1;
  return count;
}
