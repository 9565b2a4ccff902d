import { type Cause, confirm, type Finding } from "../../model/findings/finding.ts";
import type { EndpointReport } from "../../model/findings/probe-document.ts";
import { type Evidence, partOf } from "../evidence.ts";
import { endpointName } from "../merged-stalls.ts";
import { at, milliseconds, placeOf } from "../wording.ts";

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
    endpoint.made.flatMap((made) => {
      const finding = made.requests < endpoint.requests / 2 ? undefined : judge(endpoint, made, evidence);
      return finding === undefined ? [] : [finding];
    }),
  );
}

function judge(endpoint: EndpointReport, made: Made, evidence: Evidence): Finding | undefined {
  const { cause, one, advice } = words[made.what];
  const eachMs = made.totalMs / made.count;
  return confirm({
    cause,
    endpoint: endpointName(endpoint),
    ...placeOf(made.place),
    summary: `${endpointName(endpoint)} makes ${one} for each request${at(made.place)}, which takes ${milliseconds(eachMs)}.`,
    advice,
    figures: [
      { what: "made", value: made.count },
      { what: "time of each, ms", value: eachMs },
      { what: "a request takes, ms", value: partOf(evidence, "total") },
    ],
    // If the code makes them, and it is not chance, each request makes as many.
    prediction: {
      what: `${made.what}s made`,
      predicted: made.mostInOne * endpoint.requests,
      observed: made.count,
    },
    weight: Math.min(1, made.totalMs / Math.max(endpoint.partsMs.total, 1e-9)),
  });
}
