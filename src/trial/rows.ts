import type { Reply } from "../endpoints/dry-request.ts";
import { rowMakersFor } from "../init/requests/rows.ts";
import { eachRequest, type SeedRequest, seedRequestOf } from "../model/workload/seed-request.ts";
import type { TriedEndpoints } from "./endpoints.ts";
import type { RunningTrial } from "./trial.ts";

/** Lines of `seed-request` that made rows for endpoints that lack them. Those of before are not sent again. */
export async function makeRows(
  running: RunningTrial,
  tried: TriedEndpoints,
  before: readonly string[],
): Promise<readonly string[]> {
  const sent = new Set(before.map(pathOf));
  const made: string[] = [];
  for (const { lines } of rowMakersFor(running.document, tried.lacking)) {
    if (lines.some((line) => sent.has(pathOf(line)))) continue;
    const line = await firstThatWorks(running, lines);
    if (line !== undefined) made.push(line);
  }
  return made;
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
