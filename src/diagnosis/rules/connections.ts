import { confirm, type Finding } from "../../model/findings/finding.ts";
import { type Evidence, partOf, sumOf } from "../evidence.ts";
import { figureOf, milliseconds, predictionOf } from "../wording.ts";

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
