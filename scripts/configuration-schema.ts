// Writes what is published of forms: the JSON Schemas of the configuration file and of the results, and the list of keys
// in the documentation.
import { readFileSync, writeFileSync } from "node:fs";

import { schemaText, withKeys } from "./lib/configuration-schema.ts";
import { resultsSchemas } from "./lib/results-schema.ts";

const documentation = "docs/configuration.md";
writeFileSync("schema/loadtest.json", schemaText());
for (const [path, text] of resultsSchemas()) writeFileSync(path, text);
writeFileSync(documentation, withKeys(readFileSync(documentation, "utf8")));
