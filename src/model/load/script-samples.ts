import { sum } from "../../statistics/estimate.ts";
import { growth, histogramOf, quantileMs } from "./histogram.ts";
import { hostElsewhere } from "./script-hosts.ts";
import { loneSlicing } from "./slicing.ts";
import { isFailure, judgedStatus, noStatus } from "./statuses.ts";

/** Requests are counted in those of a load on one arm. */
const { sliceMs } = loneSlicing;
const logGrowth = Math.log(growth);
/** Most kinds of requests that are distinguished: addresses with a key in them are one kind each. */
const mostKinds = 5_000;
const mostRequests = 50;
const mostHosts = 10;
/** Names may have line breaks, but a quote that nobody closes must not hold the whole file. */
const longestRow = 1_000_000;
const fieldPattern = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

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

export interface PartTimes {
  readonly groups: GroupTimes[];
  /** The most frequent kinds, by method and name; absent where there is one kind only. */
  readonly requests?: GroupTimes[];
}

export interface Samples {
  readonly add: (line: string) => void;
  /** Records in the form of `k6/load.ts`. */
  readonly records: () => string;
  readonly times: () => PartTimes;
  readonly counts: () => { readonly requests: number; readonly failures: number };
  /** Hosts other than the app's that were requested. */
  readonly hosts: () => readonly string[];
  /** The first request that failed: `POST /login`, `404`. */
  readonly firstFailure: () => readonly [kind: string, status: string] | undefined;
}

/** Counts a script's samples (`--out csv`, in ms) into records like ours. */
export function countSamples(arm: string, baseUrl: string): Samples {
  const slices = new Map<number, Counts>();
  const groups = new Map<string, number[]>();
  const kinds = new Map<string, number[]>();
  let columns: readonly string[] = [];
  let startMs: number | undefined;
  /** The samples of a request follow each other, its judgement last: none where the script switched it off. */
  let request: Request | undefined;
  let unfinished = "";
  const hosts = new Set<string>();
  let firstFailure: readonly [string, string] | undefined;
  const settle = () => {
    if (request === undefined) return;
    const { timeMs, ms, kind, status, isFailed, firstByteMs } = request;
    request = undefined;
    note(kinds, kind, ms);
    startMs ??= timeMs - ms;
    const index = Math.max(0, Math.floor((timeMs - startMs) / sliceMs));
    const counts = slices.get(index) ?? nothing();
    slices.set(index, counts);
    const key = judgedStatus(status, isFailed);
    counts.requests += 1;
    if (isFailure(key)) {
      counts.failures += 1;
      firstFailure ??= [kind, key];
    }
    counts.totalMs += ms;
    counts.maxMs = Math.max(counts.maxMs, ms);
    counts.lastMs = Math.max(counts.lastMs, timeMs - startMs);
    counts.statuses[key] = (counts.statuses[key] ?? 0) + 1;
    if (ms > 0) counts.buckets.push(Math.ceil(Math.log(ms) / logGrowth));
    if (firstByteMs !== undefined) counts.firstByteMs = (counts.firstByteMs ?? 0) + firstByteMs;
  };
  const addRow = (row: string): void => {
    if (columns.length === 0) {
      columns = fieldsOf(row);
      return;
    }
    if (!/^(http_req_(duration|waiting|failed)|group_duration),/.test(row)) return;
    const fields = fieldsOf(row);
    const field = (name: string) => fields[columns.indexOf(name)] ?? "";
    const value = Number(field("metric_value"));
    switch (fields[0]) {
      case "http_req_duration":
        settle();
        if (hosts.size < mostHosts) hosts.add(hostElsewhere(field("url"), baseUrl) ?? "");
        request = {
          timeMs: Number(field("timestamp")),
          ms: value,
          kind: kindOf(field("method"), field("name"), baseUrl),
          status: statusOf(field("status"), field("error_code")),
        };
        return;
      case "http_req_waiting":
        if (request !== undefined) request.firstByteMs = value;
        return;
      case "http_req_failed":
        if (request !== undefined) request.isFailed = value !== 0;
        settle();
        return;
      default:
        note(groups, field("group"), value);
    }
  };
  return {
    add: (line) => {
      const row = unfinished === "" ? line : `${unfinished}\n${line}`;
      unfinished = isWhole(row) || row.length > longestRow ? "" : row;
      if (unfinished === "") addRow(row);
    },
    records: () => {
      settle();
      return [...slices].map(([index, counts]) => recordOf(index, arm, counts)).join("\n");
    },
    counts: () => {
      settle();
      return {
        requests: sum([...slices.values()].map(({ requests }) => requests)),
        failures: sum([...slices.values()].map(({ failures }) => failures)),
      };
    },
    hosts: () => [...hosts].filter((host) => host !== ""),
    firstFailure: () => {
      settle();
      return firstFailure;
    },
    times: () => {
      settle();
      return {
        groups: [...groups].filter(([name]) => !/^(::setup|::teardown)?$/.test(name)).map(timesOf),
        ...(kinds.size > 1 && {
          requests: [...kinds]
            .toSorted(([, one], [, other]) => other.length - one.length)
            .slice(0, mostRequests)
            .map(timesOf),
        }),
      };
    },
  };
}

interface Request {
  readonly timeMs: number;
  readonly ms: number;
  readonly kind: string;
  readonly status: string;
  firstByteMs?: number;
  /** The tool's own judgement; absent: it has none. */
  isFailed?: boolean;
}

function kindOf(method: string, name: string, baseUrl: string): string {
  const path = name.startsWith(baseUrl) ? name.slice(baseUrl.length) || "/" : name;
  return `${method} ${path}`.trim();
}

/** Locust has requests without a status. */
function statusOf(status: string, code: string): string {
  if (/^[1-9]\d\d$/.test(status)) return status;
  return status === noStatus ? noStatus : `error ${Number(code) || 0}`;
}

/** True when no quoted field goes on in the next line. */
function isWhole(row: string): boolean {
  return !row.includes('"') || row.split('"').length % 2 === 1;
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
