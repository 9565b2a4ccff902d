import { confirm, type Finding } from "../../model/findings/finding.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, measuredRate, partOf } from "../evidence.ts";
import { cpuShare, idlePrediction, loopShare, ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, millisecondsOf, phrase } from "../wording.ts";

/** The load generator is saturated, so the figures say nothing about the app. */
export function generatorBound(evidence: Evidence): Finding | undefined {
  const { load } = evidence;
  const { generatorCpuSeconds: used, generatorCpus, requests, seconds } = load;
  if (used === undefined || used <= 0 || cpuShare(evidence) > 0.8) return undefined;
  const share = used / (generatorCpus * seconds);
  const inApp = (measuredRate(load) * partOf(evidence, "total")) / 1_000;
  if (share < 0.8 || inApp > load.virtualUsers / 2) return undefined;
  return confirm({
    cause: "generator bound",
    subject: "the load generator",
    summary: `uses ${percent(share, "whole")} of its CPUs, while on average only ${inApp.toFixed(1)} of ${load.virtualUsers} users are waiting for the app`,
    advice: "Give k6 more CPUs, or the app fewer: these figures describe k6, not the app.",
    figures: [
      figureOf("share of the generator's CPUs", share, "share"),
      figureOf("requests in the app at a time", inApp),
    ],
    prediction: ratePrediction(load, (generatorCpus * requests) / used),
    weight: 1,
  });
}

/** Largest share of the CPUs, and of the loops' time, that is in use while requests wait for something else. */
const mostInUse = { cpu: 0.5, loop: 0.67 } as const;

/** Nothing of ours is saturated: requests wait for something else. */
export function externalWait(evidence: Evidence): Finding | undefined {
  const waiting = partOf(evidence, "elsewhere");
  // Users may wait before the app, too.
  const share = waiting / Math.max(partOf(evidence, "total"), evidence.load.latencyMeanMs);
  const isIdle = cpuShare(evidence) <= mostInUse.cpu && loopShare(evidence) <= mostInUse.loop;
  if (share < 0.7 || waiting < 5 || !isIdle) return undefined;
  const [endpoint] = evidence.endpoints;
  const place = endpoint?.waited[0]?.place ?? endpoint?.handler;
  return confirm({
    cause: "waiting, not computing",
    severity: "note",
    ...locationOf(endpoint, place),
    summary: phrase`spends ${millisecondsOf(waiting, partOf(evidence, "total"))} waiting${at(place)}, not computing`,
    advice: "Shorten the waits, or run them concurrently: the CPU is not the limit.",
    figures: [
      figureOf("waiting", waiting, "ms per request"),
      figureOf("share of the request's time", share, "share"),
    ],
    prediction: idlePrediction(evidence),
    weight: share,
  });
}
