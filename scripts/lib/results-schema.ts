import * as z from "zod";

import { historyLineSchema } from "../../src/history/history-line.ts";
import { measurementSchema } from "../../src/model/measurement/measurement.ts";
import { planSchema } from "../../src/model/plan/plan.ts";
import { explainSchema } from "../../src/report/explain/explain-schema.ts";
import { figuresSchema } from "../../src/report/figures/figures-schema.ts";

const folder = "https://raw.githubusercontent.com/org/fastapi-loadtest-action/v1/schema";

const published = {
  measurement: {
    schema: measurementSchema,
    title: "What fastapi-loadtest-action recorded of one cell",
    description: "A document of `cells/` in the results folder; see docs/results.md.",
  },
  figures: {
    schema: figuresSchema,
    title: "The key figures of a report of fastapi-loadtest-action",
    description: "`figures.json` in the results folder, and the output `figures`; see docs/results.md.",
  },
  explain: {
    schema: explainSchema,
    title: "What fastapi-loadtest explain prints",
    description: "Also the end of `run --json` and `again --json`; see docs/results.md.",
  },
  "history-line": {
    schema: historyLineSchema,
    title: "A line of the history that fastapi-loadtest-action keeps of a branch",
    description: "One cell at one commit; see docs/history.md.",
  },
  plan: {
    schema: planSchema,
    title: "The cells that fastapi-loadtest-action was to measure",
    description: "`plan.json` in the results folder; see docs/results.md.",
  },
} as const;

/** Other validators complain about a format that only Zod knows; its pattern says the same. */
function withoutOwnFormats({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === "starts_with") delete jsonSchema.format;
}

/** The JSON Schemas of the results folder, as text by path: made from the schemas that the program reads with. */
export function resultsSchemas(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(published).map(([name, { schema, title, description }]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", override: withoutOwnFormats });
      const whole = { $schema, $id: `${folder}/${name}.json`, title, description, ...rest };
      return [`schema/${name}.json`, `${JSON.stringify(whole, undefined, 2)}\n`];
    }),
  );
}
