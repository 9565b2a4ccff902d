import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import type { ReachDocument } from "../reach/reach-documents.ts";
import { type Calls, callsKey } from "./change-facts.ts";

/** Calls of each of the user's functions in one request of each arm, over the requests of one window. */
export function callsPerRequest(
  documents: Readonly<Record<ArmName, readonly ReachDocument[]>>,
  window: string,
  requests: Readonly<Record<ArmName, number>>,
): ReadonlyMap<string, Calls> {
  const found = new Map<string, Calls>();
  for (const arm of armNames) {
    for (const [key, count] of countsIn(documents[arm], window)) {
      const known = found.get(key) ?? { base: 0, head: 0 };
      found.set(key, { ...known, [arm]: known[arm] + count / Math.max(1, requests[arm]) });
    }
  }
  return found;
}

function countsIn(
  documents: readonly ReachDocument[],
  window: string,
): readonly (readonly [string, number])[] {
  return documents
    .flatMap(({ files }) => files)
    .flatMap(({ file, functions }) =>
      (functions ?? []).flatMap(({ name, ran, calls }) => {
        const count = calls?.[ran.indexOf(window)];
        return count === undefined ? [] : [[callsKey(file, name), count] as const];
      }),
    );
}
