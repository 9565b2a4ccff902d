import { expect, test } from "vitest";

import { commandNames, helpText } from "../../src/commands/help.ts";
import { inputs } from "../../src/config/inputs.ts";
import { columnsOf } from "../../src/text/width.ts";

const all = [undefined, ...commandNames].map((name) => helpText(name));

test("the overview fits two screens, and no line is wider than one", () => {
  expect(helpText().split("\n").length).toBeLessThanOrEqual(48);
  for (const text of all)
    for (const line of text.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(80);
});

/** Node reads `--env-file` itself, wherever it stands. */
const options = inputs.filter(({ name }) => name !== "env-file");

test("no option is one of Node's", () => {
  expect(helpText("run")).not.toContain("--env-file");
});

test("the overview names every option of run", () => {
  for (const { name } of options.filter(({ verbs }) => verbs.includes("run")))
    expect(helpText()).toMatch(new RegExp(` --(?:no-)?${name}(?: |$)`, "m"));
});

test("the help of its commands explains every input", () => {
  for (const { name, verbs } of options)
    for (const verb of verbs) expect(helpText(verb)).toMatch(new RegExp(`^  --${name}(?: VALUE|,|$)`, "m"));
});

test("shows how an option is written", () => {
  expect(helpText("run")).toContain("  --base-ref VALUE\n");
  expect(helpText("run")).toContain("  --only-affected, --no-only-affected\n");
  expect(helpText("announce")).toContain("  --withdraw\n      Remove the announcement of a cancelled run.\n");
});

test("shows what differs in a command", () => {
  const optionOf = (command: "again" | "bisect" | "trends", name: string) =>
    new RegExp(`^  --${name}[ ,\\n](?:.*\\n {6})+.*`, "m").exec(helpText(command))?.[0];
  expect(optionOf("again", "max-minutes")).toMatch(/\[1\]$/);
  expect(optionOf("bisect", "max-minutes")).toMatch(/\[4\]$/);
  expect(optionOf("bisect", "soak")).toBeUndefined();
  expect(optionOf("trends", "python")).toContain("Otava");
});
