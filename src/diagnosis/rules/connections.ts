import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { ProbeDocument } from "../../model/findings/probe-document.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, partOf, shareOf, sumOf } from "../evidence.ts";
import { ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase, predictionOf } from "../wording.ts";

/** Time that Linux may wait before it acknowledges a packet that nothing follows. */
const delayMs = 40;

/** Replies in two packets, whose second waits until the client has acknowledged the first. */
export function delayedAcknowledgements(evidence: Evidence): Finding | undefined {
  const { workers, load } = evidence;
  const seen = sumOf(workers, ({ sockets }) => sockets.seen);
  const delayed = sumOf(workers, ({ sockets }) => sockets.delayed);
  const isAsyncio = workers.some(({ loops }) => loops.some(({ kind }) => kind.startsWith("asyncio.")));
  const within = partOf(evidence, "total");
  if (!isAsyncio || load.workers < 2 || delayed === 0 || delayed < seen / 2) return undefined;
  return confirm({
    cause: "delayed acknowledgements",
    summary: `Replies take ${milliseconds(load.latencyMedianMs)}, ${milliseconds(within)} of it in the app: its sockets lack TCP_NODELAY, so half of each reply waits ${delayMs} ms for an acknowledgement.`,
    advice:
      "Install uvloop (`--loop uvloop`): asyncio does not set the option on the socket that uvicorn shares between workers.",
    figures: [
      figureOf("median latency", load.latencyMedianMs, "ms"),
      figureOf("in the app", within, "ms per request"),
      figureOf("connections looked at", seen),
      figureOf("connections without TCP_NODELAY", delayed),
    ],
    prediction: predictionOf("median latency", within + delayMs, load.latencyMedianMs, "ms"),
    weight: Math.min(1, delayMs / load.latencyMeanMs),
  });
}

/** The server closes connections that the clients would have gone on using. */
export function closedConnections(evidence: Evidence): Finding | undefined {
  const { connectionsOpened: opened, virtualUsers, requests } = evidence.load;
  const limits = evidence.workers.flatMap(({ server }) => server.requestsPerConnection ?? []);
  const limit = limits.length === evidence.workers.length ? Math.min(...limits) : undefined;
  if (opened === undefined || limit === undefined || opened < 2 * virtualUsers) return undefined;
  return confirm({
    cause: "connections not kept alive",
    summary: `The server closes each connection after ${limit === 1 ? "one request" : `${limit} requests`}: ${virtualUsers} users opened ${opened} for ${requests} requests.`,
    advice:
      "Use a worker that keeps connections (gunicorn: `gthread` or an ASGI worker), or raise the limit.",
    figures: [figureOf("requests per connection", requests / opened), figureOf("connections opened", opened)],
    prediction: predictionOf("connections opened", requests / limit, opened),
    weight: Math.min(1, (0.1 * opened) / requests),
  });
}

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
