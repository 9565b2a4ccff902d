import { longestText, mostItems, type Seen } from "../model/findings/diagnosis.ts";
import { type Evidence, partOf } from "./evidence.ts";
import { mergeAmounts, placeKey } from "./merged-amounts.ts";

/** The evidence as it travels between jobs. */
export function seenOf(evidence: Evidence): Seen {
  const statements = mergeAmounts(
    evidence.endpoints.flatMap((each) => each.statements),
    (each) => each.text + placeKey(each.place),
  );
  return {
    requests: evidence.requests,
    partsMs: {
      total: partOf(evidence, "total"),
      cpu: partOf(evidence, "cpu"),
      blocked: partOf(evidence, "blocked"),
      loopWait: partOf(evidence, "loopWait"),
      threadWait: partOf(evidence, "threadWait"),
      poolWait: partOf(evidence, "poolWait"),
      connect: partOf(evidence, "connect"),
      database: partOf(evidence, "database"),
      elsewhere: partOf(evidence, "elsewhere"),
      inThreads: partOf(evidence, "inThreads"),
    },
    stalls: evidence.stalls.slice(0, mostItems).map(({ place, count: times, totalMs, longestMs, cpuMs }) => ({
      ...(place && { place }),
      count: times,
      totalMs,
      longestMs,
      cpuMs,
    })),
    statements: statements.slice(0, mostItems).map(({ place, count: times, totalMs, longestMs, text }) => ({
      ...(place && { place }),
      count: times,
      totalMs,
      longestMs,
      text: text.slice(0, longestText),
    })),
  };
}
