import { expect, test } from "vitest";

import type { Project } from "../../../src/init/project.ts";
import { withAccepted } from "../../../src/init/repair/values.ts";

const made = "made-up-for-the-load-test";
const field = (name: string) => ({
  name,
  path: "a.py",
  isNeeded: true,
  type: "str",
  value: undefined,
  isField: true,
});

function project(given: Readonly<Record<string, string>>): Project {
  return {
    ...{ files: [], installer: undefined, openRequirements: [], examples: new Map() },
    ...{ lacks: [], proposals: [], variables: [field("APP_TABLE"), field("MODE"), field("OWN")] },
    findings: [{ key: "app-env", value: given, reason: "" }],
  };
}

const refused = (words: string, kind: string) => ({
  phase: "start app" as const,
  log: `pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nTABLE\n  ${words} [type=${kind}, input_value='${made}', input_type=str]`,
});

test.for<[words: string, kind: string, value: string]>([
  ["String should match pattern '^[a-z_]+$'", "string_pattern_mismatch", "loadtest"],
  ["Input should be 'development', 'staging' or 'production'", "enum", "development"],
  ["String should have at least 30 characters", "string_too_short", `${made}xxxxx`],
  ["String should have at most 8 characters", "string_too_long", "made-up-"],
  ["Input should be a valid integer, unable to parse string as an integer", "int_parsing", "1"],
  ["Input should be a valid number, unable to parse string as a number", "float_parsing", "1"],
  ["Input should be a valid boolean, unable to interpret input", "bool_parsing", "false"],
  ["Input should be a valid URL, relative URL without a base", "url_parsing", "http://127.0.0.1:1"],
  ["Input should be a valid UUID, invalid character", "uuid_parsing", "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
  ["Input should be greater than or equal to 12", "greater_than_equal", "12"],
  ["Input should be greater than 12", "greater_than", "13"],
  ["Input should be less than or equal to 5", "less_than_equal", "5"],
])("what was made up gets a value that is accepted: %s", ([words, kind, value]) => {
  const after = withAccepted(project({ APP_TABLE: made, MODE: made }), refused(words, kind));
  expect(after?.project.findings[0]?.value).toEqual({ APP_TABLE: value, MODE: made });
  expect(after?.message).toBe(
    `the app rejects the invented value of APP_TABLE (${words}); \`app-env\` sets another`,
  );
});

test("a number that was made up, too", () => {
  const variables = [{ ...field("APP_TABLE"), type: "int" }];
  const after = withAccepted(
    { ...project({ APP_TABLE: "1" }), variables },
    refused("Input should be greater than or equal to 12", "greater_than_equal"),
  );
  expect(after?.project.findings[0]?.value).toEqual({ APP_TABLE: "12" });
});

test("nothing is changed that somebody wrote, or of which nothing better is known", () => {
  const pattern = refused("String should match pattern '^[a-z_]+$'", "string_pattern_mismatch");
  expect(withAccepted(project({ APP_TABLE: "mine" }), pattern)).toBeUndefined();
  expect(withAccepted(project({}), pattern)).toBeUndefined();
  expect(withAccepted({ ...project({}), findings: [] }, pattern)).toBeUndefined();
  const other = refused("Value error, must be a moon", "value_error");
  expect(withAccepted(project({ APP_TABLE: made }), other)).toBeUndefined();
  expect(
    withAccepted(project({ APP_TABLE: "7" }), refused("Input should be greater than 12", "greater_than")),
  ).toBeUndefined();
  const rare = refused("String should match pattern '^never$x'", "string_pattern_mismatch");
  expect(withAccepted(project({ APP_TABLE: made }), rare)).toBeUndefined();
});
