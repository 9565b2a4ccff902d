import { endpointLabel, mixLine, mixSeparator } from "../model/endpoint/endpoint.ts";
import { type EndpointForm, formNamed } from "../model/endpoint/form.ts";
import * as values from "./input-values.ts";
import type { RawInputs } from "./raw-inputs.ts";

/** Inputs whose `endpoints` no longer has a `mix`, and the problems of such lines: one sentence each. */
export interface WithoutMix {
  readonly texts: RawInputs;
  readonly problems: readonly string[];
}

/**
 * Replaces the line `mix` by endpoints: by all of the file that have a weight, or only by those that a line such as
 * `mix /items, POST /orders` names. No path has a space in it.
 */
export function withMixWrittenOut(texts: RawInputs, forms: readonly EndpointForm[]): WithoutMix {
  const { endpoints } = texts;
  const weighted = forms.filter(({ weight }) => weight !== undefined);
  const isPart = (line: string) => line.startsWith(`${mixLine} `);
  const lines = (endpoints ?? "").split("\n").map((line) => line.trim());
  const mixes = lines.filter((line) => line === mixLine || isPart(line));
  if (mixes.length === 0 || (weighted.length === 0 && !mixes.some(isPart))) return { texts, problems: [] };
  const problems = [
    ...(mixes.length > 1 ? [`endpoints: only one line may be a mix (got ${quoted(mixes)})`] : []),
    ...mixes.filter(isPart).flatMap((line) => problemOfPart(line, forms, weighted) ?? []),
  ];
  const names = weighted.map(({ endpoint: { method, path } }) => `${method} ${path}`);
  const others = lines.filter((line) => !mixes.includes(line));
  // The problem is told once, above: the lines that go on are right.
  if (problems.length > 0)
    return { texts: { ...texts, endpoints: others.join("\n").trim() || "/" }, problems };
  const written = lines.flatMap((line) => {
    if (line === mixLine) return names;
    return isPart(line) ? partsOf(line) : [line];
  });
  return { texts: { ...texts, endpoints: written.join("\n") }, problems };
}

function partsOf(line: string): readonly string[] {
  return line
    .slice(mixLine.length)
    .split(mixSeparator)
    .map((part) => part.trim());
}

function problemOfPart(
  line: string,
  forms: readonly EndpointForm[],
  weighted: readonly EndpointForm[],
): string | undefined {
  const meant = partsOf(line).map((part) => {
    const read = values.endpoints.safeParse(part);
    const form = read.success ? formNamed(forms, read.data[0]) : undefined;
    return form?.weight === undefined ? undefined : form;
  });
  if (meant.length > 1 && !meant.includes(undefined) && new Set(meant).size === meant.length)
    return undefined;
  const those = weighted.map(({ endpoint }) => endpointLabel(endpoint)).join(mixSeparator);
  const known = those === "" ? "none has one" : `those are ${those}`;
  return `endpoints: ${JSON.stringify(line)} must name two or more endpoints of the file that have a weight, each once, with ", " between them; ${known}`;
}

function quoted(lines: readonly string[]): string {
  return lines.map((line) => JSON.stringify(line)).join(" and ");
}
