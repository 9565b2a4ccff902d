import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { description, type Json, type JsonObject } from "./description.ts";
import { toJsonSchema } from "./json-schema.ts";

/** Judges values by the schemas of the description. */

const $defs = Object.fromEntries(
  Object.entries(description.components.schemas).map(([name, schema]) => [name, toJsonSchema(schema)]),
);

const bodies = prepare(false);
// Everything in an address is text, and its schema gives the type.
const parameters = prepare(true);

/** Each way in which a body breaks its schema, as a sentence; none when it is right. */
export function problemsOfBody(schema: Json, value: unknown): readonly string[] {
  return judge(bodies(schema), value);
}

/** The same for the parameters in an address. */
export function problemsOfParameters(
  schema: JsonObject,
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return judge(parameters(schema), { ...values });
}

function prepare(coerceTypes: boolean): (schema: Json) => ValidateFunction {
  const ajv = new Ajv({ allErrors: true, coerceTypes, strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "github", $defs });
  const known = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const validate = known.get(key) ?? ajv.compile(toJsonSchema(schema));
    known.set(key, validate);
    return validate;
  };
}

function judge(validate: ValidateFunction, value: unknown): readonly string[] {
  return validate(value) ? [] : (validate.errors ?? []).map(sentence);
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const extra = "additionalProperty" in params ? ` (${String(params["additionalProperty"])})` : "";
  return `${instancePath || "the whole"} ${message ?? "is wrong"}${extra}`;
}
