import { sum } from "../../statistics/estimate.ts";
import { growth, histogramOf, quantileMs } from "./histogram.ts";
import { loneSlicing } from "./slicing.ts";

/** Requests are counted in those of a load on one arm. */
const { sliceMs } = loneSlicing;
const logGrowth = Math.log(growth);
/** Most kinds of requests that are distinguished: addresses with a key in them are one kind each. */
const mostKinds = 5_000;
const mostRequests = 50;
const fieldPattern = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/** Durations of a script's parts. */
export interface GroupTimes {
  readonly name: string;
  readonly count: number;
  readonly meanMs: number;
  readonly p95Ms: number;
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

/**
 * Counts the samples that k6 writes of any script (`--out csv`, times in milliseconds), one line after the other. So a
 * script that knows nothing of slices gives the same records as ours.
 *
 * @param baseUrl of the app: k6 names a request by its address, unless the script does
 */
export function countSamples(
  arm: string,
  baseUrl: string,
): {
  readonly add: (line: string) => void;
  /** Records in the form of `k6/load.ts`. */
  readonly records: () => string;
  readonly times: () => PartTimes;
  readonly counts: () => { readonly requests: number; readonly failures: number };
} {
  const slices = new Map<number, Counts>();
  const groups = new Map<string, number[]>();
  const kinds = new Map<string, number[]>();
  let columns: readonly string[] = [];
  let startMs: number | undefined;
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
    times: () => ({
      groups: [...groups].filter(([name]) => !/^(::setup|::teardown)?$/.test(name)).map(timesOf),
      ...(kinds.size > 1 && {
        requests: [...kinds]
          .toSorted(([, one], [, other]) => other.length - one.length)
          .slice(0, mostRequests)
          .map(timesOf),
      }),
    }),
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

function timesOf([name, all]: readonly [string, readonly number[]]): GroupTimes {
  const latency = histogramOf(all.filter((ms) => ms > 0).map((ms) => Math.ceil(Math.log(ms) / logGrowth)));
  return { name, count: all.length, meanMs: sum(all) / all.length, p95Ms: quantileMs(latency, 0.95) ?? 0 };
}

/** Names may contain commas and quotes. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(fieldPattern)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
