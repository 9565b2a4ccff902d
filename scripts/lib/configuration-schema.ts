import * as z from "zod";

import { configurationSchema } from "../../src/config/file/configuration-file.ts";
import { type Key, keys } from "../../src/config/file/keys.ts";
import { withPart } from "./marked-regions.ts";

/** Address at which editors find it. */
const id = "https://raw.githubusercontent.com/org/fastapi-loadtest-action/v1/schema/loadtest.json";

/** The JSON Schema of the configuration file, for editors, as text. */
export function schemaText(): string {
  const { $schema, properties = {}, ...rest } = z.toJSONSchema(configurationSchema, { io: "input" });
  const described = keys.map((key) => [
    key.name,
    Object.assign({ description: describe(key) }, properties[key.name]),
  ]);
  const schema = {
    $schema,
    $id: id,
    title: "Configuration of fastapi-loadtest-action",
    description: "`.github/loadtest.yml`; see docs/configuration.md.",
    ...rest,
    properties: Object.fromEntries(described),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** The part of docs/configuration.md that lists the keys. */
export function keysText(): string {
  return keys
    .map((key) => `### \`${key.name}\`\n\n${describe(key, key.details)}\n${exampleOf(key)}`)
    .join("\n");
}

/** A key with one plain value needs no example: the page has one for all of them. */
function exampleOf({ example }: Key): string {
  return isPlain(example) ? "" : `\n\`\`\`yaml\n${example}\n\`\`\`\n`;
}

/** True for `name: value` without quotes or brackets. */
export function isPlain(example: string): boolean {
  return /^[\w-]+: [^"'{[]+$/.test(example);
}

/** The document with its list of keys as the program has them. Throws when a mark is missing. */
export function withKeys(document: string): string {
  return withPart(document, "keys", keysText().trimEnd());
}

/** With its default as the last sentence. */
function describe({ description, fallback }: Key, details?: string): string {
  const standard = fallback === "" ? undefined : `Default: \`${fallback}\`.`;
  return [description, details, standard].filter((each) => each !== undefined).join(" ");
}
