import { isList, isObject, type Json, type JsonObject } from "./description.ts";

/** Words of OpenAPI beside a schema that JSON Schema does not know. */
const foreignWords = new Set(["nullable", "discriminator", "deprecated"]);

/** GitHub writes OpenAPI 3.0, whose schemas differ from JSON Schema in how they allow `null` and name each other. */
export function toJsonSchema(schema: Json): JsonObject {
  if (!isObject(schema)) throw new Error("a schema is an object");
  const converted = Object.fromEntries(
    Object.entries(schema)
      .filter(([word]) => !foreignWords.has(word))
      .map(([word, value]) => [word, convert(word, value)]),
  );
  if (schema["nullable"] !== true) return converted;
  const { type, enum: values } = converted;
  if (typeof type !== "string")
    throw new Error("a nullable schema without a type: toJsonSchema cannot do that yet");
  return { ...converted, type: [type, "null"], ...(isList(values) ? { enum: [...values, null] } : {}) };
}

function convert(word: string, value: Json): Json {
  switch (word) {
    case "$ref":
      return String(value).replace("#/components/schemas/", "github#/$defs/");
    case "properties":
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJsonSchema(inner)]))
        : value;
    case "items":
      return toJsonSchema(value);
    case "additionalProperties":
      return isObject(value) ? toJsonSchema(value) : value;
    case "oneOf":
    case "anyOf":
    case "allOf":
      return isList(value) ? value.map(toJsonSchema) : value;
    default:
      return value;
  }
}
