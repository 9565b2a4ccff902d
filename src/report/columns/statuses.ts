import { statusPattern } from "../../model/load/statuses.ts";
import { count } from "../../text/numbers.ts";

/** k6's error codes that say more in words. From k6's documentation, "Error codes". */
const errorNames: ReadonlyMap<string, string> = new Map([
  ["error 1050", "timed out"],
  ["error 1101", "host not found"],
  ["error 1211", "connecting timed out"],
  ["error 1212", "connection refused"],
  ["error 1220", "connection reset"],
]);

/** Count of each status, the most frequent first: `1,990 × 200, 10 × 503`. Safe text whatever the keys. */
export function statusCounts(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .toSorted(([statusA, timesA], [statusB, timesB]) => timesB - timesA || (statusA < statusB ? -1 : 1))
    .map(([status, times]) => `${count(times)} × ${nameOf(status)}`)
    .join(", ");
}

/** Counts of the statuses that k6 regards as failed: no reply, or a status outside of 200 to 399. */
export function failureCounts(statuses: Readonly<Record<string, number>>): string {
  const failed = Object.entries(statuses).filter(([status]) => !/^[23]\d\d$/.test(status));
  return statusCounts(Object.fromEntries(failed));
}

/** Shows known forms only; k6 and our script write no others. */
function nameOf(status: string): string {
  return errorNames.get(status) ?? (statusPattern.test(status) ? status : "other");
}
