import { judge, withAccepted } from "../../src/compare/compare.ts";
import type {
  Comparison,
  Effect,
  Effects,
  MeasuredRow,
  OpenSummary,
  Row,
  Verdict,
  Versus,
} from "../../src/compare/comparison.ts";
import type { FootprintChange } from "../../src/compare/footprint-change.ts";
import type { InstructionChange } from "../../src/compare/instruction-change.ts";
import { judgeRow } from "../../src/compare/judgement.ts";
import type { LatencyChange } from "../../src/compare/latency-change.ts";
import type { ArmRecord, LoneArm } from "../../src/model/measurement/measurement.ts";
import type { Cell } from "../../src/model/plan/cell.ts";
import type { Design } from "../../src/model/plan/plan.ts";
import { usualCheck } from "../../src/model/thresholds/threshold.ts";
import { armRecord, blocks, cell, failure, latencyOf, measurement } from "../fixtures/measurement.ts";
import { comparisonOf } from "./example.ts";

export const commits = {
  base: "abc1234567890abcdef0123456789abcdef01234",
  head: "0123456789abcdef0123456789abcdef01234567",
};

/** The design of comparing base and head. */
export function design(overrides: Partial<Design> = {}): Design {
  return {
    kind: "comparison",
    minChange: 0.03,
    falseAlarmRate: 0.01,
    looks: [4, 8, 12],
    maxMinutes: 20,
    cells: 9,
    ...overrides,
  };
}

/** A change with half of its interval, as shares. */
export function effect(value: number, half: number): Effect {
  return { value, interval: { low: value - half, high: value + half } };
}

/** Latency at 600 req/s, a multiple of 5, 9 and 20 ms. */
export function open(factor = 1, overrides: Partial<OpenSummary> = {}): OpenSummary {
  return {
    requestsPerSecond: 600,
    latencyMs: { p50: 5 * factor, p95: 9 * factor, p99: 20 * factor },
    requests: 9_000,
    failures: 0,
    ...overrides,
  };
}

/** Base against head; `unchanged` unless a test says otherwise. */
export function versus({
  verdict = {},
  effects = {},
  ...overrides
}: Partial<Omit<Versus, "verdict" | "effects">> & {
  verdict?: Partial<Verdict>;
  effects?: Partial<Effects>;
} = {}): Versus {
  return {
    verdict: {
      kind: "unchanged",
      isSmall: false,
      isByStalls: false,
      isByCpu: false,
      reason: "",
      minutesToSettle: undefined,
      minutesToPlace: undefined,
      ...verdict,
    },
    effects: {
      throughput: effect(0.002, 0.006),
      totalThroughput: undefined,
      throughputByCpu: undefined,
      cpuPerRequest: effect(-0.001, 0.004),
      latencyP50: undefined,
      latencyP95: undefined,
      latencyP99: undefined,
      openLatencyP50: undefined,
      openLatencyP95: undefined,
      openLatencyP99: undefined,
      ...effects,
    },
    latency: [],
    footprint: [],
    gates: [{ name: "generator", isMet: true, evidence: "k6 used 41% of its CPUs." }],
    replicates: 8,
    mostReplicates: 12,
    confidence: 0.99,
    open: {},
    finestChange: 0.005,
    ...overrides,
  };
}

/** A percentile of latency; p99 that is longer by 46% unless a test says otherwise. */
export function latencyChange(overrides: Partial<LatencyChange> = {}): LatencyChange {
  return {
    share: 0.99,
    kind: "longer",
    effect: effect(0.46, 0.15),
    requests: 20_000,
    arms: { base: { value: 10.6, low: 10.1, high: 11 }, head: { value: 15.5, low: 15, high: undefined } },
    ...overrides,
  };
}

/** Instructions of a request, 4 million in the base. */
export function instructions({
  value,
  half = 0.004,
  kind = value > 0 ? "more" : "less",
}: {
  readonly value: number;
  readonly half?: number | undefined;
  readonly kind?: InstructionChange["kind"];
}): InstructionChange {
  return {
    kind,
    effect: effect(value, half),
    effectAlone: effect(value, half),
    arms: { base: 4e6, head: 4e6 * (1 + value) },
    libraries: [],
  };
}

/** What both arms' servers take; a peak of memory that is 23% more unless a test says otherwise. */
export function footprintChange(overrides: Partial<FootprintChange> = {}): FootprintChange {
  return {
    part: "peakMemory",
    kind: "more",
    effect: effect(0.23, 0.02),
    arms: { base: 66e6, head: 81.2e6 },
    ...overrides,
  };
}

/** A measured row with both arms (or one, when it has a reason for that) and the summary of them. */
export function row({
  baseRate = 1_000,
  headRate = 1_000,
  arm = {},
  headArm = {},
  loneArm,
  ...overrides
}: Partial<MeasuredRow> & {
  cell: Cell;
  baseRate?: number;
  headRate?: number;
  arm?: Parameters<typeof armRecord>[0];
  headArm?: Parameters<typeof armRecord>[0];
}): Row {
  const base = armRecord({ requestsPerSecond: baseRate, ...arm });
  const head = armRecord({
    requestsPerSecond: headRate,
    ...timesOf(headRate, baseRate / headRate),
    ...arm,
    ...headArm,
  });
  const arms = loneArm === undefined ? { base, head } : loneArm.kind === "removed" ? { base } : { head };
  const made = measurement({ cell: overrides.cell, commits });
  const replicates = made.replicates.map((replicate) => ({ ...replicate, arms }));
  const [measured] = comparisonOf([overrides.cell], [{ ...made, replicates }]).rows;
  if (measured === undefined) throw new Error("a planned cell has a row");
  return changed(measured, {
    versus: loneArm === undefined ? versus() : undefined,
    loneArm,
    ...overrides,
  });
}

