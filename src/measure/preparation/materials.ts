import { type LinkedReplies, valueOfLinks } from "../../endpoints/linked-value.ts";
import { type Material, materialOf, mostRows, valuesInRange } from "../../endpoints/rows.ts";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { type Requested, stepsOf } from "../../model/endpoint/endpoint.ts";
import {
  formName,
  type LinkedValue,
  type ParameterSource,
  type ParameterValue,
} from "../../model/endpoint/form.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { DatabaseTemplate } from "../../ports/database.ts";
import type { LoadPorts, LoadRequest } from "../../ports/load.ts";

export type Materials = ReadonlyMap<string, Material>;

/** Requests, and the endpoints whose keys only the head has, each with the reason as a sentence. */
export interface MadeMaterials {
  readonly materials: Materials;
  readonly ofHeadOnly: ReadonlyMap<string, string>;
  /** Endpoints that cannot be requested, because no link gives a value, each with the reason as a sentence. */
  readonly unlinked: ReadonlyMap<string, string>;
}

export interface LinksOfArms {
  readonly head?: LinkedReplies;
  readonly base?: LinkedReplies;
}

/**
 * Makes the requests of every endpoint that has a form, once, so that both arms and all replicates get the same ones.
 * Queries run on a copy of the head's database. A base with data of its own is queried, too, and only shared values are
 * used, where there are any. Throws one `InputError` for all parameters without values.
 */
export async function prepareMaterials(
  { forms }: Workload,
  template: DatabaseTemplate | undefined,
  ofBase?: DatabaseTemplate,
  links: LinksOfArms = {},
): Promise<MadeMaterials> {
  const queries = forms.flatMap(({ params }) => Object.values(params).filter(({ kind }) => kind === "sql"));
  await using database = queries.length === 0 ? undefined : await template?.copy();
  await using base = queries.length === 0 ? undefined : await ofBase?.copy();
  const problems: string[] = [];
  const materials = new Map<string, Material>();
  const ofHeadOnly = new Map<string, string>();
  const unlinked = new Map<string, string>();
  for (const form of forms) {
    const values: Record<string, readonly ParameterValue[]> = {};
    for (const [name, source] of Object.entries(form.params)) {
      if (source.kind === "link") {
        const linked = linkedInBoth(source.links, links);
        const needed = `its ${name} is what a link of the OpenAPI document names, but`;
        if (typeof linked === "string") unlinked.set(formName(form.endpoint), `${needed} ${linked}`);
        else if (linked.isOfHead) ofHeadOnly.set(formName(form.endpoint), `${needed} ${otherKey}`);
        if (typeof linked !== "string") values[name] = [linked.value];
        continue;
      }
      const found =
        source.kind === "sql" ? await queriedInBoth(source.query, database, base) : valuesOf(source);
      const place = `${form.places[name]}: params.${name}`;
      if (typeof found === "string") problems.push(`${place}: ${found}`);
      else if ("ofHead" in found) {
        values[name] = found.ofHead;
        ofHeadOnly.set(formName(form.endpoint), `${place}: ${noShared}`);
      } else values[name] = found;
    }
    if (!unlinked.has(formName(form.endpoint)))
      materials.set(formName(form.endpoint), materialOf(form, values));
  }
  if (problems.length > 0) throw new InputError(problems);
  return { materials, ofHeadOnly, unlinked };
}

const otherKey =
  "the base has another value there, because each fills a database of its own; make the same keys each time (a fixed seed), or use SQL files";

/** A base that does not answer, or lacks the value, may lack the endpoint altogether: the dry request finds that out. */
function linkedInBoth(
  links: readonly LinkedValue[],
  { head, base = head }: LinksOfArms,
): { readonly value: ParameterValue; readonly isOfHead: boolean } | string {
  const own = valueOfLinks(links, head);
  if (typeof own === "string") return own;
  const other = valueOfLinks(links, base);
  return { ...own, isOfHead: typeof other !== "string" && other.value !== own.value };
}

const noShared =
  "the query gives no value that head and base both have, because each fills a database of its own; make the same keys each time (a fixed seed), or use SQL files";

function valuesOf(source: Exclude<ParameterSource, { kind: "sql" | "link" }>): readonly ParameterValue[] {
  switch (source.kind) {
    case "range":
      return valuesInRange(source.from, source.to);
    case "list":
      return source.values;
    case "csv":
      return source.values;
  }
}

type Copy = Awaited<ReturnType<DatabaseTemplate["copy"]>>;

/** Rows that are read from each arm to find shared values: the arms may return their rows in different orders. */
const mostCompared = 1_000_000;

/** A base without such rows may lack the endpoint altogether: the dry request finds that out. */
async function queriedInBoth(
  query: string,
  head: Copy | undefined,
  base: Copy | undefined,
): Promise<readonly ParameterValue[] | { readonly ofHead: readonly ParameterValue[] } | string> {
  if (base === undefined) return await queried(query, head, mostRows);
  const values = await queried(query, head, mostCompared);
  if (typeof values === "string") return values;
  const others = await queried(query, base, mostCompared);
  if (typeof others === "string") return values.slice(0, mostRows);
  const known = new Set(others.map(String));
  const common = values.filter((value) => known.has(String(value)));
  return common.length > 0 ? common.slice(0, mostRows) : { ofHead: values.slice(0, mostRows) };
}

async function queried(
  query: string,
  database: Copy | undefined,
  most: number,
): Promise<readonly ParameterValue[] | string> {
  if (database === undefined) return "needs a database of ours (database: postgres) to ask for values";
  try {
    const found = (await database.readColumn(query, most)).filter((value) => value !== null);
    if (found.length === 0) return "the query gave no values; correct it, or seed the rows that it looks for";
    return found.map((value) => (typeof value === "number" ? value : String(value)));
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return `the query failed: ${error.message}`;
  }
}

/** Ports whose loads send the materials of their endpoints, or run in the Python that has Locust. */
export function sendingMaterials<P extends Pick<LoadPorts, "generateLoad">>(
  ports: P,
  { materials, locust }: Pick<LoadRequest, "locust"> & { readonly materials: Materials },
): P {
  if (materials.size === 0 && locust === undefined) return ports;
  return {
    ...ports,
    generateLoad: (request, signal) => {
      const found = materialsFor(request.endpoint, materials);
      return ports.generateLoad({ ...request, materials: found, ...defined({ locust }) }, signal);
    },
  };
}

/** Materials by step: `undefined` for a step without any, and instead of the list when no step has any. */
export function materialsFor(
  requested: Requested,
  materials: Materials,
): readonly (Material | undefined)[] | undefined {
  const found = stepsOf(requested).map((step) =>
    "path" in step && step.form !== undefined ? materials.get(formName(step)) : undefined,
  );
  return found.some((each) => each !== undefined) ? found : undefined;
}
