import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseConfig } from "../../src/config/config-parser.ts";
import { type ConfigurationFile, parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { isKey, keys } from "../../src/config/file/keys.ts";
import { InputError } from "../../src/errors/errors.ts";
import { cpuMs } from "../cpu-time.ts";
import { hostileText } from "../text/hostile-text.ts";
import { isPolluted, numbersIn, numRuns, timeout } from "./mutation.ts";

const secret = "hunter2-hunter2";
const files = {
  resolve: (path: string) => `/work/${path}`,
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};

/** Lines that are right, nearly right, or that make a reader of YAML do what nobody expects. */
const lines = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...keys.map(({ example }) => example)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        "app: &app app.main:app",
        "working-directory: *app",
        "server: *missing",
        "<<: *app",
        "<<: {vus: 3}",
      ],
      ...[
        "__proto__: {polluted: 1}",
        "constructor: {prototype: {polluted: 1}}",
        "<<: {__proto__: {extra: 1}}",
      ],
      ...[
        "app-env: {__proto__: 1, extra: 2}",
        "app-env: &e {a: *e}",
        `app-env: {A: ${secret}}`,
        "toString: 1",
      ],
      ...[
        "vus: .nan",
        "vus: -.inf",
        "vus: 0x10",
        "vus: 1_000",
        "vus: 1e999",
        "vus: !!str 3",
        "workers: [.inf]",
      ],
      ...[
        "port: 8080:1",
        "app: !!python/object/apply:os.system [id]",
        "app: !<tag:x> y",
        "app: !!binary aGk=",
      ],
      ...["%YAML 1.1", "---", "...", "--- app: x", "? [app, b]\n: 1", "? app\n", "? {a: b}\n: c", "a: b: c"],
      ...["\tapp: x", "app: |\n  a\n   b", "app: >-\n  a\n\n  b", "seed: [a,\n\n]", "- app", "\ufeffapp: x"],
      ...[
        "endpoints: [/a, [/b]]",
        "endpoints:\n- /a\n-",
        "# app: x",
        "app: 'x",
        'app: "\\ud800"',
        "app: \u0000",
      ],
      ...[
        `database-url: [postgresql://u:${secret}@h/d]`,
        `app-env: [A=${secret}]`,
        `app-env: {A: [${secret}]}`,
      ],
      ...[
        "null: 1",
        "~: ~",
        "true: 1",
        "1: 1",
        "vus:",
        "vus: ~",
        "{app: x}",
        "[app]",
        "*",
        "&",
        "!",
        "@",
        "`",
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...keys.map(({ name }) => name), "wrkers", "__proto__"), hostileText)
      .map(([key, text]) => `${key}: ${text}`),
  },
  { weight: 1, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("[", "{a: ", "- ", "? ", "!!seq [", "&a ["), fc.integer({ min: 1, max: 300 }))
      .map(([piece, times]) => `endpoints: ${piece.repeat(times)}`),
  },
);

/** A file of such lines, now and then cut or with something put in between. */
const yamlText = fc
  .tuple(
    fc.array(lines, { maxLength: 8 }),
    fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n  "),
    fc.option(fc.tuple(fc.nat(), fc.constantFrom("", "\n", ":", " ", "\u2028", "'", '"', "#", "\t")), {
      freq: 3,
    }),
  )
  .map(([parts, end, cut]) => {
    const text = parts.join(end);
    if (cut === null) return text;
    const place = cut[0] % (text.length + 1);
    return cut[1] === "" ? text.slice(0, place) : text.slice(0, place) + cut[1] + text.slice(place);
  });

