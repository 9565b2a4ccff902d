import { endpointLabel, type Requested } from "../endpoint/endpoint.ts";
import { isAbsent, isBroken, type StatusCounts, statusWords } from "../load/statuses.ts";
import type { LoneArm } from "./measurement.ts";

/** Reason for a cell without a base: one sentence, with the end of the log. */
export function noBase(reason: string, logTail = ""): LoneArm {
  return { kind: "no base", reason: reason.slice(0, 1_000), logTail: logTail.slice(-20_000) };
}

/**
 * The lone arm, when an endpoint is in one arm only, or the base answers nothing but errors. Judged by the replies to
 * the warm-up. `undefined` when both arms can be measured, or when the head is broken, which the report must show.
 */
export function loneArmOf(
  endpoint: Requested,
  replies: { readonly base: StatusCounts; readonly head: StatusCounts },
): LoneArm | undefined {
  const { base, head } = replies;
  const name = endpointLabel(endpoint).slice(0, 900);
  if (!isBroken(base)) {
    if (!isAbsent(head)) return undefined;
    return { kind: "removed", reason: `${name} is not in the head`, logTail: "" };
  }
  const statuses = Object.keys(base).map(statusWords).join(", ") || "no response";
  if (isBroken(head)) return noBase(`every request failed in both arms (base: ${statuses})`);
  if (isAbsent(base)) return { kind: "added", reason: `${name} is not in the base`, logTail: "" };
  return noBase(`every request to the base failed (${statuses})`);
}
