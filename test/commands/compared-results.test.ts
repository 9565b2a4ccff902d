import { expect, test } from "vitest";

import { withAcceptances } from "../../src/commands/compared-results.ts";
import type { AcceptancesOutcome } from "../../src/ports/forge.ts";
import { cell } from "../fixtures/measurement.ts";
import { comparedOf, effect, row, versus } from "../report/compared.ts";
import { keepingPorts } from "./keeping-ports.ts";

const slower = comparedOf([
  row({
    cell: cell(),
    versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.3, 0.02) } }),
  }),
]);
const acceptance = { endpoint: "/health", by: "ana", reason: "x", url: "", remark: "c1" };

async function asked(outcome: AcceptancesOutcome, comparison = slower) {
  const { events, ports } = keepingPorts({ readAcceptances: () => Promise.resolve(outcome) });
  const { accepted } = await withAcceptances(comparison, ports);
  return { accepted, warnings: events.flatMap((event) => (event.kind === "warning" ? event.text : [])) };
}

test("nobody is asked where nothing fails", async () => {
  const { ports } = keepingPorts({ readAcceptances: () => Promise.reject(new Error("asked")) });
  const unchanged = comparedOf([row({ cell: cell() })]);
  expect(await withAcceptances(unchanged, ports)).toBe(unchanged);
});

test.for<[string, AcceptancesOutcome, unknown]>([
  [
    "members' words count",
    { kind: "read", accepted: [acceptance], refused: [] },
    { accepted: [acceptance], warnings: [] },
  ],
  [
    "other people's do not",
    { kind: "read", accepted: [], refused: [acceptance] },
    {
      accepted: undefined,
      warnings: ["ignored 1 `/loadtest accept` line by people without write access to this repository"],
    },
  ],
  [
    "those of too many people are not read",
    { kind: "read", accepted: [], refused: [], unread: [acceptance] },
    {
      accepted: undefined,
      warnings: [
        "1 `/loadtest accept` line could not be checked, because too many people wrote such lines; ask a member to write a new one",
      ],
    },
  ],
  ["no pull request, no words", { kind: "none", reason: "a push" }, { accepted: undefined, warnings: [] }],
  [
    "a refusal is told, and fails the check as before",
    { kind: "failed", reason: "GitHub says no" },
    { accepted: undefined, warnings: ["accepted slowdowns could not be read: GitHub says no"] },
  ],
])("%s", async ([, outcome, expected]) => {
  expect(await asked(outcome)).toEqual(expected);
});
