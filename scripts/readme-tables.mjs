// Writes the README's tables of inputs and outputs from action.yml, between their markers.
// `--check` writes nothing and fails when they differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

import { root } from "./lib/places.mjs";

/** The README's text with its tables as action.yml has them. Throws when a pair of markers is missing. */
export function withTables(readme, actionText) {
  const { inputs, outputs } = parse(actionText);
  const inputRows = Object.entries(inputs).map(([name, each]) => {
    const [description, fallback] = defaultOf(each);
    return [code(name), fallback ? code(fallback) : "", description];
  });
  const outputRows = Object.entries(outputs).map(([name, each]) => [code(name), each.description]);
  const withInputs = fill(readme, "inputs", table(["input", "default", "description"], inputRows));
  return fill(withInputs, "outputs", table(["output", "description"], outputRows));
}

/** Where the program fills a default in, the description ends with it. */
function defaultOf({ description, default: declared }) {
  const [, rest, told] = /^(.*) Default: `(.*)`\.$/s.exec(description) ?? [];
  return rest === undefined ? [description, declared] : [rest, told];
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function cell(text) {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|").trim();
}

function code(text) {
  return `\`${text}\``;
}

function fill(text, name, content) {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`README.md lacks <!-- ${name} --> and <!-- /${name} -->`);
  return text.replace(pattern, (_, open, close) => `${open}\n${content}\n\n${close}`);
}

if (process.argv[1]?.endsWith("readme-tables.mjs")) {
  const path = join(root, "README.md");
  const readme = readFileSync(path, "utf8");
  const wanted = withTables(readme, readFileSync(join(root, "action.yml"), "utf8"));
  if (!process.argv.includes("--check")) writeFileSync(path, wanted);
  else if (wanted !== readme) {
    console.error(
      "The tables of README.md are not those of action.yml; run `node scripts/readme-tables.mjs`",
    );
    process.exitCode = 1;
  }
}
