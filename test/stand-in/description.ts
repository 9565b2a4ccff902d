import * as z from "zod";

import api from "./fixtures/github-api.json" with { type: "json" };

/** GitHub's own description of its API, cut to the parts that we use by `description/cut.mjs`. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

const json: z.ZodType<Json> = z.json();
const content = z.strictObject({ "application/json": z.strictObject({ schema: json }) });

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(["path", "query"]),
  required: z.boolean().default(false),
  schema: json,
});
const responseSchema = z.object({
  content: content.optional(),
  headers: z.record(z.string(), json).default({}),
});
const operationSchema = z.strictObject({
  operationId: z.string(),
  parameters: z.array(z.union([z.strictObject({ $ref: z.string() }), parameterSchema])),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.union([z.strictObject({ $ref: z.string() }), responseSchema])),
});
const descriptionSchema = z.strictObject({
  openapi: z.literal("3.0.3"),
  info: z.strictObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    examples: z.record(z.string(), z.object({ value: json })),
    parameters: z.record(z.string(), parameterSchema),
    responses: z.record(z.string(), responseSchema),
    schemas: z.record(z.string(), json),
  }),
});

export const description = descriptionSchema.parse(api);

export type Operation = z.infer<typeof operationSchema>;
export type Parameter = z.infer<typeof parameterSchema>;
export type ReplyDescription = z.infer<typeof responseSchema>;

export function parametersOf(operation: Operation): readonly Parameter[] {
  return operation.parameters.map((parameter) =>
    "$ref" in parameter ? named(description.components.parameters, parameter.$ref) : parameter,
  );
}

/** `undefined`: this status is not in GitHub's description. */
export function replyOf(operation: Operation, status: number): ReplyDescription | undefined {
  const reply = operation.responses[String(status)];
  if (reply === undefined || !("$ref" in reply)) return reply;
  return named(description.components.responses, reply.$ref);
}

/** One of GitHub's own examples, to be filled in; the first item of a list. */
export function exampleOf(name: string): JsonObject {
  const { value } = named(description.components.examples, `/${name}`);
  const example = isList(value) ? value[0] : value;
  if (!isObject(example)) throw new Error(`the example ${name} is no object`);
  return example;
}

function named<T>(things: Readonly<Record<string, T>>, reference: string): T {
  const thing = things[reference.split("/").at(-1) ?? ""];
  if (thing === undefined) throw new Error(`the description has no ${reference}`);
  return thing;
}
