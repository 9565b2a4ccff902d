import { confirm, type Finding } from "../../model/findings/finding.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, servedMs, sumOf } from "../evidence.ts";
import { functionKey } from "../loop-functions.ts";
import type { Amount } from "../merged-amounts.ts";
import { loopRate, ratePrediction, unhinderedRate } from "../rates.ts";
import { at, endpointName, figureOf, locationOf, milliseconds, phrase } from "../wording.ts";
import { fewRepeats } from "./statements.ts";

/** Mean time of a statement from which it is slow, and its least share of the time in which a request is served. */
const slowMs = 40;
const leastShare = 0.5;
/** Share of a worker's time at work from which a statement may only wait for the interpreter. */
const mostCpuShare = 0.6;

/** Name of the figure. */
export const timeOfEach = "time of each";

/** Share of a statement's time by which the loop may be late. */
const mostLateShare = 0.3;

/** One statement that takes most of a request, whoever waits for it: the database, a lock, or too many rows. */
export function slowStatement(evidence: Evidence): readonly Finding[] {
  const { workers, load } = evidence;
  const timeMs = sumOf(workers, ({ busySeconds }) => busySeconds) * 1_000;
  if (sumOf(workers, ({ cpuMs }) => cpuMs) > mostCpuShare * timeMs) return [];
  return evidence.endpoints.flatMap((endpoint) => {
    const [statement] = endpoint.statements;
    if (statement === undefined || statement.count >= fewRepeats * statement.requests) return [];
    const ownMs = withoutCpuWaits(statement, evidence);
    if (ownMs / statement.count < slowMs) return [];
    if (isHeldUp(statement, evidence)) return [];
    const share = Math.min(1, ownMs / servedMs(endpoint.partsMs));
    if (share < leastShare) return [];
    const { place, count, totalMs, longestMs } = statement;
    return (
      confirm({
        cause: "slow statement",
        ...locationOf(endpoint, place),
        summary: phrase`${endpointName(endpoint)} waits ${milliseconds(totalMs / count)} for one statement${at(place)}, ${percent(share, "whole")} of the time in which a request is served.`,
        advice:
          "Look at its plan with `EXPLAIN (ANALYZE, BUFFERS)`: it may lack an index, read too many rows, or wait for a lock.",
        figures: [
          figureOf(timeOfEach, totalMs / count, "ms"),
          figureOf("longest", longestMs, "ms"),
          figureOf("share of the time in which a request is served", share, "share"),
        ],
        prediction: ratePrediction(load, Math.min(unhinderedRate(evidence), loopRate(evidence))),
        weight: share,
      }) ?? []
    );
  });
}

/** A statement's time without its part of that in which the database wanted a CPU and others had it. */
function withoutCpuWaits({ totalMs }: Amount, { endpoints, load }: Evidence): number {
  const allMs = sumOf(endpoints, ({ statements }) => sumOf(statements, (each) => each.totalMs));
  return Math.max(0, totalMs - (load.database?.cpuWaitMs ?? 0) * (totalMs / Math.max(allMs, 1e-9)));
}

/** A reply that is there waits until the loop turns. Where the statement itself holds the loop, its time is its own. */
function isHeldUp({ place, totalMs, count }: Amount, { workers, stalls }: Evidence): boolean {
  const latestMs = Math.max(0, ...workers.flatMap(({ loops }) => loops.map(({ lagMeanMs }) => lagMeanMs)));
  const holdsLoop = stalls.some((stall) => functionKey(stall.place) === functionKey(place));
  return !holdsLoop && latestMs > (mostLateShare * totalMs) / count;
}
