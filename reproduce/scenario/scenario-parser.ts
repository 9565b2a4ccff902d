import { parseDocument as parseYaml } from "yaml";
import * as z from "zod";
import { inputs, textsOf, unknownInput } from "../../src/engine.ts";
import { parseClaimOverrides } from "../documents/claim-overrides.ts";
import type { Claim } from "../documents/claims.ts";
import { checkValue, refuse } from "../documents/document.ts";
import { idsOf, type Scenario, type ScenarioCase, type Size } from "./scenario.ts";
import { fillIn, type Parameters } from "./scenario-values.ts";

/** Text as on the command line. A list is one line for each item, a mapping `NAME=value` lines. */
const valueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
  z.record(z.string(), z.union([z.string(), z.number()])),
]);
const inputsSchema = z.record(z.string(), valueSchema);

const besideSchema = z.strictObject({
  command: z.string().min(1),
  variable: z.string().regex(/^[A-Z_][A-Z0-9_]*$/, "must be a variable name"),
});

/** Settings that defaults, sizes, cases and sizes of cases may all have. The later one wins. */
const layerShape = {
  inputs: inputsSchema.default({}),
  parameters: z.record(z.string(), z.number()).default({}),
  facts: z.record(z.string(), z.string()).default({}),
  beside: besideSchema.nullable().optional(),
  turns: z.int().min(1).max(9).optional(),
};
const layerSchema = z.strictObject(layerShape);
type Layer = z.infer<typeof layerSchema>;

const sizedSchema = z.strictObject({ ...layerShape, claims: z.unknown().optional() });

const caseIdSchema = z.string().min(1).max(100);
const caseSchema = z.strictObject({
  ...layerShape,
  id: caseIdSchema,
  also: z.array(caseIdSchema).default([]),
  quick: layerSchema.optional(),
  full: layerSchema.optional(),
});

const documentSchema = z.strictObject({
  title: z.string().min(1).max(200),
  report: z.string().min(1).max(100),
  ...layerShape,
  sizes: z.strictObject({ quick: sizedSchema, full: sizedSchema }),
  cases: z.array(caseSchema).min(1).max(200),
});

/**
 * Reads a scenario file: YAML whose inputs have the names, meanings and defaults of the command line. Each case takes
 * the file's values for all, then its size's, then its own, then its own for this size. Parameters fill `{name}` in
 * inputs.
 *
 * @param name of the scenario
 * @throws InputError with the place of everything that is wrong
 */
export function parseScenario(name: string, yaml: string, size: Size, claims: readonly Claim[]): Scenario {
  const file = `reproduce/scenarios/${name}.yml`;
  const parsed = parseYaml(yaml, { merge: true, uniqueKeys: true });
  refuse(
    file,
    parsed.errors.map(({ message }) => message),
  );
  const document = checkValue(file, documentSchema, parsed.toJS({ maxAliasCount: 1_000 }));
  const sized = document.sizes[size];
  const cases = document.cases.map((each): ScenarioCase => {
    const layers = [document, sized, each, each[size]].filter((layer) => layer !== undefined);
    return caseOf(each, layers);
  });
  refuse(file, problemsOf(cases));
  const overrides = parseClaimOverrides(sized.claims ?? {}, claims);
  return { name, title: document.title, report: document.report, cases, claims: overrides };
}

type Values = z.infer<typeof inputsSchema>;

/** The later of two layers wins. Mappings (variables of the app) are merged. */
function mergeValues(layers: readonly Values[]): Values {
  const merged: Values = {};
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const before = merged[name];
    merged[name] = isMapping(before) && isMapping(value) ? { ...before, ...value } : value;
  }
  return merged;
}

function isMapping(value: Values[string] | undefined): value is Record<string, string | number> {
  return typeof value === "object" && !Array.isArray(value);
}

function caseOf({ id, also }: Pick<ScenarioCase, "id" | "also">, layers: readonly Layer[]): ScenarioCase {
  const parameters: Parameters = Object.assign({}, ...layers.map((layer) => layer.parameters));
  const values = textsOf(mergeValues(layers.map((layer) => layer.inputs)));
  const beside = layers.map((layer) => layer.beside).findLast((each) => each !== undefined) ?? undefined;
  const turns = layers.map((layer) => layer.turns).findLast((each) => each !== undefined) ?? 1;
  return {
    id,
    also,
    turns,
    inputs: fillIn(values, parameters),
    parameters,
    facts: Object.assign({}, ...layers.map((layer) => layer.facts)),
    beside: beside && {
      ...beside,
      command: fillIn({ command: beside.command }, parameters)["command"] ?? "",
    },
  };
}

function problemsOf(cases: readonly ScenarioCase[]): string[] {
  const known = new Set(inputs.map((input) => input.name));
  const ids = cases.flatMap(idsOf);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} appears twice`),
    ...cases.flatMap(({ id, inputs: given }) =>
      Object.keys(given)
        .filter((key) => !known.has(key))
        .map((key) => `${id}: ${unknownInput(key)}`),
    ),
  ];
}
