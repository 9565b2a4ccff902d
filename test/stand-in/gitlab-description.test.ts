import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { type Form, type GitLabOperation, gitLabOperations, repliedFields } from "./gitlab-operations.ts";

/**
 * GitLab's description has 4 MB and a licence of its own, so it is not kept: LOADTEST_GITLAB_DESCRIPTION names a copy of
 * doc/api/openapi/openapi_v3.yaml.
 */
const path = process.env["LOADTEST_GITLAB_DESCRIPTION"];

const form = z.object({ type: z.string().optional(), enum: z.array(z.string()).optional() });
const reference = z.object({ $ref: z.string() });
const content = z.object({ "application/json": z.object({ schema: reference }) });
const operationSchema = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(["path", "query"]), required: z.boolean(), schema: form }))
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
const schemaSchema = z.object({
  properties: z.record(z.string(), form),
  required: z.array(z.string()).default([]),
});
const descriptionSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const description =
  path === undefined ? undefined : descriptionSchema.parse(parse(readFileSync(path, "utf8")));

test.runIf(description).each(Object.entries<GitLabOperation>(gitLabOperations))(
  "%s is as GitLab describes it",
  (_, operation) => {
    const described = operationSchema.parse(
      description?.paths[operation.path]?.[operation.method.toLowerCase()],
    );
    expect(operation).toMatchObject({
      pathForms: formsOf(described, "path"),
      query: formsOf(described, "query"),
      body: bodyOf(described),
      refusals: statusesOf(described).filter((status) => status >= 400),
    });
    const success = operation.describedStatus ?? operation.status;
    expect(statusesOf(described).filter((status) => status < 400)).toEqual([success]);
    if (operation.reply === undefined) return;
    const { properties } = schemaOf(described.responses[String(success)]?.content);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...repliedFields[operation.reply]]));
  },
);

type Described = z.infer<typeof operationSchema>;

function formsOf({ parameters }: Described, place: "path" | "query"): Record<string, Form> {
  const own = parameters.filter((parameter) => parameter.in === place);
  return Object.fromEntries(own.map(({ name, schema }) => [name, formOf(schema)]));
}

function formOf({ type, enum: words }: z.infer<typeof form>): Form {
  if (words !== undefined) return words;
  return type === "integer" || type === "boolean" ? type : "text";
}

function bodyOf({ requestBody }: Described): GitLabOperation["body"] {
  if (requestBody === undefined) return undefined;
  const { properties, required } = schemaOf(requestBody.content);
  const fields = Object.entries(properties).map(([name, property]) => [name, formOf(property)] as const);
  return { required, fields: Object.fromEntries(fields) };
}

function schemaOf(described: z.infer<typeof content> | undefined): z.infer<typeof schemaSchema> {
  const name = described?.["application/json"].schema.$ref.split("/").at(-1) ?? "";
  return schemaSchema.parse(description?.components.schemas[name]);
}

function statusesOf({ responses }: Described): number[] {
  return Object.keys(responses)
    .map(Number)
    .toSorted((one, other) => one - other);
}
