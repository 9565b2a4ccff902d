import { confirm, type Finding } from "../../model/findings/finding.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, sumOf } from "../evidence.ts";
import { cpuRate, cpuShare, ratePrediction } from "../rates.ts";
import { figureOf } from "../wording.ts";
import { loopCapacity } from "./held-loop.ts";
import { sharesText, workerShares } from "./taken-threads.ts";

/** More workers than CPUs, and the CPUs are saturated. */
export function workersBeyondCores(evidence: Evidence): Finding | undefined {
  const { workers, appCpus } = evidence.load;
  if (workers <= appCpus) return undefined;
  return confirm({
    cause: "workers beyond the cores",
    summary: `${workers} workers share ${plural(appCpus, "CPU")}, of which they use ${percent(cpuShare(evidence), "whole")}: more of them cannot answer more requests.`,
    advice: `Start ${Math.max(1, Math.floor(appCpus))}; each further one costs memory and connections only.`,
    figures: [
      figureOf("workers", workers),
      figureOf("CPUs that they may use", appCpus),
      figureOf("CPU time", evidence.cpuMs / evidence.requests, "ms per request"),
      figureOf(
        "memory of all workers",
        sumOf(evidence.workers, (each) => each.memory.nowBytes ?? 0),
        "bytes",
      ),
    ],
    prediction: ratePrediction(evidence.load, cpuRate(evidence)),
    weight: 1 - appCpus / workers,
  });
}

/** The busiest worker is saturated while others could do more: keep-alive binds each connection to one of them. */
export function unevenWorkers(evidence: Evidence): Finding | undefined {
  const { workers, virtualUsers } = evidence.load;
  const shares = workerShares(evidence);
  const most = shares[0] ?? 0;
  if (workers < 2 || virtualUsers < 2 * workers || evidence.requests < 100 || most * workers < 1.5)
    return undefined;
  const all = [...shares, ...Array.from({ length: workers - shares.length }, () => 0)];
  const capacity = Math.max(...evidence.workers.map((worker) => loopCapacity(worker)));
  return confirm({
    cause: "one worker gets most requests",
    summary: `Of ${workers} workers one gets ${percent(most, "whole")} of the requests (${sharesText(all)}), and is full.`,
    advice:
      "Keep-alive binds each connection to one worker: spread connections with a proxy in front, or listen with SO_REUSEPORT.",
    figures: all.map((share, index) => figureOf(`share of worker ${index + 1}`, share, "share")),
    prediction: ratePrediction(evidence.load, capacity / most),
    weight: Math.min(1, most - 1 / workers),
  });
}
