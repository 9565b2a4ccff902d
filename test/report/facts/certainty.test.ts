import { expect, test } from "vitest";

import type { Comparison } from "../../../src/compare/comparison.ts";
import { briefCertainty, certaintyOf } from "../../../src/report/facts/certainty.ts";
import { cell, environment } from "../../fixtures/measurement.ts";
import { commits, comparedOf, design, loneArm, row, versus } from "../compared.ts";
import { grid } from "../example.ts";

const at = cell();
const scripted = cell({ endpoint: { script: "load/x.js" }, load: { kind: "script" } });
const named = "Commits: base `abc1234567`, head `0123456789`.";
const effects = (confidence: number, smallest = " Changes under 3% count as unchanged or small.") =>
  `Each change is the head's throughput at saturation compared with the base's. Its confidence level is at least ${confidence}%, like that of the intervals for latency at saturation, memory, start-up and the soak test. If nothing differs, the chance that this report shows a change of any kind is at most ${100 - confidence}%.${smallest}`;

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
  `${effects(99)} 8 replicates (fresh servers) of each version ran on one machine in alternating slices${words}. ${named}`;

test.for<readonly [comparison: Comparison, expected: string]>([
  [
    comparedOf([row({ cell: at })]),
    `${effects(99)} 8 replicates (fresh servers) of each version ran on one machine in alternating slices. ${named}`,
  ],
  [
    comparedOf(
      [
        row({ cell: at, versus: versus({ replicates: 5, confidence: 0.995 }) }),
        row({ cell: at, versus: versus({ replicates: 12 }), environment: environment({ cores: 2 }) }),
      ],
      { design: design({ minChange: 0.05 }), commits: { head: commits.head } },
    ),
    `${effects(99, " Changes under 5% count as unchanged or small.")} 5 to 12 replicates (fresh servers) of each version ran on the same machine in alternating slices. Commits: head \`0123456789\`.`,
  ],
  [
    comparedOf([row({ cell: at, versus: versus({ replicates: 1 }) })], { design: undefined, commits: {} }),
    `${effects(99, "")} 1 replicate (fresh server) of each version ran on one machine in alternating slices.`,
  ],
  [
    comparedOf([row({ cell: cell({ server: "https://staging.example.com" }) })]),
    `${effects(99)} 8 replicates of each version, loaded from one machine in alternating slices. Both apps were already running and were not restarted, so chance differences between two processes or machines remain in the result. ${named}`,
  ],
  [
    comparedOf([row({ cell: cell({ server: "http://localhost:8000" }), versus: versus({ replicates: 1 }) })]),
    `${effects(99)} 1 replicate of each version, loaded from one machine in alternating slices. Both apps were already running and were not restarted, so chance differences between two processes or machines remain in the result. ${named}`,
  ],
  [
    comparedOf([row({ cell: scripted })]),
    `${effects(99).replace(" at saturation", "")} 8 replicates (fresh servers) of each version ran on one machine. Each turn was a whole run of the script, and the version that ran first alternated. The machine's speed changes between runs, so these intervals are wider than those from slices, and small changes stay inconclusive. ${named}`,
  ],
  [
    comparedOf([row({ cell: at }), row({ cell: at, versus: versus({ unchangedConfidence: 0.95 }) })]),
    `${effects(99).replace("99%,", "99% (95% for unchanged endpoints that certainly execute as many instructions),")} 8 replicates (fresh servers) of each version ran on one machine in alternating slices. ${named}`,
  ],
  [comparedOf([on("0", "1-3")]), cpus(", with the app on CPU 0 and k6 and Postgres on CPU 1-3")],
  [
    comparedOf([on("0-1", "2-3"), on("0-1", "2-3")]),
    cpus(", with the app on CPU 0-1 and k6 and Postgres on CPU 2-3"),
  ],
  // A cell of which nobody knows says nothing against the others.
  [
    comparedOf([on("0", "1"), row({ cell: at, environment: undefined })]),
    cpus(", with the app on CPU 0 and k6 and Postgres on CPU 1"),
  ],
  [comparedOf([on("0")]), cpus(", with the app on CPU 0 and k6 and Postgres on CPU ?")],
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
    said: " The soak test did not run because there was not enough time left, so a slowdown over time would have gone unnoticed.",
  },
  { soakSeconds: 60, seconds: [60.04], said: " The soak test took 60 s." },
  { soakSeconds: 60, seconds: [60, 110], said: " The soak test took 60 s to 110 s." },
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
  expect(certaintyOf(comparedOf(rows, { design: by }))).toContain(`in alternating slices.${said} Commits:`);
});

const unnoticed = "so a slowdown over time would have gone unnoticed.";

test.for<readonly [what: string, measured: Parameters<typeof row>[0], said: string]>([
  [
    "slower",
    { cell: at, versus: versus({ verdict: { kind: "slower" } }) },
    "There was no soak test, because every endpoint is slower already.",
  ],
  [
    "slower by little",
    { cell: at, versus: versus({ verdict: { kind: "slower", isSmall: true } }) },
    `The soak test did not run because there was not enough time left, ${unnoticed}`,
  ],
  [
    "loaded by a script",
    { cell: scripted },
    `The soak test did not run because scripts, WebSockets and apps that run elsewhere have none, ${unnoticed}`,
  ],
])("no soak test is explained where all is %s", ([, measured, said]) => {
  const comparison = comparedOf([row(measured)], { design: design({ soakSeconds: 60 }) });
  expect(certaintyOf(comparison)).toContain(` ${said} Commits:`);
});

const rare = (confidence: string) =>
  `If nothing differs, the chance that this report shows a change of any kind is at most ${confidence}%.`;

test.for<readonly [what: string, comparison: Comparison, expected: string]>([
  [
    "one cell",
    comparedOf([row({ cell: at })]),
    `Base \`abc1234\` and head \`0123456\` took turns on one machine. ${rare("1")}`,
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
    `Base \`abc1234\` and head \`0123456\` took turns, one whole run of the script each, on one machine. ${rare("1")}`,
  ],
  [
    "a new cell alone, where nothing was compared",
    comparedOf([row({ cell: at, loneArm: loneArm("added") })]),
    "",
  ],
])("in short: %s", ([, comparison, expected]) => {
  expect(briefCertainty(comparison)).toBe(expected);
});