/** The file, or what is wrong with it. */
function read(yaml: string): ConfigurationFile | readonly string[] {
  try {
    return parseConfigurationFile("f.yml", "/repo", yaml);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

function isFile(found: ConfigurationFile | readonly string[]): found is ConfigurationFile {
  return "texts" in found;
}

test("T18, T19: a configuration file is read, or refused with the places of what is wrong", {
  timeout,
}, () => {
  let readable = 0;
  fc.assert(
    fc.property(yamlText, (yaml) => {
      const found = read(yaml);
      expect(isPolluted()).toBe(false);
      if (!isFile(found)) {
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(51);
        for (const each of found) {
          expect(each).toMatch(/^(?:f\.yml(?::\d+:\d+)?: |and \d+ more$)/);
          expect(each.length).toBeLessThanOrEqual(1_500);
        }
        return;
      }
      readable += 1;
      const { texts, places } = found;
      expect(Object.keys(texts).filter((name) => !isKey(name))).toEqual([]);
      expect(Object.keys(places)).toEqual(Object.keys(texts));
      for (const place of Object.values(places)) expect(place).toMatch(/^f\.yml:\d+:\d+$/);
      for (const text of Object.values(texts)) expect(typeof text).toBe("string");
      checkUse(found);
    }),
    { numRuns },
  );
  expect(readable).toBeGreaterThan(numRuns / 20); // not all of the cases are refused at once
});

/** What can be read is a configuration, or refused as inputs are. */
function checkUse(file: ConfigurationFile): void {
  try {
    const config = parseConfig("run", {}, files, { file });
    for (const number of numbersIn(config)) expect(Number.isFinite(number)).toBe(true);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
  }
  expect(isPolluted()).toBe(false);
}

const withSecret = fc.constantFrom(
  ...[
    `database-url: [postgresql://u:${secret}@h/d]`,
    `database-url: {a: ${secret}}`,
    `database-url: '${secret}`,
  ],
  ...[
    `app-env: [A=${secret}]`,
    `app-env: {A: [${secret}]}`,
    `app-env: {"A B": ${secret}}`,
    `app-env: ${secret}`,
  ],
  ...[`app-env: {A: ${secret}`, `app-env:\n  A: ${secret}\n B: 1`, `app-env: |\n  A=${secret}`],
  ...[`app-env:\n  A: "${secret}\\x"`, `app-env: {A: ${secret}, A: 2}`, `app-env: {A: ${secret}: 1}`],
);
const besides = fc.constantFrom(
  ...[
    ...keys.map(({ example }) => example),
    "wrkers: 1",
    "vus: [1]",
    "- x",
    "a: b: c",
    "control: x",
    "[",
    "'",
  ],
);

test("T32: what a file says of secrets is in no message about it", { timeout }, () => {
  fc.assert(
    fc.property(
      fc.array(besides, { maxLength: 3 }),
      withSecret,
      fc.array(besides, { maxLength: 3 }),
      (before, line, after) => {
        const found = read([...before, line, ...after].join("\n"));
        if (!isFile(found)) expect(found.filter((each) => each.includes(secret))).toEqual([]);
      },
    ),
    { numRuns },
  );
});

describe("T17: a file that is a bomb is refused at once", () => {
  const most = 32_000; // as many bytes as one may have
  const fill = (piece: string) => piece.repeat(Math.floor(most / piece.length));
  const many = (piece: (index: number) => string) =>
    Array.from({ length: 10_000 }, (_, index) => piece(index))
      .join("")
      .slice(0, most);
  test.for<readonly [string, string]>([
    ["lists in lists", `seed: ${fill("[")}`],
    ["lists in lists, closed", `seed: ${"[".repeat(most / 2 - 5)}${"]".repeat(most / 2 - 5)}`],
    ["mappings in mappings", `app-env: ${fill("{a: ")}`],
    ["items in items", fill("- ")],
    ["keys in keys", fill("? ")],
    [
      "aliases of aliases",
      `a: &a [${"x, ".repeat(99)}]\nb: &b [${"*a, ".repeat(99)}]\nc: [${"*b, ".repeat(99)}]`,
    ],
    ["an alias of itself", "endpoints: &a [*a, *a, *a]"],
    ["anchors without end", many((index) => `k${index}: &a${index} x\n`)],
    [
      "merges of merges",
      many((index) => `k${index}: &a${index} {<<: ${index > 0 ? `*a${index - 1}` : "{}"}}\n`),
    ],
    ["keys without end", many((index) => `${index}: \n`)],
    ["one key again and again", fill("app: x\n")],
    ["tags without end", fill("!!str ")],
    ["a key without end", `${"k".repeat(most - 3)}: 1`],
    ["lines without end", fill("\n")],
    ["a text without end", `app: ${"x".repeat(most - 6)}`],
    ["quotes", fill("'")],
    ["a folded text", `app: >\n${fill(" \n")}`],
    ["documents without end", fill("---\n")],
    ["mistakes without end", fill("a: b: c\n")],
  ])("%s", ([, yaml]) => {
    const before = cpuMs();
    const found = read(yaml);
    if (isFile(found)) checkUse(found);
    else expect(found.join("").length).toBeLessThan(100_000);
    expect(cpuMs() - before).toBeLessThan(4_000); // of CPU time, while coverage is counted, too
    expect(isPolluted()).toBe(false);
  });
});
