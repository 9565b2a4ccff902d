import { expect, test } from "vitest";

import type { SuggestedEndpoint } from "../../../src/init/requests/endpoints.ts";
import { renderConfiguration } from "../../../src/init/write/configuration.ts";

const project = { installer: undefined, findings: [], proposals: [] };
const sent = (line: string, statements?: number, reason?: string): SuggestedEndpoint => ({
  line,
  reason,
  ...(statements !== undefined && { statements }),
});

test.each([
  ["nothing was counted", [sent("/a")], "no more than base"],
  ["there is no database behind it", [sent("/a", 0)], "no more than base"],
  ["the most of all", [sent("/a", 2), sent("/b", 19)], "[no more than base, <= 19] # /b sent 19 here"],
  [
    "what is not measured",
    [sent("/a", 2), sent("/b", 19, "fails")],
    "[no more than base, <= 2] # /a sent 2 here",
  ],
  [
    "a foreign name",
    [sent("/a\nfail-on: never", 2)],
    "[no more than base, <= 2] # /a fail-on: never sent 2 here",
  ],
] as const)("the budget that is proposed: %s", (_, endpoints, budget) => {
  const text = renderConfiguration(project, endpoints);
  expect(text).toContain(`#   sql_per_request: ${budget}\n`);
});
