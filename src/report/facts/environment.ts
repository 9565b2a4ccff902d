import type { Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import { type Environment, machineKey } from "../../model/measurement/environment.ts";
import { usualServer } from "../../model/workload/servers.ts";
import { figure, plural } from "../../text/numbers.ts";

export interface RecordedFact {
  readonly name: string;
  /** Foreign text, the most frequent first. One value when all cells agree. */
  readonly values: readonly { readonly text: string; readonly cells: number }[];
}

const fields: readonly (readonly [name: string, text: (environment: Environment) => string | undefined])[] = [
  ["CPU", ({ cpuModel }) => cpuModel],
  ["Cores", ({ cores }) => plural(cores, "core")],
  ["CPUs of the app", ({ appCpus }) => appCpus],
  ["CPUs of k6 and Postgres", ({ otherCpus }) => otherCpus],
  ["Memory", ({ memoryBytes }) => `${figure(memoryBytes / 1e9)} GB`],
  ["Runner", ({ runner }) => runner],
  ["Platform", ({ platform }) => platform],
  ["Kernel", ({ kernel }) => kernel],
  ["k6", ({ k6 }) => k6 || undefined],
  ["Locust", ({ k6, packages }) => (k6 === "" ? ownValue(packages, "locust") : undefined)],
  ["Postgres", ({ postgres }) => postgres],
  ["Python", ({ python }) => python],
  [usualServer.name, ({ packages }) => ownValue(packages, usualServer.needs[0])],
  ["Event loop", ({ eventLoop }) => eventLoop],
  ["HTTP parser", ({ httpParser }) => httpParser],
  ["FastAPI", ({ packages }) => ownValue(packages, "fastapi")],
  ["Node", ({ node }) => node],
];

/** Environment of the cells, in a fixed order. Properties that no cell recorded are left out. */
export function factsOf(rows: readonly Row[]): RecordedFact[] {
  const environments = environmentsOf(rows);
  return fields
    .map(([name, text]) => ({ name, values: tally(environments.map(text)) }))
    .filter(({ values }) => values.length > 0);
}

export function packageFactsOf(rows: readonly Row[]): RecordedFact[] {
  const installed = environmentsOf(rows).flatMap(({ packages }) => Object.entries(packages));
  return [...groupBy(installed, ([name]) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => ({ name, values: tally(each.map(([, version]) => version)) }));
}

/** A package that the arms have in different versions; an empty text for an arm that lacks it. */
export interface PackageDifference {
  readonly name: string;
  readonly base: string;
  readonly head: string;
}

/** Packages in which base differs from the head, by name: a cause that no diff of the app's own files shows. */
export function packageDifferencesOf(rows: readonly Row[]): PackageDifference[] {
  const found = environmentsOf(rows).flatMap(({ packages, basePackages = {} }) =>
    Object.entries(basePackages).map(([name, base]) => ({
      name,
      base,
      head: ownValue(packages, name) ?? "",
    })),
  );
  const different = groupBy(found, ({ name, base, head }) => JSON.stringify([name, base, head]));
  return [...different.values()]
    .flatMap((each) => each.slice(0, 1))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The CPUs that cells were measured on, if more than one. A foreign sentence. */
export function machinesSentence(rows: readonly Row[]): string | undefined {
  const environments = environmentsOf(rows);
  const machines = new Map<string, string>();
  for (const environment of environments)
    machines.set(machineKey(environment), `${environment.cpuModel}, ${plural(environment.cores, "core")}`);
  if (machines.size < 2) return undefined;
  const kinds = tally([...machines.values()]).map(({ text, cells }) => `${cells} with ${text}`);
  return (
    `The cells were measured on ${machines.size} machines (${listed(kinds, "; ")}): ` +
    "throughput, latency and CPU time are not comparable between rows."
  );
}

export function listed(items: readonly string[], separator = ", "): string {
  const rest = items.length - 3;
  return items.slice(0, 3).join(separator) + (rest > 0 ? `${separator}and ${rest} more` : "");
}

function environmentsOf(rows: readonly Row[]): Environment[] {
  return rows.map(({ environment }) => environment).filter((environment) => environment !== undefined);
}

/** Counts equal values; `cells` is the number of cells with that value. */
function tally(values: readonly (string | undefined)[]): RecordedFact["values"] {
  const known = values.filter((value) => value !== undefined);
  return [...groupBy(known, (value) => value)]
    .filter(([text]) => text !== "")
    .map(([text, each]) => ({ text, cells: each.length }))
    .toSorted((a, b) => b.cells - a.cells);
}

function ownValue(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
