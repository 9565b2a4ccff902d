import { compare } from "../../src/compare/compare.ts";
import type { Comparison, JudgedThreshold } from "../../src/compare/comparison.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { makeCell } from "../../src/model/plan/cell.ts";
import type { Threshold } from "../../src/model/thresholds/threshold.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { type Results, recording } from "../recordings/recording.ts";
import {
  comparedOf,
  effect,
  footprintChange,
  latencyChange,
  loneArm,
  mixed,
  row,
  versus,
} from "../report/compared.ts";
import { comparisonOf, troubled } from "./recorded.ts";

/** Every possible state of a comment: from recordings of real runs, and made where none shows it. */
export const states: readonly (readonly [name: string, comparison: () => Comparison])[] = [
  ["first run, without a base", () => comparisonOf(recording("heads"))],
  ["workers only", () => comparisonOf(recording("workers"))],
  ["unchanged", () => comparisonOf(recording("same"))],
  ["slower", () => comparisonOf(recording("change"))],
  ["faster", () => comparisonOf(exchanged(recording("change")))],
  ["inconclusive", () => comparisonOf(doubtful())],
  ["some cells invalid, failed or missing", () => comparisonOf(troubled())],
  ["the head does not start", () => comparisonOf(dead())],
  ["256 cells", () => comparisonOf(many(256))],
  ["several apps", () => comparisonOf(twoApps())],
  ["new, removed and all others", mixed],
  ["only a new endpoint", () => comparedOf([row({ cell: cell(), loneArm: loneArm("added") })])],
  [
    "no base, as for a fork without one",
    () => comparedOf([row({ cell: cell(), loneArm: loneArm("no base") })]),
  ],
  ["not reached", () => comparedOf([unreached("/orders"), unreached("/tax")])],
  ["thresholds broken, slower over time, more memory", () => ({ ...worn(), thresholds })],
  ["accepted", () => comparedOf([slow("/orders")], { accepted: [acceptance] })],
  ["load script", scripted],
];

const slow = (path: string) =>
  row({
    cell: cell({ path }),
    headRate: 700,
    versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.3, 0.02) } }),
  });
const acceptance = {
  endpoint: "/orders",
  by: "ana",
  reason: "new validation, see #12",
  url: "https://github.com/octo/app/pull/7#issuecomment-12",
  remark: "c12",
};
const unreached = (path: string) =>
  row({
    cell: cell({ path }),
    status: "not reached",
    arms: {},
    versus: undefined,
    notReached: { functions: ["shop.py: close"], functionCount: 1, files: [], fileCount: 0, requests: 24 },
  });
const thresholds: readonly JudgedThreshold[] = [
  { state: "broken" as const, endpoint: "/orders", bound: 12 },
  { state: "kept" as const, endpoint: "/price", bound: 20 },
].map(({ bound, ...rest }) => ({
  ...{ app: undefined, workers: 1, value: 15, reason: "", ...rest },
  threshold: {
    condition: { metric: "http_req_duration", aggregation: "p", percentile: 95, operator: "<", bound },
  } satisfies Threshold,
}));

/** Nothing slower at first sight: a soak test, a latency, memory and statements that differ. */
function worn(): Comparison {
  const aging = {
    ...{ seconds: 60, cells: 3, kind: "slower" as const, isMemoryGrowing: true },
    beyond: effect(-0.19, 0.08),
    effect: effect(-0.19, 0.08),
    longestMs: { base: 31, head: 1_004 },
    memoryGrowth: { base: 0, head: 2e6, extra: { value: 2e6, interval: { low: 1.9e6, high: 2.1e6 } } },
  };
  return comparedOf([
    row({ cell: cell({ path: "/orders" }), aging }),
    row({
      cell: cell({ path: "/price" }),
      arm: { sqlStatements: 20_000, peakMemoryBytes: 66e6 },
      headArm: { sqlStatements: 40_000, peakMemoryBytes: 81.2e6 },
      versus: versus({
        latency: [
          latencyChange({
            arms: { base: { value: 31, low: 30, high: 32.1 }, head: { value: 45.3, low: 44, high: 47 } },
          }),
        ],
        footprint: [footprintChange()],
      }),
    }),
    row({ cell: cell({ path: "/tax" }) }),
  ]);
}

