import type { SuggestedEndpoint } from "../init/endpoints.ts";
import { answersAgain, type TriedEndpoints } from "./endpoints.ts";
import type { RunningTrial, TrialRequest } from "./trial.ts";

/** As many as the usual limits allow in a minute, and some more. */
const burst = { rounds: 19, atOnce: 8 } as const;

/** How many requests the app answers before it refuses more of them, when it does so within a burst. */
export async function limitOf(running: RunningTrial, tried: TriedEndpoints): Promise<number | undefined> {
  const first = tried.endpoints.find(({ reason, line }) => reason === undefined && tried.requests.has(line));
  const request = first && tried.requests.get(first.line);
  let answered = 0;
  for (let round = 0; request !== undefined && round < burst.rounds; round += 1) {
    const replies = await Promise.all(Array.from({ length: burst.atOnce }, () => running.send(request)));
    const refused = replies.filter((reply) => typeof reply !== "string" && reply.status === 429);
    answered += replies.length - refused.length;
    if (refused.length > 0) return answered;
  }
  return undefined;
}

const atOnce = 4;
/** Most endpoints that are asked several times. */
const mostAsked = 40;

/** Endpoints that answer several requests at once, and all of them alike: any other has no figures. */
export async function steadyOf(
  running: RunningTrial,
  { endpoints, requests }: TriedEndpoints,
): Promise<readonly SuggestedEndpoint[]> {
  const found: SuggestedEndpoint[] = [];
  let asked = 0;
  for (const each of endpoints) {
    const request = each.reason === undefined && each.isStream !== true ? requests.get(each.line) : undefined;
    asked += request === undefined ? 0 : 1;
    const reason = request && asked <= mostAsked ? await unsteady(running, request) : undefined;
    found.push(reason === undefined ? each : { line: each.line, reason });
  }
  return found;
}

async function unsteady(running: RunningTrial, request: TrialRequest): Promise<string | undefined> {
  const replies = await Promise.all(Array.from({ length: atOnce }, () => running.send(request)));
  if (replies.some((reply) => typeof reply === "string")) {
    await answersAgain(running);
    return `gave no answer to one of ${atOnce} requests at once: too slow to be measured`;
  }
  const failed = replies.flatMap((reply) =>
    typeof reply === "string" || reply.status < 400 ? [] : reply.status,
  );
  if (failed.length === 0) return undefined;
  return `answered ${failed[0]} to ${failed.length} of ${atOnce} requests at once, and not to one alone`;
}
