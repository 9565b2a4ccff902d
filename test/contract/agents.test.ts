import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { parseArguments } from "../../src/commands/arguments.ts";
import { commandNames } from "../../src/commands/help.ts";
import { rows } from "../../src/config/inputs.ts";
import { explainSchema } from "../../src/report/explain/explain-schema.ts";
import { root, textOf } from "./files.ts";

const pages = ["llms.txt", "AGENTS.md", "SKILL.md"];

/** Code between backticks. */
const codeIn = (page: string) => [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

describe.each(pages)("%s", (page) => {
  test("names commands that exist", () => {
    const wanted = codeIn(page).flatMap((code) => /^fastapi-loadtest (.+)$/.exec(code)?.[1] ?? []);
    for (const words of wanted) {
      const argv = words.replace("CELL", "get-orders-w1-3a46231a").replace("COMMAND", "run").split(" ");
      expect(commandNames.join(" ").split(" ").concat("help")).toContain(argv[0]);
      expect(parseArguments(argv, {})).not.toHaveProperty("problems", [expect.any(String)]);
    }
  });

  test("names scripts and files that exist", () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf("package.json"));
    for (const [, name = ""] of textOf(page).matchAll(/`npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty([name]);
    const links = [
      ...textOf(page).matchAll(/\]\((?:https:\/\/github\.com\/[^/]+\/[^/]+\/blob\/v1\/)?([^):]+)\)/g),
    ];
    for (const [, path = ""] of links) expect(existsSync(join(root, path)), path).toBe(true);
  });
});

test("the skill names keys and fields that exist", () => {
  const keys = ["thresholds", "max-slowdown", "min-change", "fail-on", "max-minutes"] as const;
  for (const key of keys) {
    expect(rows).toHaveProperty([key]);
    expect(textOf("SKILL.md")).toContain(key);
  }
  const cell = Object.keys(explainSchema.shape.cells.element.shape);
  const cause = Object.keys(explainSchema.shape.causes.element.shape);
  expect(cell).toEqual(expect.arrayContaining(["again", "quoted", "ruledOut"]));
  expect(cause).toEqual(expect.arrayContaining(["advice", "line", "quoted"]));
  expect(Object.keys(explainSchema.shape.causes.element.shape.quoted.shape)).toEqual(
    expect.arrayContaining(["file", "code"]),
  );
});

test("the skill has the words that `again` ends with", () => {
  const words = textOf("src/report/explain/explain-text.ts");
  for (const answer of ["The slowdown is gone", "The slowdown is still there", "Not certain"]) {
    expect(textOf("SKILL.md")).toContain(`\`${answer}\``);
    expect(words).toContain(answer);
  }
});

test("the package has what agents read first", () => {
  const { files }: { files: readonly string[] } = JSON.parse(textOf("package.json"));
  expect(files).toEqual(expect.arrayContaining(["llms.txt", "SKILL.md"]));
});
