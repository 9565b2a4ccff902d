import {
  generateLoad,
  type K6,
  type Load,
  loadLabel,
  loadSeconds,
  mergeHistograms,
  parseK6Summary,
  parseLoadRecords,
  quantileMs,
  secondsToLastReply,
  sum,
} from "../../src/engine.ts";
import { median, print, rounded } from "../parts/timing.ts";

/** Result of one run of a tool. */
export interface Outcome {
  readonly requestsPerSecond: number;
  readonly medianMs: number;
}

/** A tool, and our load in its style. */
export interface Style {
  /** Lower case: part of the figures' names. */
  readonly tool: string;
  /** Time after which the endpoint answers. */
  readonly answerMs: number;
  readonly load: Load;
  /** A sentence when the tool is missing. */
  readonly missing: string | undefined;
  run(baseUrl: string): Promise<Outcome>;
}

/** Our k6 and the place of its files. */
export interface Ours {
  readonly k6: K6;
  readonly scriptPath: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}

const rounds = 5;

/** Runs both in turn, so that a slow spell of the machine hits both. Figures with their units in their names. */
export async function compareTools(style: Style, baseUrl: string, ours: Ours) {
  const { tool, load } = style;
  if (style.missing !== undefined) {
    print(style.missing);
    return { [`${tool}IsInstalled`]: false };
  }
  print(`${tool} against ours (${loadLabel(load)}), on an endpoint that answers after ${style.answerMs} ms`);
  const pairs: { readonly theirs: Outcome; readonly own: Outcome }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const theirs = await style.run(baseUrl);
    const own = await runOurs(load, baseUrl, ours);
    print(`  round ${round}: ${tool} ${textOf(theirs)}; ours ${textOf(own)}`);
    pairs.push({ theirs, own });
  }
  const middle = (value: (pair: (typeof pairs)[number]) => number) => rounded(median(pairs.map(value)), 4);
  return {
    [`${tool}IsInstalled`]: true,
    [`${tool}RequestsPerSecond`]: middle(({ theirs }) => theirs.requestsPerSecond),
    [`${tool}StyleRequestsPerSecond`]: middle(({ own }) => own.requestsPerSecond),
    [`${tool}ThroughputRatio`]: middle(({ own, theirs }) => own.requestsPerSecond / theirs.requestsPerSecond),
    [`${tool}MedianMs`]: middle(({ theirs }) => theirs.medianMs),
    [`${tool}StyleMedianMs`]: middle(({ own }) => own.medianMs),
    [`${tool}MedianRatio`]: middle(({ own, theirs }) => own.medianMs / theirs.medianMs),
  };
}

/** Replies before the load's end, over the time until the last of them came: the tools' own definition of a rate. */
async function runOurs(load: Load, baseUrl: string, { k6, ...place }: Ours): Promise<Outcome> {
  const sliceMs = 250;
  const { records, summary } = await generateLoad(
    k6,
    {
      targets: [{ arm: "head", baseUrl }],
      endpoint: { method: "GET", path: "/" },
      load,
      sliceMs,
      seed: 1,
      name: "ours",
    },
    place,
  );
  const generator = parseK6Summary(summary);
  if (generator.failures > 0) throw new Error(`${generator.failures} requests of ours failed`);
  const endMs = (loadSeconds(load) ?? Number.POSITIVE_INFINITY) * 1_000;
  const slices = parseLoadRecords(records).filter(({ index }) => index * sliceMs < endMs);
  const latency = mergeHistograms(slices.map((slice) => slice.latency));
  return {
    requestsPerSecond: sum(slices.map(({ requests }) => requests)) / secondsToLastReply(slices),
    medianMs: quantileMs(latency, 0.5) ?? Number.NaN,
  };
}

function textOf({ requestsPerSecond, medianMs }: Outcome): string {
  return `${requestsPerSecond.toFixed(1)} req/s, median ${medianMs.toFixed(1)} ms`;
}
