import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { isPlain, schemaText, withKeys } from "../../scripts/lib/configuration-schema.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { endpointKeys } from "../../src/config/file/endpoint-forms.ts";
import { keys } from "../../src/config/file/keys.ts";
import { loginKeys } from "../../src/config/file/login-form.ts";
import { textOf } from "./files.ts";

const documentation = textOf("docs/configuration.md");
const ofEndpoints = textOf("docs/endpoints.md");
const examplesIn = (text: string) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    .map(([, yaml = ""]) => yaml)
    .filter((yaml) => !/^\s*(?:- )?uses:/.test(yaml)); // of a workflow
const examples = examplesIn(documentation);

describe("schema/loadtest.json", () => {
  test("is what the program reads by", () => {
    expect(textOf("schema/loadtest.json")).toBe(schemaText());
  });

  const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(schemaText()));

  const examplesOfKeys = keys.map(({ example }) => example);

  test.for([...examples, ...examplesIn(ofEndpoints), ...examplesOfKeys])(
    "accepts the example %# of the documentation or of a key, as the program does",
    (yaml) => {
      expect(isValid(parse(yaml) ?? {}), JSON.stringify(isValid.errors)).toBe(true);
      expect(parseConfigurationFile("loadtest.yml", "/", yaml)).toBeDefined();
    },
  );

  test.for(["endpoint: /a", "vus: [1]", "control: 1", "app-env: a", "- app"])(
    "refuses %s, as the program does",
    (yaml) => {
      expect(isValid(parse(yaml))).toBe(false);
      expect(() => parseConfigurationFile("loadtest.yml", "/", yaml)).toThrow(/invalid input/);
    },
  );
});

describe("docs/configuration.md", () => {
  test("lists the keys as the program has them", () => {
    expect(documentation).toBe(withKeys(documentation));
  });

  test("has an example for every key whose value is more than a word", () => {
    for (const { name } of keys.filter(({ example }) => !isPlain(example))) {
      const told = examples.some((yaml) => Object.keys(parse(yaml) ?? {}).includes(name));
      expect(told, name).toBe(true);
    }
  });

  test("without its marks is refused", () => {
    expect(() => withKeys("# Configuration\n")).toThrow(/lacks <!-- keys -->/);
  });
});

test("docs/endpoints.md has every key of an endpoint, with an example", () => {
  const items = examplesIn(ofEndpoints).flatMap((yaml) => parse(yaml)?.endpoints ?? []);
  for (const key of endpointKeys) {
    expect(ofEndpoints).toContain(`|\`${key}\`|`);
    expect(items.some((item: unknown) => typeof item === "object" && item !== null && key in item)).toBe(
      true,
    );
  }
});

test("docs/endpoints.md has every key of a login", () => {
  for (const key of loginKeys) expect(ofEndpoints).toMatch(new RegExp(`^\\|(.*, )?\`${key}\`.*\\|`, "m"));
});
