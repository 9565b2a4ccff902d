import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { ProbeDocument } from "../../model/findings/probe-document.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, partOf, shareOf, sumOf } from "../evidence.ts";
import { ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase, predictionOf } from "../wording.ts";

type Pool = ProbeDocument["pools"][number];

/** Requests queue for a connection: connections / time of use is the throughput. */
export function smallPool(evidence: Evidence): Finding | undefined {
  const pools = evidence.workers.flatMap(({ pools }) => pools.filter(isFull));
  const size = sumOf(pools, limitOf);
  const useMs = sumOf(pools, (pool) => pool.useMs) / evidence.requests;
  const share = shareOf(evidence, "poolWait");
  if (size === 0 || useMs === 0 || share < 0.1) return undefined;
  const endpoint = evidence.endpoints.find((each) => each.partsMs.poolWait > 0);
  const place = endpoint?.statements[0]?.place ?? endpoint?.handler;
  const idle = 1 - Math.min(1, partOf(evidence, "database") / useMs);
  return confirm({
    cause: "pool too small",
    ...locationOf(endpoint, place),
    summary: phrase`Requests wait ${milliseconds(partOf(evidence, "poolWait"))} for one of ${size} pooled connections, which each of them uses for ${milliseconds(useMs)}${at(place)}.`,
    advice:
      idle > 0.5
        ? `Give connections back sooner: ${percent(idle, "whole")} of the time that they are taken, no statement runs.`
        : "Make the pool larger, as far as the database allows, or the statements faster.",
    figures: [
      figureOf("connections", size),
      figureOf("in use", useMs, "ms per request"),
      figureOf("waiting for one", partOf(evidence, "poolWait"), "ms per request"),
      figureOf(
        "requests waiting for one, at most",
        sumOf(pools, (pool) => pool.mostWaiting),
      ),
      figureOf(
        "requests that got none",
        sumOf(pools, (pool) => pool.errors),
      ),
    ],
    prediction: ratePrediction(evidence.load, (size * 1_000) / useMs),
    weight: share,
  });
}

/** All workers' pools together want more connections than the database grants. */
export function largePool(evidence: Evidence): Finding | undefined {
  const { connectionsAllowed: allowed, connectionsPeak: peak } = evidence.load.database ?? {};
  const wanted = sumOf(evidence.workers, ({ pools }) => sumOf(pools, limitOf));
  const refused = sumOf(evidence.workers, ({ connects }) => connects.refused);
  const demand = Math.min(wanted, evidence.load.virtualUsers);
  if (allowed === undefined || peak === undefined || demand <= allowed || refused === 0) return undefined;
  return confirm({
    cause: "pool larger than the database allows",
    summary: `The pools of ${evidence.workers.length} workers may open ${wanted} connections, the database grants ${allowed}; it refused ${refused}.`,
    advice: `Let each worker's pools have ${Math.max(1, Math.floor(allowed / evidence.workers.length))} connections at most.`,
    figures: [
      figureOf("connections that the pools may open", wanted),
      figureOf("connections that the database grants", allowed),
      figureOf("connections refused", refused),
    ],
    prediction: predictionOf("most connections at a time", allowed, peak),
    weight: Math.min(1, refused / evidence.requests),
  });
}

function isFull(pool: Pool): boolean {
  return limitOf(pool) > 0 && pool.mostInUse >= limitOf(pool) && pool.mostWaiting > 0;
}

function limitOf(pool: Pool): number {
  return pool.most;
}
