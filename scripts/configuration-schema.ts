// Writes the parts that come from the rows of inputs and from schemas: the marked regions of action.yml and
// loadtest.yml, the tables and lists of the documentation, and the JSON Schemas of the configuration file and of the
// results.
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

import { schemaText, withKeys } from "./lib/configuration-schema.ts";
import { withActionInputs, withWorkflowInputs } from "./lib/declared-inputs.ts";
import { withInputTables, withReadmeTables, withServerTable } from "./lib/input-tables.ts";
import { resultsSchemas } from "./lib/results-schema.ts";

function rewrite(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, "utf8");
  const after = change(before);
  if (after !== before) writeFileSync(path, after);
}

writeFileSync("schema/loadtest.json", schemaText());
for (const [path, text] of resultsSchemas()) writeFileSync(path, text);
rewrite("action.yml", withActionInputs);
rewrite(".github/workflows/loadtest.yml", withWorkflowInputs);
rewrite("docs/configuration.md", (page) =>
  withInputTables(withKeys(page), parse(readFileSync("action.yml", "utf8")).outputs),
);
rewrite("README.md", withReadmeTables);
rewrite("docs/servers.md", withServerTable);
