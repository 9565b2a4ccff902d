import type { Place } from "../model/findings/probe-document.ts";
import { type Evidence, sumOf } from "./evidence.ts";
import { functionKey } from "./loop-functions.ts";

/** CPU time of the garbage collector in a function of the user's, in milliseconds: no work of that function's own. */
export function collectingMs({ workers }: Pick<Evidence, "workers">, place: Place | null): number {
  if (place === null) return 0;
  const all = workers.flatMap(({ collections }) => collections);
  return sumOf(
    all.filter((each) => functionKey(each.place) === functionKey(place)),
    ({ cpuMs }) => cpuMs,
  );
}
