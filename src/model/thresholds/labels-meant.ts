import { endpointLabel, isMix, mixLine, type Requested } from "../endpoint/endpoint.ts";

/**
 * Names of the endpoints that a threshold means: the one of that name, else those with that name before their query, or
 * every mix for `mix`.
 */
export function labelsMeant(name: string, all: readonly Requested[]): ReadonlySet<string> {
  const exact = all.filter((each) => endpointLabel(each) === name);
  const alike = all.filter((each) =>
    isMix(each) ? name === mixLine : "path" in each && endpointLabel(each).split("?")[0] === name,
  );
  return new Set((exact.length > 0 ? exact : alike).map(endpointLabel));
}
