import { type Client, DatabaseError } from "pg";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { type SeedPart, seedSteps } from "../../model/workload/seed-files.ts";
import { printable } from "../../text/printable.ts";
import { readPlainFile, startDeadline } from "../process/index.ts";
import { seedWithinMs, serverWords, withSession } from "./session.ts";

interface SeedFile {
  readonly path: string;
  readonly text: string;
  readonly scale: number;
  /** URL of the database to fill. */
  readonly url: string;
}

/** A longer statement does not fit into a string of ours; `COPY` reads larger data from elsewhere. */
const largestBytes = 500_000_000;

export async function readSeedFile(path: string): Promise<string> {
  const read = readPlainFile(path, { largestBytes });
  if (read.kind === "text") return read.text.replace(/^\uFEFF/, ""); // Postgres takes a byte order mark for a name
  const reason = read.kind === "missing" ? "is not there" : read.reason;
  throw new EnvironmentError("seed", `seed file ${path} ${reason}`);
}

/** Runs the steps of a file one after the other, the parts of a step at once. */
export async function runSeedFile(file: SeedFile, signal: AbortSignal): Promise<void> {
  for (const parts of stepsOf(file)) {
    using failed = startDeadline({ signal });
    let first: { readonly error: unknown } | undefined;
    // Each part has its own session, so that no setting of one reaches the next.
    const running = parts.map((part) =>
      withSession(file.url, failed.signal, (client) => runPart(client, part, file), {
        withinMs: seedWithinMs,
      }).catch((error: unknown) => {
        first ??= { error };
        failed.abort(); // the others would work for nothing
      }),
    );
    await Promise.all(running);
    signal.throwIfAborted();
    if (first !== undefined) throw first.error;
  }
}

function stepsOf({ path, text }: SeedFile) {
  try {
    return seedSteps(text);
  } catch (error) {
    throw new EnvironmentError("seed", `seed file ${path}, ${messageOf(error)}`);
  }
}

async function runPart(client: Client, part: SeedPart, file: SeedFile): Promise<void> {
  await client.query("SELECT set_config('loadtest.scale', $1, false)", [String(file.scale)]);
  let completed = 0;
  client.connection.on("commandComplete", () => {
    completed += 1;
  });
  try {
    await client.query(part.text); // one simple query: all of the part or nothing
  } catch (error) {
    throw error instanceof DatabaseError ? seedFailure(error, completed, { part, file }) : error;
  }
  if (client.getTransactionStatus() !== "I") {
    throw new EnvironmentError("seed", `seed file ${file.path} begins a transaction and does not end it`);
  }
}

/** Postgres gives a position for mistakes in the text only; for others the statement is known by those completed. */
function seedFailure(
  error: DatabaseError,
  completed: number,
  { part, file: { path, text, url } }: { readonly part: SeedPart; readonly file: SeedFile },
): EnvironmentError {
  const offset =
    error.position === undefined
      ? statementStart(part.text, completed)
      : offsetOf(part.text, Number(error.position));
  const place = offset === undefined ? undefined : placeAt(text, part.offset + offset);
  const where = place === undefined ? "" : `, line ${place.line}`;
  const near = place === undefined ? "" : ` (at: ${place.excerpt})`;
  const inside = error.where === undefined ? "" : `; ${error.where.split("\n", 1)[0]}`;
  return new EnvironmentError(
    "seed",
    printable(`seed file ${path}${where}: ${serverWords(error, url)}${inside}${near}`),
  );
}

/**
 * Pieces of SQL in which a semicolon means nothing, then anything else one character at a time. `E'...'` comes before
 * names; a doubled quote is two strings in a row, which ends at the same place.
 */
const pieces =
  /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)|e'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"[^"]*"|\$(?<tag>[a-z_\x80-\uffff][\w\x80-\uffff]*)?\$[\s\S]*?\$\k<tag>\$|[a-z_\x80-\uffff][\w$\x80-\uffff]*|[\s\S]/giu;

/** Start of the statement with this index (from 0), as an offset in UTF-16 units; `undefined` past the last one. */
export function statementStart(sql: string, index: number): number | undefined {
  let seen = -1;
  let depth = 0;
  let isInside = false;
  for (const match of sql.matchAll(pieces)) {
    const [piece] = match;
    if (match.groups?.["space"] !== undefined) continue;
    if (piece === ";" && depth === 0) isInside = false;
    else if (!isInside) {
      isInside = true;
      seen += 1;
      if (seen === index) return match.index;
    }
    if (piece === "(") depth += 1; // a rule holds several statements in parentheses
    if (piece === ")") depth -= 1;
  }
  return undefined;
}

interface SqlPlace {
  /** Counted from 1. */
  readonly line: number;
  /** The line there, shortened. */
  readonly excerpt: string;
}

const longestExcerpt = 120;

export function placeAt(sql: string, offset: number): SqlPlace {
  const before = sql.slice(0, offset);
  const rest = sql.slice(before.lastIndexOf("\n") + 1);
  const [text = ""] = rest.split("\n", 1);
  return { line: before.split("\n").length, excerpt: text.trim().slice(0, longestExcerpt) };
}

/** Postgres counts characters, from 1; JavaScript counts UTF-16 units, from 0. */
export function offsetOf(sql: string, position: number): number {
  let offset = 0;
  for (let count = 1; count < position && offset < sql.length; count += 1) {
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
