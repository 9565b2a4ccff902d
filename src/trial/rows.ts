import type { Reply } from "../endpoints/dry-request.ts";
import { operationsOf } from "../endpoints/openapi.ts";
import { isRepeatable, rowMakersFor } from "../init/requests/rows.ts";
import { placeholdersIn } from "../model/endpoint/form.ts";
import { eachRequest, type SeedRequest, seedRequestOf } from "../model/workload/seed-request.ts";
import { existing, type TriedEndpoints } from "./endpoints.ts";
import type { RunningTrial } from "./trial.ts";

/** Lines of `seed-request` that made rows for endpoints that lack them. Those of before are not sent again. */
export async function makeRows(
  running: RunningTrial,
  tried: TriedEndpoints,
  before: readonly string[],
): Promise<readonly string[]> {
  const values = await keysIn(running, tried);
  const sent = new Set(before.map(pathOf));
  const made: string[] = [];
  for (const { lines } of rowMakersFor(running.document, tried.lacking, (path, name) => {
    const key = values.get(`${path} ${name}`);
    return key !== undefined && isRepeatable(key, before) ? key : undefined;
  })) {
    if (lines.some((line) => sent.has(pathOf(line)))) continue;
    const line = await firstThatWorks(running, lines);
    if (line !== undefined) made.push(line);
  }
  return made;
}

function pathOf(line: string): string {
  return line.split(" ")[1] ?? "";
}

/** Keys of rows for the paths of requests that write. */
async function keysIn(
  running: RunningTrial,
  { replies }: TriedEndpoints,
): Promise<ReadonlyMap<string, string | number>> {
  const found = new Map<string, string | number>();
  const paths = operationsOf(running.document).flatMap(({ method, path }) =>
    method === "POST" ? [path] : [],
  );
  for (const path of paths)
    for (const name of placeholdersIn(path)) {
      const value = (await existing(path, name, running, replies))?.values[0];
      if (value !== undefined) found.set(`${path} ${name}`, value);
    }
  return found;
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
