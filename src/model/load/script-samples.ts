import { sum } from "../../statistics/estimate.ts";
import { growth, type Histogram, histogramCount, histogramOf, quantileMs } from "./histogram.ts";
import { loneSlicing } from "./slicing.ts";

/** Requests are counted in those of a load on one arm. */
const { sliceMs } = loneSlicing;
const logGrowth = Math.log(growth);
/** Most kinds of requests that are told apart: addresses with a key in them are one kind each. */
const mostKinds = 5_000;
const mostRequests = 50;
/** Most parts that are handed on, and longest name of one. */
export const mostParts = 500;
const longestName = 200;
const fieldPattern = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/** Durations of a script's parts. */
export interface GroupTimes {
  readonly name: string;
  readonly count: number;
  readonly meanMs: number;
  readonly p95Ms: number;
}

/** Durations of one part, from which those of several processes can be added up. */
export interface CountedPart {
  readonly name: string;
  readonly totalMs: number;
  /** Times of no length are in `zeros` alone. */
  readonly latency: Histogram;
  readonly zeros: number;
}

/** All parts of a script, as far as they are handed on: groups, and kinds of requests with the most frequent ones first. */
export interface CountedParts {
  readonly groups: CountedPart[];
  readonly requests: CountedPart[];
}

interface Counts {
  requests: number;
  failures: number;
  totalMs: number;
  maxMs: number;
  lastMs: number;
  firstByteMs?: number;
  readonly statuses: Record<string, number>;
  readonly buckets: number[];
}

/** Times of a script's parts, by their names. */
export interface PartTimes {
  readonly groups: GroupTimes[];
  /** The most frequent kinds, by method and name; absent where there is one kind only. */
  readonly requests?: GroupTimes[];
}

/** The times of counted parts; requests where there are several kinds. */
export function timesOf({ groups, requests }: CountedParts): PartTimes {
  return {
    groups: groups.map(timesOfPart),
    ...(requests.length > 1 && { requests: requests.slice(0, mostRequests).map(timesOfPart) }),
  };
}

function timesOfPart({ name, totalMs, latency, zeros }: CountedPart): GroupTimes {
  const count = countOf({ latency, zeros });
  return { name, count, meanMs: totalMs / count, p95Ms: quantileMs(latency, 0.95) ?? 0 };
}

/** How often it was timed. */
export function countOf({ latency, zeros }: Pick<CountedPart, "latency" | "zeros">): number {
  return histogramCount(latency) + zeros;
}

/**
 * Counts the samples that k6 writes of any script (`--out csv`, times in milliseconds), one line after the other. So a
 * script that knows nothing of slices gives the same records as ours.
 *
 * @param baseUrl of the app: k6 names a request by its address, unless the script does
 * @param commonStartMs instant from which slices are counted, in milliseconds since 1970; absent: when the first request was
 *   sent
 */
export function countSamples(
  arm: string,
  baseUrl: string,
  commonStartMs?: number,
): {
  readonly add: (line: string) => void;
  /** Records in the form of `k6/load.ts`. */
  readonly records: () => string;
  readonly parts: () => CountedParts;
  /** Milliseconds from the start until the first request was sent; `undefined`: none was. */
  readonly firstMs: () => number | undefined;
  readonly counts: () => { readonly requests: number; readonly failures: number };
} {
  const slices = new Map<number, Counts>();
  const groups = new Map<string, number[]>();
  const kinds = new Map<string, number[]>();
  let columns: readonly string[] = [];
  let startMs = commonStartMs;
  let sentMs: number | undefined;
  const sliceOf = (time: number) => Math.max(0, Math.floor((time - (startMs ?? time)) / sliceMs));
  const add = (line: string): void => {
    if (columns.length === 0) {
      columns = fieldsOf(line);
      return;
    }
    const isRequest = line.startsWith("http_req_duration,");
    const isFirstByte = line.startsWith("http_req_waiting,");
    if (!isRequest && !isFirstByte && !line.startsWith("group_duration,")) return;
    const fields = fieldsOf(line);
    const field = (name: string) => fields[columns.indexOf(name)] ?? "";
    const [time, ms] = [Number(field("timestamp")), Number(field("metric_value"))];
    if (isFirstByte) {
      const counts = slices.get(sliceOf(time)); // k6 writes it after the request's duration
      if (counts !== undefined) counts.firstByteMs = (counts.firstByteMs ?? 0) + ms;
      return;
    }
    if (!isRequest) {
      note(groups, field("group"), ms);
      return;
    }
    const name = field("name");
    const path = name.startsWith(baseUrl) ? name.slice(baseUrl.length) || "/" : name;
    note(kinds, `${field("method")} ${path}`.trim(), ms);
    startMs ??= time - ms;
    sentMs = Math.min(sentMs ?? time - ms, time - ms);
    const index = sliceOf(time);
    const counts = slices.get(index) ?? nothing();
    slices.set(index, counts);
    const status = field("status");
    const key = /^[1-9]\d\d$/.test(status) ? status : `error ${Number(field("error_code")) || 0}`;
    counts.requests += 1;
    counts.failures += field("expected_response") === "true" ? 0 : 1;
    counts.totalMs += ms;
    counts.maxMs = Math.max(counts.maxMs, ms);
    counts.lastMs = Math.max(counts.lastMs, time - startMs);
    counts.statuses[key] = (counts.statuses[key] ?? 0) + 1;
    if (ms > 0) counts.buckets.push(Math.ceil(Math.log(ms) / logGrowth));
  };
  return {
    add,
    records: () => [...slices].map(([index, counts]) => recordOf(index, arm, counts)).join("\n"),
    counts: () => ({
      requests: sum([...slices.values()].map(({ requests }) => requests)),
      failures: sum([...slices.values()].map(({ failures }) => failures)),
    }),
    parts: () => ({
      groups: [...groups]
        .filter(([name]) => !/^(::setup|::teardown)?$/.test(name))
        .slice(0, mostParts)
        .map(([name, all]) => partOf(name, all)),
      requests: [...kinds]
        .toSorted(([, one], [, other]) => other.length - one.length)
        .slice(0, mostParts)
        .map(([name, all]) => partOf(name, all)),
    }),
    firstMs: () => (sentMs === undefined ? undefined : Math.max(0, sentMs - (startMs ?? sentMs))),
  };
}

function note(all: Map<string, number[]>, name: string, ms: number): void {
  const times = all.get(name) ?? [];
  if (all.size < mostKinds) all.set(name, times);
  times.push(ms);
}

function nothing(): Counts {
  return { requests: 0, failures: 0, totalMs: 0, maxMs: 0, lastMs: 0, statuses: {}, buckets: [] };
}

function recordOf(index: number, arm: string, counts: Counts): string {
  const { requests, failures, totalMs, maxMs, lastMs, statuses, buckets, firstByteMs } = counts;
  return JSON.stringify([
    index,
    arm,
    requests,
    failures,
    totalMs,
    maxMs,
    -1,
    statuses,
    buckets,
    0,
    0,
    lastMs,
    ...(firstByteMs === undefined ? [] : [firstByteMs]),
  ]);
}

function partOf(name: string, all: readonly number[]): CountedPart {
  const timed = all.filter((ms) => ms > 0);
  return {
    name: name.slice(0, longestName),
    totalMs: sum(all),
    latency: histogramOf(timed.map((ms) => Math.ceil(Math.log(ms) / logGrowth))),
    zeros: all.length - timed.length,
  };
}

/** Names may contain commas and quotes. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(fieldPattern)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
