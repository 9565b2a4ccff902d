import { expect, test } from "vitest";

import type { Comparison } from "../../../src/compare/comparison.ts";
import { briefCertainty, certaintyOf } from "../../../src/report/facts/certainty.ts";
import { cell, environment } from "../../fixtures/measurement.ts";
import { commits, comparedOf, design, loneArm, row, versus } from "../compared.ts";
import { grid } from "../example.ts";

const at = cell();
const scripted = cell({ endpoint: { script: "load/x.js" }, load: { kind: "script" } });
const named = "Compared: base `abc1234567`, head `0123456789`.";
const effects = (confidence: number, smallest = "; `unchanged` means no change larger than 3%") =>
  `Effects are head against base in throughput at saturation, each with an interval of at least ${confidence}%; a wrong verdict \`slower\` or \`faster\` has a chance of at most ${100 - confidence}% in the whole report${smallest}. Latency, memory and age are counted separately.`;

/** A cell measured on these CPUs. */
const on = (appCpus?: string, otherCpus?: string) =>
  row({
    cell: at,
    environment: environment({
      ...(appCpus !== undefined && { appCpus }),
      ...(otherCpus !== undefined && { otherCpus }),
    }),
  });
/** What is said of the CPUs. */
const cpus = (words: string) =>
  `${effects(99)} 8 replicates (fresh servers) of each arm on one machine, slices alternating${words}. ${named}`;

test.for<readonly [comparison: Comparison, expected: string]>([
  [
    comparedOf([row({ cell: at })]),
    `${effects(99)} 8 replicates (fresh servers) of each arm on one machine, slices alternating. ${named}`,
  ],
  [
    comparedOf(
      [
        row({ cell: at, versus: versus({ replicates: 5, confidence: 0.995 }) }),
        row({ cell: at, versus: versus({ replicates: 12 }), environment: environment({ cores: 2 }) }),
      ],
      { design: design({ minChange: 0.05 }), commits: { head: commits.head } },
    ),
    `${effects(99, "; `unchanged` means no change larger than 5%")} 5 to 12 replicates (fresh servers) of each arm on the same machine, slices alternating. Compared: head \`0123456789\`.`,
  ],
  [
    comparedOf([row({ cell: at, versus: versus({ replicates: 1 }) })], { design: undefined, commits: {} }),
    `${effects(99, "")} 1 replicate (fresh server) of each arm on one machine, slices alternating.`,
  ],
  [
    comparedOf([row({ cell: cell({ server: "https://staging.example.com" }) })]),
    `${effects(99)} 8 replicates of each arm, loaded from one machine, slices alternating. Both apps ran already and were not restarted, so what one process or machine has by chance stays in the difference. ${named}`,
  ],
  [
    comparedOf([row({ cell: cell({ server: "http://localhost:8000" }), versus: versus({ replicates: 1 }) })]),
    `${effects(99)} 1 replicate of each arm, loaded from one machine, slices alternating. Both apps ran already and were not restarted, so what one process or machine has by chance stays in the difference. ${named}`,
  ],
  [
    comparedOf([row({ cell: scripted })]),
    `${effects(99).replace(" at saturation", "")} 8 replicates (fresh servers) of each arm on one machine. The turns of a script were whole runs, base and head one after the other and the next time the other way round. The machine changes between them, so these intervals are wider than those of slices, and small changes stay inconclusive. ${named}`,
  ],
  [comparedOf([on("0", "1-3")]), cpus(", the app on CPU 0, k6 and Postgres on CPU 1-3")],
  [
    comparedOf([on("0-1", "2-3"), on("0-1", "2-3")]),
    cpus(", the app on CPU 0-1, k6 and Postgres on CPU 2-3"),
  ],
  // A cell of which nobody knows says nothing against the others.
  [
    comparedOf([on("0", "1"), row({ cell: at, environment: undefined })]),
    cpus(", the app on CPU 0, k6 and Postgres on CPU 1"),
  ],
  [comparedOf([on("0")]), cpus(", the app on CPU 0, k6 and Postgres on CPU ?")],
  // Not the same for all: nothing that holds for each can be said.
  [comparedOf([on("0", "1-3"), on("0-1", "2-3")]), cpus("")],
  [comparedOf([on("0", "1-3"), on()]), cpus("")],
  [comparedOf([row({ cell: at, environment: undefined })]), cpus("")],
  [comparedOf([row({ cell: at, loneArm: loneArm("added") })]), named],
  [comparedOf([row({ cell: at, loneArm: loneArm("no base") })]), ""],
  [grid(1), ""],
])("case %#: %s", ([comparison, expected]) => {
  expect(certaintyOf(comparison)).toBe(expected);
});

test.for([
  { soakSeconds: undefined, seconds: [], said: "" },
  { soakSeconds: 0, seconds: [], said: "" },
  {
    soakSeconds: 60,
    seconds: [],
    said: " No servers lived longer than that, because too few minutes were left: what comes with age could not show.",
  },
  { soakSeconds: 60, seconds: [60.04], said: " One pair of servers lived for 60 s." },
  { soakSeconds: 60, seconds: [60, 110], said: " One pair of servers lived for 60 s to 110 s." },
])("servers that live for $soakSeconds s, seen $seconds:$said", ({ soakSeconds, seconds, said }) => {
  const effect = { value: 0, interval: undefined };
  const rows = [undefined, ...seconds].map((each) =>
    row({
      cell: at,
      ...(each !== undefined && {
        aging: {
          seconds: each,
          cells: 1,
          effect,
          beyond: effect,
          kind: "none" as const,
          longestMs: { base: 1, head: 1 },
          memoryGrowth: undefined,
          isMemoryGrowing: false,
        },
      }),
    }),
  );
  const by = design(soakSeconds === undefined ? {} : { soakSeconds });
  expect(certaintyOf(comparedOf(rows, { design: by }))).toContain(`slices alternating.${said} Compared:`);
});

const rare = (confidence: string) =>
  `A false verdict "slower" or "faster" has a chance of at most ${confidence}% in the whole report; latency, memory and age are counted separately.`;

test.for<readonly [what: string, comparison: Comparison, expected: string]>([
  [
    "one cell",
    comparedOf([row({ cell: at })]),
    `Base \`abc1234\` and head \`0123456\` took turns on one machine. ${rare("1")} Changes below 3% count as none.`,
  ],
  [
    "the least sure of two cells, on two machines",
    comparedOf(
      [
        row({ cell: at, versus: versus({ confidence: 0.995 }) }),
        row({ cell: at, versus: versus({ confidence: 0.98 }), environment: environment({ cores: 2 }) }),
      ],
      { design: undefined, commits: {} },
    ),
    `Base and head took turns on the same machine. ${rare("2")}`,
  ],
  [
    "a script",
    comparedOf([row({ cell: scripted })]),
    `Base \`abc1234\` and head \`0123456\` took turns, a whole run of the script each, on one machine. ${rare("1")} Changes below 3% count as none.`,
  ],
  [
    "a new cell alone, where nothing was compared",
    comparedOf([row({ cell: at, loneArm: loneArm("added") })]),
    "",
  ],
])("in short: %s", ([, comparison, expected]) => {
  expect(briefCertainty(comparison)).toBe(expected);
});
