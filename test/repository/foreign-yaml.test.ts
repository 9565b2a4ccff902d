import { expect, test } from "vitest";

import { foreignYaml } from "../../src/repository/composed-service.ts";

/** YAML of this many characters. */
const long = (length: number) => `a: ${"x".repeat(length - 3)}`;
const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"]
  .concat(
    [..."bcdefg"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdef"[at]}`).join(", ")}]`),
  )
  .join("\n");

test.for<readonly [what: string, text: string, expected: unknown]>([
  ["a mapping", "services:\n  web:\n    ports: [8000]\n", { services: { web: { ports: [8000] } } }],
  ["no text", "", null],
  ["an alias", "a: &a [1]\nb: *a\n", { a: [1], b: [1] }],
  ["a tag that nobody knows", "a: !vault secret\n", { a: "secret" }],
  ["a template", "{% if redis %}\nservices: {}\n{% endif %}\n", undefined],
  ["a template of which the beginning is YAML", "a: 1\nb: {{ b }}:2\n", undefined],
  ["several documents", "a: 1\n---\na: 2\n", undefined],
  ["a bracket that nothing closes", "a: [1, 2\n", undefined],
  ["aliases that multiply", laughs, undefined],
  ["as long as anybody writes it", long(50_000), { a: "x".repeat(49_997) }],
  ["too long", long(50_001), undefined],
])("%s", ([, text, expected]) => {
  expect(foreignYaml(text)).toEqual(expected);
});