function scripted(): Comparison {
  const load = makeCell({
    endpoint: { script: "load/checkout.js" },
    workers: 2,
    server: "uvicorn {app} --port {port}",
    load: { kind: "script" },
  });
  const plain = measurement({ cell: load });
  const script = {
    checks: [
      { group: "", name: "is fine", passes: 10_000, fails: 0 },
      { group: "::list", name: "has items", passes: 4_981, fails: 19 },
    ],
    groups: [{ name: "::list", count: 5_000, meanMs: 9.5, p95Ms: 16 }],
    metrics: [{ name: "orders", values: { rate: 500, count: 5_000 } }],
    thresholds: [{ metric: "http_req_duration", condition: "p(95)<10", isKept: false, value: 15 }],
  };
  const replicates = plain.replicates.map((replicate) => ({ ...replicate, script }));
  return compare({ schemaVersion: 1, cells: [load] }, [{ ...plain, replicates }]);
}

/** The cells of the shop that were left without an answer. */
function doubtful(): Results {
  const { plan, measurements } = recording("shop");
  return { plan: { ...plan, cells: plan.cells.slice(1) }, measurements: measurements.slice(1) };
}

/** Base and head the other way round: slower becomes faster. */
function exchanged({ plan, measurements }: Results): Results {
  const other = measurements.map(({ aged: _aged, ...measurement }): Measurement => {
    const { base, head } = measurement.commits;
    const { diagnosis } = measurement;
    return {
      ...measurement,
      ...(diagnosis && {
        diagnosis: {
          ...(diagnosis.head && { base: diagnosis.head }),
          ...(diagnosis.base && { head: diagnosis.base }),
        },
      }),
      commits: { ...(head && { base: head }), ...(base && { head: base }) },
      replicates: measurement.replicates.map(({ arms, pairs, open, ...replicate }) => ({
        ...replicate,
        arms: { ...(arms.head && { base: arms.head }), ...(arms.base && { head: arms.base }) },
        ...(pairs && { pairs: { ...pairs, arms: { base: pairs.arms.head, head: pairs.arms.base } } }),
        ...(open && { open: { ...open, arms: { base: open.arms.head, head: open.arms.base } } }),
      })),
    };
  });
  return { plan, measurements: other };
}

function dead(): Results {
  const { plan, measurements } = recording("shop");
  const failure = troubled().measurements.find((each) => each.failure)?.failure;
  return {
    plan,
    measurements: measurements.map((each) => ({
      ...each,
      status: "failed",
      replicates: [],
      ...(failure && { failure }),
    })),
  };
}

/** The shop, and another app of the same repository whose code is unchanged. */
function twoApps(): Results {
  const parts = [named(recording("shop"), "shop"), named(recording("same"), "prices")];
  const cells = parts.flatMap(({ plan }) => plan.cells);
  const design = parts[0]?.plan.design;
  return {
    plan: { schemaVersion: 1, cells, ...(design && { design: { ...design, cells: cells.length } }) },
    measurements: parts.flatMap(({ measurements }) => measurements),
  };
}

function named({ plan, measurements }: Results, app: string): Results {
  const of = ({ id: _id, ...cell }: Measurement["cell"]) => makeCell({ ...cell, app });
  return {
    plan: { ...plan, cells: plan.cells.map(of) },
    measurements: measurements.map((each) => ({ ...each, cell: of(each.cell) })),
  };
}

/** Most cells unchanged, a few slower or without an answer. */
function many(count: number): Results {
  const { plan, measurements } = recording("shop");
  const [quiet] = recording("same").measurements;
  const [loud, doubtful] = measurements;
  if (quiet === undefined || loud === undefined || doubtful === undefined)
    throw new Error("cells were recorded");
  const made = Array.from({ length: count }, (_, index): Measurement => {
    const source = index % 67 === 3 ? loud : index % 97 === 5 ? doubtful : quiet;
    const { id: _id, ...cell } = source.cell;
    const path = `/api/v1/${["users", "orders", "items", "search", "carts"][index % 5]}/${index}`;
    return {
      ...source,
      cell: makeCell({ ...cell, endpoint: { method: "GET", path } }),
    };
  });
  const { design } = plan;
  return {
    plan: {
      schemaVersion: 1,
      cells: made.map(({ cell }) => cell),
      ...(design && { design: { ...design, cells: count } }),
    },
    measurements: made,
  };
}
