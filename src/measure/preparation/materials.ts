import { type Material, materialOf, mostRows, valuesInRange } from "../../endpoints/rows.ts";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { type Requested, stepsOf } from "../../model/endpoint/endpoint.ts";
import { formName, type ParameterSource, type ParameterValue } from "../../model/endpoint/form.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { DatabaseCopy, DatabaseTemplate } from "../../ports/database.ts";
import type { LoadPorts, LoadRequest } from "../../ports/load.ts";

export type Materials = ReadonlyMap<string, Material>;

/** Requests, and the endpoints whose keys only the head has, each with the reason as a sentence. */
export interface MadeMaterials {
  readonly materials: Materials;
  readonly ofHeadOnly: ReadonlyMap<string, string>;
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
): Promise<MadeMaterials> {
  const queries = forms.flatMap(({ params }) => Object.values(params).filter(({ kind }) => kind === "sql"));
  await using head = queries.length === 0 ? undefined : await template?.copy();
  await using base = queries.length === 0 ? undefined : await ofBase?.copy();
  const problems: string[] = [];
  const materials = new Map<string, Material>();
  const ofHeadOnly = new Map<string, string>();
  for (const form of forms) {
    const key = formName(form.endpoint);
    const values: Record<string, readonly ParameterValue[]> = {};
    for (const [name, source] of Object.entries(form.params)) {
      const found = await valuesOf(source, head, base);
      const place = `${form.places[name]}: params.${name}:`;
      if (typeof found !== "string") {
        values[name] = found.values;
        if (found.ofHeadOnly !== undefined) ofHeadOnly.set(key, `${place} ${found.ofHeadOnly}`);
      } else problems.push(`${place} ${found}`);
    }
    materials.set(key, materialOf(form, values));
  }
  if (problems.length > 0) throw new InputError(problems);
  return { materials, ofHeadOnly };
}

interface Found {
  readonly values: readonly ParameterValue[];
  /** Why only the head has them, as the end of a sentence. */
  readonly ofHeadOnly?: string | undefined;
}

const remedy =
  "because each version fills its own database; generate the same keys each time (with a fixed random seed), or use SQL files";

/** Rows that are read from each arm to find shared values: the arms may return their rows in different orders. */
const mostCompared = 1_000_000;

/** A base without such rows may lack the endpoint altogether: the dry request finds that out. */
async function valuesOf(
  source: ParameterSource,
  head: DatabaseCopy | undefined,
  base: DatabaseCopy | undefined,
): Promise<Found | string> {
  if (source.kind === "range") return { values: valuesInRange(source.from, source.to) };
  if (source.kind !== "sql") return { values: source.values };
  const values = await queried(source.query, head, base === undefined ? mostRows : mostCompared);
  if (typeof values === "string") return values;
  const others = base === undefined ? "" : await queried(source.query, base, mostCompared);
  if (typeof others === "string") return { values: values.slice(0, mostRows) };
  const known = new Set(others.map(String));
  const shared = values.filter((value) => known.has(String(value)));
  if (shared.length > 0) return { values: shared.slice(0, mostRows) };
  const ofHeadOnly = `the query returns no value that head and base both have, ${remedy}`;
  return { values: values.slice(0, mostRows), ofHeadOnly };
}

async function queried(
  query: string,
  database: DatabaseCopy | undefined,
  most: number,
): Promise<readonly ParameterValue[] | string> {
  if (database === undefined) return "needs a database that the run creates (database: postgres)";
  try {
    const found = (await database.readColumn(query, most)).filter((value) => value !== null);
    if (found.length === 0)
      return "the query returned no values; correct it, or seed the rows that it looks for";
    return found.map((value) => (typeof value === "number" ? value : String(value)));
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return `the query failed: ${error.message}`;
  }
}

/** Ports whose loads send the materials of their endpoints, or run in the Python that has Locust. */
export function sendingMaterials<P extends Pick<LoadPorts, "generateLoad">>(
  ports: P,
  {
    materials,
    ...ofScript
  }: Pick<LoadRequest, "locust"> & {
    readonly materials: Materials;
    readonly variables?: LoadRequest["variables"] | undefined;
  },
): P {
  if (materials.size === 0 && Object.values(ofScript).every((each) => each === undefined)) return ports;
  return {
    ...ports,
    generateLoad: (request, signal) => {
      const found = materialsFor(request.endpoint, materials);
      return ports.generateLoad({ ...request, materials: found, ...defined(ofScript) }, signal);
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
