import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { ProbeDocument } from "../../model/findings/probe-document.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, partOf, shareOf, sumOf } from "../evidence.ts";
import { placeKey } from "../merging.ts";
import { cpuShare, ratePrediction } from "../rates.ts";
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
    subject: "a response",
    summary: `takes ${milliseconds(load.latencyMedianMs)}, only ${milliseconds(within)} of it in the app: without TCP_NODELAY its second half waits ${delayMs} ms for an acknowledgement`,
    advice:
      "Install uvloop (`--loop uvloop`): asyncio does not set TCP_NODELAY on the socket that uvicorn shares between workers.",
    figures: [
      figureOf("median latency", load.latencyMedianMs, "ms"),
      figureOf("in the app", within, "ms per request"),
      figureOf("connections seen", seen),
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
    subject: "the server",
    summary: `closes each connection after ${plural(limit, "request")}: ${virtualUsers} users opened ${opened} connections for ${requests} requests`,
    advice:
      "Use a worker that keeps connections open (gunicorn: `gthread` or an ASGI worker), or raise the limit.",
    figures: [figureOf("requests per connection", requests / opened), figureOf("connections opened", opened)],
    prediction: predictionOf("connections opened", requests / limit, opened),
    weight: Math.min(1, (0.1 * opened) / requests),
  });
}

type Pool = ProbeDocument["pools"][number];

/** Share of the CPUs from which a pool is only short because of them. */
const mostCpuShare = 0.8;

/** Requests queue for a connection: connections / time of use is the throughput. */
export function smallPool(evidence: Evidence): Finding | undefined {
  const pools = evidence.workers.flatMap(({ pools }) => pools.filter(isFull));
  const size = sumOf(pools, limitOf);
  const useMs = sumOf(pools, (pool) => pool.useMs) / evidence.requests;
  const share = shareOf(evidence, "poolWait");
  // A request that waits for a CPU keeps its connection meanwhile.
  if (size === 0 || useMs === 0 || share < 0.1 || cpuShare(evidence) > mostCpuShare) return undefined;
  const endpoint = evidence.endpoints.find((each) => each.partsMs.poolWait > 0);
  const place = endpoint?.statements[0]?.place ?? endpoint?.handler;
  const idle = 1 - Math.min(1, partOf(evidence, "database") / useMs);
  return confirm({
    cause: "pool too small",
    ...locationOf(endpoint, place),
    summary: phrase`waits ${milliseconds(partOf(evidence, "poolWait"))} for one of ${size} pooled connections, which each request holds for ${milliseconds(useMs)}${at(place)}`,
    advice:
      idle > 0.5
        ? `Return connections sooner: they are idle for ${percent(idle, "whole")} of the time that requests hold them.`
        : "Enlarge the pool, if the database allows more connections, or speed up the queries.",
    figures: [
      figureOf("connections", size),
      figureOf("held", useMs, "ms per request"),
      figureOf("waiting for a connection", partOf(evidence, "poolWait"), "ms per request"),
      figureOf(
        "most requests waiting at a time",
        sumOf(pools, (pool) => pool.mostWaiting),
      ),
      figureOf(
        "requests without a connection",
        sumOf(pools, (pool) => pool.errors),
      ),
    ],
    prediction: ratePrediction(evidence.load, (size * 1_000) / useMs),
    weight: share,
    ...(idle <= 0.5 && largerOf(evidence, pools)),
  });
}

/** Connections that others need: an administrator, a migration, the next version while it starts. */
const spareConnections = 10;

/** As large as all requests that were at it need, where one line makes each worker's and the database allows it. */
function largerOf({ load, workers }: Evidence, pools: readonly Pool[]): Pick<Finding, "pool"> {
  const [pool] = pools.toSorted((a, b) => b.mostWaiting - a.mostWaiting);
  if (pool?.made === undefined || pools.length > workers.length) return {};
  if (
    pools.some(
      ({ made, most }) => placeKey(made ?? null) !== placeKey(pool.made ?? null) || most !== pool.most,
    )
  )
    return {};
  const allowed = ((load.database?.connectionsAllowed ?? 100) - spareConnections) / workers.length;
  // Who gets a connection at once counts as waiting for a moment, too.
  const wanted = Math.min(pool.most + pool.mostWaiting, load.virtualUsers, Math.floor(allowed));
  const more = wanted - pool.most;
  if (more <= 0) return {};
  // SQLAlchemy's limit is its size and what may overflow.
  const name = pool.kind.startsWith("sqlalchemy.") ? "pool_size" : "max_size";
  const from = name === "pool_size" ? pool.size : pool.most;
  return { pool: { place: pool.made, name, from, to: from + more } };
}

/** All workers' pools together want more connections than the database allows. */
export function largePool(evidence: Evidence): Finding | undefined {
  const { connectionsAllowed: allowed, connectionsPeak: peak } = evidence.load.database ?? {};
  const wanted = sumOf(evidence.workers, ({ pools }) => sumOf(pools, limitOf));
  const refused = sumOf(evidence.workers, ({ connects }) => connects.refused);
  const demand = Math.min(wanted, evidence.load.virtualUsers);
  if (allowed === undefined || peak === undefined || demand <= allowed || refused === 0) return undefined;
  return confirm({
    cause: "pool larger than the database allows",
    subject: `the pools of ${plural(evidence.workers.length, "worker")}`,
    summary: `may open ${wanted} connections, but the database allows ${allowed} and refused ${refused}`,
    advice: `Limit the pools of each worker to ${plural(Math.max(1, Math.floor(allowed / evidence.workers.length)), "connection")}.`,
    figures: [
      figureOf("connections that the pools may open", wanted),
      figureOf("connections that the database allows", allowed),
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
