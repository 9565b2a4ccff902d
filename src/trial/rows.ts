import type { Reply } from "../endpoints/dry-request.ts";
import { type PathValues, rowMakersFor } from "../init/requests/rows.ts";
import { insertOf, numbersGoOn, type WrittenRow } from "../init/tests/recording.ts";
import { placeholdersIn } from "../model/endpoint/form.ts";
import { eachRequest, type SeedRequest, seedRequestOf } from "../model/workload/seed-request.ts";
import type { EndpointTrial } from "./endpoints.ts";
import type { RunningTrial } from "./trial.ts";

/** What was sent to make rows for endpoints that lack them. */
export interface MadeRows {
  /** Lines of `seed-request`. */
  readonly lines: readonly string[];
  /** The lists whose own path has parameters, with the values below which there are rows now. */
  readonly lists: ReadonlyMap<string, PathValues>;
}

/** Sends what may make rows, but no path of `before` again. @param identity fields of the login, by their names */
export async function makeRows(
  running: RunningTrial,
  tried: EndpointTrial,
  { before, identity }: { readonly before: readonly string[]; readonly identity: PathValues },
): Promise<MadeRows> {
  const sent = new Set(before.map(pathOf));
  const lines: string[] = [];
  const lists = new Map<string, PathValues>();
  const makers = rowMakersFor(running.document, tried.lacking, (path) => knownFor(path, tried, identity));
  for (const { path, values, lines: ways } of makers) {
    if (lists.has(path) || ways.some((line) => sent.has(pathOf(line)))) continue;
    const line = await firstThatWorks(running, ways);
    if (line === undefined) continue;
    lines.push(line);
    if (path.includes("{")) lists.set(path, values);
  }
  return { lines, lists };
}

/** Rows may need others that come after them. */
const mostPasses = 3;

/** Writes rows into the database, and returns those that are new and that it does not refuse, as it takes them. */
export async function writeRows(
  ask: RunningTrial["ask"],
  rows: readonly WrittenRow[],
): Promise<readonly WrittenRow[]> {
  const written: WrittenRow[] = [];
  let waiting = rows;
  for (let pass = 1, before = -1; pass <= mostPasses && written.length > before; pass += 1) {
    before = written.length;
    const refused: WrittenRow[] = [];
    for (const row of waiting) {
      const insert = insertOf(row);
      const result = await ask(insert ?? row.sql);
      (insert === undefined || result.length > 0 ? written : refused).push(row);
    }
    waiting = refused;
  }
  if (rows.length > 0) await ask(numbersGoOn);
  return written;
}

/** Values of a path's parameters: those of the account that is logged in, then those with which others answered. */
function knownFor(path: string, tried: EndpointTrial, identity: PathValues): readonly PathValues[] {
  const answered = Object.fromEntries(
    placeholdersIn(path).flatMap((name) => {
      const value = answeredWith(path, name, tried);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const own = Object.fromEntries(Object.entries(identity).filter(([name]) => path.includes(`{${name}}`)));
  const all = [{ ...answered, ...own }, answered];
  const whole = all.filter((each) => placeholdersIn(path).every((name) => name in each));
  return Object.keys(own).length === 0 ? whole.slice(0, 1) : whole;
}

/** The value of a parameter in a request that was answered, below the same path. */
function answeredWith(
  path: string,
  name: string,
  { endpoints, requests }: EndpointTrial,
): string | undefined {
  const upTo = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
  const place = upTo.split("/").length - 1;
  return endpoints
    .filter(({ line, reason }) => reason === undefined && line.startsWith(upTo))
    .map(({ line }) => requests.get(line)?.path.split(/[/?]/)[place] ?? "")
    .find((each) => /^[\w.@+-]+$/.test(each));
}

function pathOf(line: string): string {
  return line.split(" ")[1] ?? "";
}

/** The first line for one operation that the app accepts, for as many rows as it accepts: all or one. */
async function firstThatWorks(running: RunningTrial, lines: readonly string[]): Promise<string | undefined> {
  for (const line of lines) {
    const all = requestsOf(line);
    const accepted = await acceptedOf(running, all);
    if (accepted > 0 && accepted === all.length) return line;
    if (accepted > 0) return line.replaceAll("{n}", "1");
  }
  return undefined;
}

async function acceptedOf(running: RunningTrial, requests: readonly SeedRequest[]): Promise<number> {
  for (const [index, request] of requests.entries()) {
    const reply = await running.send(request);
    if (typeof reply === "string" || reply.status >= 300) return index;
  }
  return requests.length;
}

/** Sends the first request of a line. */
export async function sendLine(running: RunningTrial, line: string): Promise<Reply | string> {
  const [first] = requestsOf(line);
  return first === undefined ? "it is not a request" : await running.send(first);
}

function requestsOf(line: string): readonly SeedRequest[] {
  const request = seedRequestOf(line);
  return typeof request === "string" ? [] : eachRequest(request);
}
