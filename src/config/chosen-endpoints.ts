import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import {
  autoLine,
  type Endpoint,
  endpointLabel,
  type Iteration,
  isMix,
  mixLine,
  mixSeparator,
  mostSteps,
  type Requested,
} from "../model/endpoint/endpoint.ts";
import { type EndpointForm, formName, formNamed, placeholdersIn } from "../model/endpoint/form.ts";
import * as values from "./input-values.ts";
import type { RawInputs } from "./inputs.ts";

export interface ChosenEndpoints {
  readonly requested: NonEmptyArray<Requested>;
  readonly forms: readonly EndpointForm[];
  /** Lines that the app's OpenAPI document may fill in. */
  readonly unfilled: readonly Endpoint[];
  /** False: only the app's own endpoints are requested, and `requested` means nothing. */
  readonly hasOthers: boolean;
  /** True when there is a mix of only some of the endpoints with a weight. */
  readonly isMixPartial: boolean;
  /** Lines whose parameters have no values, and paths that do not exist. One sentence each. */
  readonly problems: readonly string[];
}

/** Inputs without the lines `auto` and `auto POST /orders`; the default replaces them if nothing is left. */
export function withoutAuto(texts: RawInputs): {
  readonly texts: RawInputs;
  readonly isAll: boolean;
  /** As they would be typed, one per line; `undefined`: none. */
  readonly lines: string | undefined;
  readonly isOnly: boolean;
} {
  const all = (texts["endpoints"] ?? "").split("\n").map((line) => line.trim());
  const isAuto = (line: string) => line === autoLine || line.startsWith(`${autoLine} `);
  const rest = all.filter((line) => line !== "" && !isAuto(line));
  const lines = all
    .filter((line) => isAuto(line) && line !== autoLine)
    .map((line) => line.slice(autoLine.length));
  const isOnly = rest.length === 0 && all.some(isAuto);
  return {
    texts: { ...texts, endpoints: isOnly ? "/" : texts["endpoints"] && rest.join("\n") },
    isAll: all.includes(autoLine),
    lines: lines.length === 0 ? undefined : lines.join("\n"),
    isOnly,
  };
}

/** Gives lines that name an endpoint of the file its whole form. Those with a weight become one mix. */
export function chooseEndpoints(
  lines: NonEmptyArray<Endpoint>,
  iteration: Iteration | undefined,
  all: readonly EndpointForm[],
): ChosenEndpoints {
  const forms = new Set<EndpointForm>();
  const problems: string[] = [];
  const unfilled: Endpoint[] = [];
  const captured = new Set<string>();
  const wholeOf = (line: Endpoint): Endpoint => {
    const form = formNamed(all, line);
    if (form !== undefined) {
      forms.add(form);
      problems.push(...problemsOfNeeds(form, iteration === undefined ? undefined : captured));
      for (const { name } of form.captures ?? []) captured.add(name);
    } else if (iteration !== undefined) problems.push(...problemsOfStep(line, captured));
    else if (placeholdersIn(line.path).length > 0) unfilled.push(line);
    return form?.endpoint ?? line;
  };
  if (iteration !== undefined) {
    const steps = iteration.steps.map((step) => ("path" in step ? wholeOf(step) : step));
    const none = { hasOthers: true, isMixPartial: false };
    return { requested: [{ steps }], forms: [...forms], unfilled, ...none, problems };
  }
  const wholes = lines.map(wholeOf).filter((endpoint) => !unfilled.includes(endpoint));
  const requested = mixed(wholes, all);
  if (requested.some((each) => isMix(each) && each.mix.length > mostSteps))
    problems.push(`endpoints: at most ${mostSteps} may have a weight; remove some`);
  const hasOthers = isNonEmpty(requested);
  const weighted = all.filter(({ weight }) => weight !== undefined).length;
  return {
    requested: hasOthers ? requested : lines,
    forms: [...forms],
    unfilled,
    hasOthers,
    isMixPartial: requested.some((each) => isMix(each) && each.mix.length < weighted),
    problems,
  };
}

function mixed(wholes: readonly Endpoint[], forms: readonly EndpointForm[]): Requested[] {
  const weighted = wholes.flatMap((endpoint) => {
    const weight = forms.find((form) => form.endpoint === endpoint)?.weight;
    return weight === undefined ? [] : [{ weight, endpoint }];
  });
  if (weighted.length < 2) return [...wholes];
  const [first] = weighted;
  return wholes.flatMap((endpoint): Requested[] => {
    if (endpoint === first?.endpoint) return [{ mix: weighted }];
    return weighted.some((each) => each.endpoint === endpoint) ? [] : [endpoint];
  });
}

function problemsOfNeeds(
  { needs = [], places, endpoint }: EndpointForm,
  captured: ReadonlySet<string> | undefined,
): string[] {
  return needs
    .filter((name) => !captured?.has(name))
    .map((name) =>
      captured === undefined
        ? `${places[""]}: endpoints: ${formName(endpoint)} needs {${name}} from another request; list both in \`iteration\`, in order`
        : `iteration: ${formName(endpoint)} needs {${name}}, which no earlier step captures; add one that does`,
    );
}

function problemsOfStep({ method, path }: Endpoint, captured: ReadonlySet<string>): string[] {
  const names = placeholdersIn(path).filter((name) => !captured.has(name));
  if (names.length === 0) return [];
  const named = names.map((name) => `{${name}}`).join(", ");
  return [
    `iteration: ${method} ${path} has no values for ${named}; describe it in the configuration file with \`params\` (docs/configuration.md)`,
  ];
}

/** Inputs whose `endpoints` has no line `mix`, and the problems of such lines: one sentence each. */
interface WithoutMix {
  readonly texts: RawInputs;
  readonly problems: readonly string[];
}

/** Replaces a line such as `mix` or `mix /items, POST /orders` by endpoints that have a weight. */
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
  // The problem is reported once, above: the lines that go on are right.
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
  const known = those === "" ? "no endpoint has a weight" : `choose from ${those}`;
  return `endpoints: ${JSON.stringify(line)} must list two or more endpoints of the file that have a weight, each once, separated by ", "; ${known}`;
}

function quoted(lines: readonly string[]): string {
  return lines.map((line) => JSON.stringify(line)).join(" and ");
}
