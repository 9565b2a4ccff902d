import type { EndpointForm, LinkedValue, ParameterValue } from "../model/endpoint/form.ts";
import { capturedIn } from "./captures.ts";
import type { Reply } from "./dry-request.ts";

/** What an arm answers at the sources of links, by their paths: a reply, or the end of a sentence why there is none. */
export type LinkedReplies = ReadonlyMap<string, Reply | string>;

/** Links of all parameters that take their values from one. */
export function linksOfForms(forms: readonly EndpointForm[]): readonly LinkedValue[] {
  const sources = forms.flatMap(({ params }) => Object.values(params));
  return sources.flatMap((source) => (source.kind === "link" ? source.links : []));
}

/** The value of the first link that has one, or a sentence that says why there is none. */
export function valueOfLinks(
  links: readonly LinkedValue[],
  replies: LinkedReplies | undefined,
): { readonly value: ParameterValue } | string {
  let problem = "no link was followed";
  for (const { source, pointer } of links) {
    const reply = replies?.get(source) ?? "was not asked";
    const value =
      typeof reply === "string" || reply.status >= 400
        ? undefined
        : capturedIn(reply, { name: "", kind: "json", place: pointer });
    if (value !== undefined) return { value };
    const said = typeof reply === "string" ? reply : `answered ${reply.status} without a value at ${pointer}`;
    problem = `GET ${source} ${said}`;
  }
  return problem;
}
