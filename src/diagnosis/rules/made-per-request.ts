import { type Cause, confirm, type Finding } from "../../model/findings/finding.ts";
import type { EndpointReport } from "../../model/findings/probe-document.ts";
import { type Evidence, partOf } from "../evidence.ts";
import { at, endpointName, figureOf, locationOf, milliseconds, phrase, predictionOf } from "../wording.ts";

type Made = EndpointReport["made"][number];

interface Words {
  readonly cause: Cause;
  readonly one: string;
  readonly advice: string;
}

const words: Readonly<Record<Made["what"], Words>> = {
  "event loop": {
    cause: "event loop per request",
    one: "an event loop",
    advice: "Make the route `async def` and await the call: its thread stands still while the new loop runs.",
  },
  executor: {
    cause: "executor per request",
    one: "a thread pool",
    advice: "Make the executor once, when the app starts, and give it to all requests.",
  },
  connection: {
    cause: "unpooled connections",
    one: "a database connection",
    advice: "Take connections from a pool that is opened when the app starts.",
  },
};

/** Things that are made for each request and should be made once. */
export function madePerRequest(evidence: Evidence): readonly Finding[] {
  return evidence.endpoints.flatMap((endpoint) =>
    endpoint.made
      .filter((made) => made.requests >= endpoint.requests / 2)
      .flatMap((made) => judge(endpoint, made, evidence) ?? []),
  );
}

function judge(endpoint: EndpointReport, made: Made, evidence: Evidence): Finding | undefined {
  const { cause, one, advice } = words[made.what];
  const eachMs = made.totalMs / made.count;
  return confirm({
    cause,
    ...locationOf(endpoint, made.place),
    summary: phrase`${endpointName(endpoint)} makes ${one} for each request${at(made.place)}, which takes ${milliseconds(eachMs)}.`,
    advice,
    figures: [
      figureOf("made", made.count),
      figureOf("time of each", eachMs, "ms"),
      figureOf("a request takes", partOf(evidence, "total"), "ms"),
    ],
    // If the code makes them, and it is not chance, each request makes as many.
    prediction: predictionOf(`${made.what}s made`, made.mostInOne * endpoint.requests, made.count),
    weight: Math.min(1, made.totalMs / Math.max(endpoint.partsMs.total, 1e-9)),
  });
}
