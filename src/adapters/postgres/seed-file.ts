import type { Duplex } from "node:stream";
import { type Client, type Connection, DatabaseError, Query } from "pg";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { lineOf, type ScriptState, type SeedScript, seedScript } from "../../model/seed/seed-script.ts";
import { sqlPieces } from "../../model/seed/sql-pieces.ts";
import { seedSteps } from "../../model/workload/seed.ts";
import { printable } from "../../text/visible.ts";
import { startDeadline } from "../process/index.ts";
import { refusal } from "./seed-source.ts";
import { seedWithinMs, serverWords, withSession } from "./session.ts";

interface SeedFile {
  readonly path: string;
  readonly text: string;
  readonly scale: number;
  readonly url: string;
  readonly state: ScriptState;
}

/** Runs the steps of a file one after the other, the parts of a step at once. */
export async function runSeedFile(file: SeedFile, signal: AbortSignal): Promise<void> {
  for (const parts of scriptsOf(file)) {
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

function scriptsOf({ path, text, state }: SeedFile): SeedScript[][] {
  const steps = problemsOf(`${path}, `, () => seedSteps(text));
  return steps.map((parts) =>
    parts.map((part) => {
      const line = placeAt(text, part.offset).line;
      return problemsOf("", () => seedScript({ path, text: part.text, line }, state));
    }),
  );
}

function problemsOf<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof RangeError
      ? new EnvironmentError("seed", `seed file ${place}${messageOf(error)}`)
      : error;
  }
}

async function runPart(client: Client, script: SeedScript, file: SeedFile): Promise<void> {
  await client.query("SELECT set_config('loadtest.scale', $1, false)", [String(file.scale)]);
  let completed = 0;
  client.connection.on("commandComplete", () => {
    completed += 1;
  });
  try {
    await queryWithRows(client, script.text, script.rows); // one simple query: all of the part or nothing
  } catch (error) {
    throw error instanceof DatabaseError ? seedFailure(error, completed, { script, file }) : error;
  }
  if (client.getTransactionStatus() !== "I")
    throw refusal(file.path, "begins a transaction and does not end it");
}

/** Postgres gives a position for mistakes in the text only; for others the statement is known by those completed. */
function seedFailure(
  error: DatabaseError,
  completed: number,
  { script, file }: { readonly script: SeedScript; readonly file: SeedFile },
): EnvironmentError {
  const offset =
    error.position === undefined
      ? statementStart(script.text, completed)
      : offsetOf(script.text, Number(error.position));
  const { path = file.path, line } = (offset === undefined ? undefined : lineOf(script, offset)) ?? {};
  const where = line === undefined ? "" : `, line ${line}`;
  const near = offset === undefined ? "" : ` (at: ${placeAt(script.text, offset).excerpt})`;
  const inside = error.where === undefined ? "" : `; ${error.where.split("\n", 1)[0]}`;
  const words = serverWords(error, file.url);
  return new EnvironmentError(
    "seed",
    printable(`seed file ${path}${where}: ${words}${inside}${near}${remedyFor(words, file)}`),
  );
}

/** What a user can do about frequent failures, as a further sentence. */
function remedyFor(words: string, { text, state }: SeedFile): string {
  if (/COPY (?:from a file|from or to a file|to or from an external program)/i.test(words))
    return ". Put the rows into the seed file, below COPY ... FROM stdin, or use seed-command.";
  const [, dumped] = /^-- Dumped from database version (\d+)/m.exec(text.slice(0, 2_000)) ?? [];
  if (Number(dumped) > state.ground.major)
    return `. The dump is from PostgreSQL ${dumped}, and this server is ${state.ground.major}: use that version.`;
  return "";
}

/** Start of the statement with this index (from 0), as an offset in UTF-16 units; `undefined` past the last one. */
export function statementStart(sql: string, index: number): number | undefined {
  let seen = 0;
  for (const { kind, start } of sqlPieces(sql, false)) {
    if (kind !== "statement") continue;
    if (seen === index) return start;
    seen += 1;
  }
  return undefined;
}

interface SqlPlace {
  /** Counted from 1. */
  readonly line: number;
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

/** As much at once as a socket takes gladly. */
const chunkLength = 256 * 1024;

interface RowsConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends a text as one query, and rows whenever one of its statements asks for some. Rejects with the driver's error. */
function queryWithRows(client: Client, text: string, rows: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let next = 0;
    const query = new Query(text, (error) => {
      isOver = true;
      if (error) reject(error);
      else resolve();
    });
    const give = async (connection: RowsConnection) => {
      const block = rows[next] ?? "";
      next += 1;
      for (let at = 0; at < block.length && !isOver; ) {
        const end = endOfChunk(block, at + chunkLength);
        connection.sendCopyFromChunk(Buffer.from(block.slice(at, end)));
        at = end;
        await untilDrained(connection.stream);
      }
      if (!isOver) connection.endCopyFrom();
    };
    // The driver calls it; its own refuses the statement.
    Object.assign(query, { handleCopyInResponse: (connection: RowsConnection) => void give(connection) });
    client.query(query);
  });
}

function untilDrained(stream: Duplex): Promise<void> | undefined {
  if (!stream.writableNeedDrain) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

/** Not between the two halves of a character. */
function endOfChunk(text: string, wanted: number): number {
  const isHalf = (text.charCodeAt(wanted - 1) & 0xfc00) === 0xd800;
  return Math.min(text.length, isHalf ? wanted + 1 : wanted);
}
