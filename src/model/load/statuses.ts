import * as z from "zod";
import { count, mostThings, passed } from "../measurement/amounts.ts";

/** A request that was still under way 30 s after the end of the load, when k6 stops waiting. */
export const cutOff = "cut off";

/** A success, to a Locust file, of something other than HTTP. */
export const noStatus = "no status";

/** Names of replies. `no value`: a later step's value is missing. `200 failed`: a script said so. */
export const statusPattern = /^((\d{3}|error \d{1,5})( failed| expected)?|cut off|no value|no status)$/;

/** Requests by HTTP status, or `error N` with k6's error code when no reply came, or `cut off`. */
export type StatusCounts = Readonly<Record<string, number>>;

/** In a copy, where a status is a name like a number, the engine keeps a place for all numbers before it: 2.5 kB. */
export const statusCountsSchema = passed(z.record(z.string().regex(statusPattern), count), isFine);

function isFine(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Keys and not entries: a large report has half a million of these.
  return Object.keys(value).every((status) => {
    const each: unknown = Reflect.get(value, status);
    return (
      typeof each === "number" &&
      Number.isInteger(each) &&
      each >= 0 &&
      each <= mostThings &&
      statusPattern.test(status)
    );
  });
}

export function mergeStatuses(all: readonly StatusCounts[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const statuses of all) {
    for (const status of Object.keys(statuses))
      total[status] = (total[status] ?? 0) + (statuses[status] ?? 0);
  }
  return total;
}

/** As the script judged; else as k6 counts: transport errors, and statuses from 400 on. */
export function isFailure(status: string): boolean {
  return !/^([1-3]\d\d|.* expected|no status)$/.test(status);
}

/** The name of a status that a script judged; `undefined`: it did not. */
export function judgedStatus(status: string, isFailed: boolean | undefined): string {
  if (isFailed === undefined || isFailed === isFailure(status)) return status;
  return `${status} ${isFailed ? "failed" : "expected"}`;
}

/** k6's error codes in words. From k6's documentation, "Error codes". */
const errorWords: ReadonlyMap<number, string> = new Map([
  [1010, "network error"],
  [1020, "invalid URL"],
  [1050, "timed out"],
  [1100, "failed name resolution"],
  [1101, "host not found"],
  [1110, "address other than the app's"],
  [1111, "host other than the app's"],
  [1200, "TCP error"],
  [1201, "connection broken while sending"],
  [1210, "no connection"],
  [1211, "connecting timed out"],
  [1212, "connection refused"],
  [1213, "no connection"],
  [1220, "connection reset"],
  [1300, "TLS error"],
  [1301, "no TLS at that port"],
  [1310, "certificate of an unknown authority"],
  [1311, "certificate of another host"],
  [1701, "response that cannot be decompressed"],
]);

/** A status as people read it. Safe text whatever the key. */
export function statusWords(status: string): string {
  if (!statusPattern.test(status)) return "other";
  return status
    .replace(/^error (\d+)/, (_, code: string) => errorWords.get(Number(code)) ?? errorOfKind(Number(code)))
    .replace(/ failed$/, " that the script calls a failure")
    .replace(/ expected$/, " that the script expects");
}

function errorOfKind(code: number): string {
  if (code >= 1600 && code < 1700) return `HTTP/2 error ${code}`;
  return code === 0 || code === 1000 ? "no response" : `error ${code}`;
}

export function isBroken(statuses: StatusCounts): boolean {
  return Object.keys(statuses).every(isFailure);
}

/** True when the app answered every request with: no such endpoint. */
export function isAbsent(statuses: StatusCounts): boolean {
  const all = Object.keys(statuses);
  return all.length > 0 && all.every((status) => status === "404" || status === "405");
}
