import { type Cause, confirm, type Finding } from "../../model/findings/finding.ts";
import type { EndpointReport } from "../../model/findings/probe-document.ts";
import { type Evidence, partOf } from "../evidence.ts";
import { at, figureOf, locationOf, milliseconds, phrase, predictionOf } from "../wording.ts";

type Made = EndpointReport["made"][number];

interface Words {
  readonly cause: Cause;
  readonly makes: string;
  readonly advice: string;
}

const words: Readonly<Record<Made["what"], Words>> = {
  "event loop": {
    cause: "event loop per request",
    makes: "creates an event loop",
    advice: "Make the route `async def` and await the call: its thread is idle while the new loop runs.",
  },
  executor: {
    cause: "executor per request",
    makes: "creates a thread pool",
    advice: "Create the executor once at startup and share it between requests.",
  },
  connection: {
    cause: "unpooled connections",
    makes: "opens a database connection",
    advice: "Take connections from a pool that is opened at startup.",
  },
};

export function madePerRequest(evidence: Evidence): readonly Finding[] {
  return evidence.endpoints.flatMap((endpoint) =>
    endpoint.made
      .filter((made) => made.requests >= endpoint.requests / 2)
      .flatMap((made) => judge(endpoint, made, evidence) ?? []),
  );
}

function judge(endpoint: EndpointReport, made: Made, evidence: Evidence): Finding | undefined {
  const { cause, makes, advice } = words[made.what];
  const eachMs = made.totalMs / made.count;
  return confirm({
    cause,
    ...locationOf(endpoint, made.place),
    summary: phrase`${makes} for each request (${milliseconds(eachMs)})${at(made.place)}`,
    advice,
    figures: [
      figureOf("made", made.count),
      figureOf("each", eachMs, "ms"),
      figureOf("whole request", partOf(evidence, "total"), "ms"),
    ],
    // If the code makes them, and it is not chance, each request makes as many.
    prediction: predictionOf(`${made.what}s made`, made.mostInOne * endpoint.requests, made.count),
    weight: Math.min(1, made.totalMs / Math.max(endpoint.partsMs.total, 1e-9)),
  });
}