/** The same users wait longer for a slower head. */
function timesOf(rate: number, factor: number): Partial<ArmRecord> {
  const scaled = blocks(rate).map((block) => ({
    ...block,
    latencyTotalMs: block.latencyTotalMs * factor,
    latencyMaxMs: block.latencyMaxMs * factor,
  }));
  return { blocks: scaled, latency: latencyOf(rate * 10, factor) };
}

/** A row of which something else was measured, judged anew. */
export function changed(of: MeasuredRow, overrides: Partial<MeasuredRow>): Row {
  return judgeRow({ ...of, ...overrides }, { design: design(), check: usualCheck });
}

export function loneArm(kind: LoneArm["kind"], overrides: Partial<LoneArm> = {}): LoneArm {
  const reasons = {
    added: "the base returns 404",
    removed: "the head returns 404",
    "no base": "the base's environment could not be set up",
  };
  return { kind, reason: reasons[kind], logTail: "", ...overrides };
}

/** A whole comparison of rows. */
export function comparedOf(
  rows: readonly MeasuredRow[],
  { accepted, ...overrides }: Partial<Comparison> = {},
): Comparison {
  const comparison = judge({
    design: design(),
    check: usualCheck,
    commits,
    warnings: [],
    ...overrides,
    rows,
  });
  return accepted === undefined ? comparison : withAccepted(comparison, accepted);
}

/** The same rows in a comparison that differs in something. */
export function comparedAs(comparison: Comparison, overrides: Partial<Comparison>): Comparison {
  return comparedOf(overrides.rows ?? comparison.rows, { ...comparison, ...overrides });
}

const differingStatuses = "100% of the base's responses and 96% of the head's had status 200";

/** Every standing once or more, as a pull request might give. */
export function mixed(): Comparison {
  const select = (path: string, workers = 1) => cell({ path, workers });
  const base = { sqlStatements: 20_000, sqlRows: 30_000, sqlBlocks: 90_000 };
  const head = {
    cpuSeconds: 8.99,
    sqlStatements: 27_060,
    sqlRows: 36_080,
    sqlBlocks: 108_240,
    peakMemoryBytes: 86_100_000,
  };
  const rows = [
    row({
      cell: select("/users/{id}"),
      baseRate: 1_000,
      headRate: 902,
      arm: base,
      headArm: head,
      versus: versus({
        verdict: { kind: "slower" },
        effects: {
          throughput: effect(-0.098, 0.006),
          cpuPerRequest: effect(0.108, 0.004),
          latencyP50: effect(0.101, 0.009),
          latencyP95: effect(0.12, 0.02),
          openLatencyP50: effect(0.1, 0.03),
          openLatencyP95: effect(0.11, 0.04),
        },
        open: { base: open(), head: open(1.1) },
      }),
    }),
    row({
      cell: select("/users/{id}", 2),
      baseRate: 1_804,
      headRate: 1_776,
      versus: versus({
        verdict: { kind: "slower", isSmall: true },
        effects: { throughput: effect(-0.0155, 0.008) },
      }),
    }),
    row({
      cell: select("/orders?limit=50"),
      baseRate: 410,
      headRate: 512,
      headArm: { cpuSeconds: 3.73 },
      versus: versus({
        verdict: { kind: "faster" },
        effects: { throughput: effect(0.249, 0.013), cpuPerRequest: effect(-0.19, 0.01) },
      }),
    }),
    row({ cell: select("/orders?limit=50", 2), baseRate: 801, headRate: 803 }),
    row({
      cell: select("/search?q=a"),
      baseRate: 120,
      headRate: 116,
      versus: versus({
        verdict: {
          kind: "inconclusive",
          reason: "the change may be anything from −7.3% to +1.1%",
          minutesToSettle: 2.4,
        },
        effects: { throughput: effect(-0.031, 0.042) },
        replicates: 12,
      }),
    }),
    row({
      cell: select("/search?q=a", 2),
      headArm: { statuses: { "200": 9_600, "500": 400 }, blocks: blocks(1_000, { failures: 40 }) },
      versus: versus({
        verdict: { kind: "invalid", reason: `statuses: ${differingStatuses}` },
        gates: [{ name: "statuses", isMet: false, evidence: differingStatuses }],
      }),
    }),
    row({ cell: select("/new"), loneArm: loneArm("added") }),
    row({ cell: select("/old"), loneArm: loneArm("removed") }),
    row({
      cell: select("/broken"),
      status: "failed",
      failure: failure(),
      arms: {},
      versus: undefined,
    }),
  ];
  return comparedOf(rows.map(withReplicates));
}

/** Its figures come from one replicate; the rates of as many as it is said to have differ by 1%. */
function withReplicates(row: Row): Row {
  const { head } = row.arms;
  if (head === undefined || row.versus === undefined) return row;
  const rates = Array.from(
    { length: row.versus.replicates },
    (_, index) => head.throughput.value * (index % 2 === 0 ? 1.005 : 0.995),
  );
  return { ...row, arms: { ...row.arms, head: { ...head, replicateRates: rates } } };
}
