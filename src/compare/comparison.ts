import type { Seen } from "../model/findings/diagnosis.ts";
import type { Environment } from "../model/measurement/environment.ts";
import type { GeneratorDetails, ScriptResults } from "../model/measurement/generator.ts";
import type { ArmName, Failure, LoneArm, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Design, Plan } from "../model/plan/plan.ts";
import type { Acceptance } from "../model/pull-request.ts";
import type { Check, Threshold } from "../model/thresholds/threshold.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { Aging } from "./aging.ts";
import type { Reach } from "./answer.ts";
import type { ArmSummary } from "./arm-summary.ts";
import type { FootprintChange } from "./footprint-change.ts";
import type { InstructionChange } from "./instruction-change.ts";
import type { LatencyChange } from "./latency-change.ts";
import type { ScriptChange } from "./script-runs.ts";

export const verdictKinds = ["slower", "faster", "unchanged", "inconclusive", "invalid"] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export interface Verdict {
  /** `unchanged`: by less than the smallest effect. `invalid`: a gate failed, so it must not be used. */
  readonly kind: VerdictKind;
  /** Certainly slower or faster, but by less than the smallest effect: fails nothing but a threshold of the user's own. */
  readonly isSmall: boolean;
  /** True when rare long stalls make it slower, which the totals show and the usual slice does not. */
  readonly isByStalls: boolean;
  /** True when it is slower or faster by its CPU time per request, and throughput alone does not tell. */
  readonly isByCpu: boolean;
  /** Why it is inconclusive or invalid, or decided by stalls or CPU time: one sentence in our own words; empty otherwise. */
  readonly reason: string;
  /** For `inconclusive`: how many more minutes of measuring would probably settle it, where that can be said. */
  readonly minutesToSettle: number | undefined;
  /** For `slower`: minutes that would probably show whether it fails the check; `undefined` if known, or never. */
  readonly minutesToPlace: number | undefined;
}

/** Head relative to base: -0.1 is 10% less. The interval is absent with fewer than two replicates. */
export type Effect = Estimate;

/** All effects of one cell, head against base. Throughput is judged; the others explain it. */
export interface Effects {
  /** At saturation, closed model, in the usual slice. Its interval holds over all looks of its cell, with the confidence of `Versus` or more. */
  readonly throughput: Effect;
  /** The same from all slices together, stalls included, at the totals' own share of the false alarms. */
  readonly totalThroughput: Effect | undefined;
  /** By CPU time per request, at its share of the false alarms; `undefined` where CPU is not the limit. */
  readonly throughputByCpu: Effect | undefined;
  /** With a 95% interval of its own, without any correction. */
  readonly cpuPerRequest: Effect | undefined;
  /** Mean time to the first byte, and bytes of replies per second: the same. */
  readonly firstByte?: Effect | undefined;
  readonly bytesPerSecond?: Effect | undefined;
  /** Memory when ready, and at most; CPU time of the start. Their intervals are those of `Versus.footprint`. */
  readonly readyMemory?: Effect | undefined;
  readonly peakMemory?: Effect | undefined;
  readonly startCpu?: Effect | undefined;
  readonly instructions?: Effect | undefined;
  /** Latency under the closed load. Its intervals are those of `Versus.latency`. */
  readonly latencyP50: Effect | undefined;
  readonly latencyP95: Effect | undefined;
  readonly latencyP99: Effect | undefined;
  /** Latency at the same arrival rate for both arms (open model): shown with intervals that judge nothing. */
  readonly openLatencyP50: Effect | undefined;
  readonly openLatencyP95: Effect | undefined;
  readonly openLatencyP99: Effect | undefined;
}

/** Latency of one arm at the arrival rate that both got, over all replicates. */
export interface OpenSummary {
  readonly requestsPerSecond: number;
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number };
  readonly requests: number;
  readonly failures: number;
}

/** One condition of a valid comparison, with its evidence. Judged without looking at which arm was better. */
export interface Gate {
  readonly name:
    | "generator"
    | "statuses"
    | "workers"
    | "steal"
    | "redirects"
    | "slices"
    | "CPU sets"
    | "stability";
  readonly isMet: boolean;
  /** One sentence in our own words with the numbers, met or not. Statuses in it are numbers or `error N`. */
  readonly evidence: string;
}

export interface Versus {
  readonly verdict: Verdict;
  readonly effects: Effects;
  /** p50, p95 and p99 at saturation: judged in a family of their own. Empty when a gate is not met. */
  readonly latency: readonly LatencyChange[];
  /** Memory and start, as far as they were read: another family of its own. Empty when the gate of statuses is not met. */
  readonly footprint: readonly FootprintChange[];
  /** Instructions of a request, or why they are not known; absent where nobody counted. Another family. */
  readonly instructions?: InstructionChange | string | undefined;
  readonly gates: readonly Gate[];
  readonly replicates: number;
  readonly mostReplicates: number;
  /**
   * Confidence as a share: 0.99. Each cell's own interval has at least this confidence, and so has the claim that no
   * slower or faster in the whole report is wrong. All intervals together need not have it, because Holm's step-down
   * narrows those of the last cells.
   */
  readonly confidence: number;
  /** Confidence of the interval of an unchanged cell whose requests do equal work, where it is less. */
  readonly unchangedConfidence?: number;
  readonly open: Readonly<Partial<Record<ArmName, OpenSummary>>>;
  /**
   * Half of the interval after all replicates that a cell may have, on the logarithmic scale: smaller changes cannot be
   * distinguished from none. `undefined` with fewer than two replicates.
   */
  readonly finestChange: number | undefined;
}

/** One cell before it is judged. `missing`: no result came back. `invalid`: one that cannot be used. */
export interface MeasuredRow {
  readonly cell: Cell;
  readonly status: Measurement["status"] | "missing" | "invalid";
  readonly failure: Failure | undefined;
  readonly arms: Readonly<Partial<Record<ArmName, ArmSummary>>>;
  /** Requests that the open model could not send in time; with two arms those of its phases. 0 in the closed model. */
  readonly droppedIterations: number;
  /** k6's own figures, where they were requested and one arm was measured. */
  readonly details: GeneratorDetails | undefined;
  readonly environment: Environment | undefined;
  readonly startedAt: string | undefined;
  /** Results of the user's own load script: of the head, if there are two arms. */
  readonly script?: ScriptResults;
  readonly scriptChange?: ScriptChange;
  readonly versus: Versus | undefined;
  /** Why there is only one arm although two were wanted. */
  readonly loneArm: LoneArm | undefined;
  /** Sentences that its figures must be read with, e.g. on a request that only sends on to another address. */
  readonly notices: readonly string[];
  /** What a pair of servers that lived long shows; absent in all rows but one, or where no time was left for it. */
  readonly aging?: Aging | undefined;
  readonly notReached?: Measurement["notReached"];
  readonly diagnosis: Measurement["diagnosis"];
  /** A member's acceptance of its slowdown; absent: nobody accepts it, or that was not checked. */
  readonly acceptance?: Acceptance | undefined;
}

/** The reason why something that a reader would look for is missing. */
export interface Absence {
  readonly state: string;
  /** The step that was under way, in our words; empty when that is not known. */
  readonly during: string;
  /** Foreign text: escaped wherever it is shown. Empty when the state says it all. */
  readonly reason: string;
  /** Foreign text of many lines. */
  readonly logTail: string;
}

export interface Problem extends Absence {
  readonly state: "failed" | "cancelled" | "missing" | "invalid";
}

/** The result of a row with figures that has nothing to be compared with. */
export type LoneStanding = "new" | "removed" | "not reached" | "no base" | "not compared";

export interface JudgedFields {
  /** The effect that its verdict is based on; `undefined` where it must not be used to judge. */
  readonly effect: Effect | undefined;
  /** True when it has a result of head against base, so that a report has verdicts. */
  readonly isCompared: boolean;
  /** True when its verdict is one that a reader must not miss. */
  readonly isNotable: boolean;
  /** Colour where there are colours; the words say the same. */
  readonly tone: "bad" | "good" | "doubt" | "plain";
  /** What servers that live long show beyond the verdict: `perhaps slower` leaves open whether it matters. */
  readonly withAge: "slower" | "perhaps slower" | undefined;
  /** Percentiles that certainly became longer, by as much as matters. */
  readonly longerLatencies: readonly LatencyChange[];
  /** The same where that is news: throughput that is clearly slower makes them longer anyway. */
  readonly unexpectedLatencies: readonly LatencyChange[];
  /** What the head certainly takes more of, by as much as matters. */
  readonly moreFootprint: readonly FootprintChange[];
  /** More instructions in each request, where that is news: throughput that is clearly slower has a reason anyway. */
  readonly moreInstructions: InstructionChange | undefined;
  readonly hasFailedRequests: boolean;
  /** How certain it is that each figure is as bad as the check forbids. */
  readonly reach: Readonly<Record<"throughput" | "age" | "latency" | "memory" | "cost", Reach>>;
  readonly seenChange: number;
  /** True when a comparison that cannot be judged fails the check, for what was seen. */
  readonly failsInDoubt: boolean;
  /** True when it fails the check, unless somebody accepts it. */
  readonly isForbidden: boolean;
  /** True when it is certainly slower, and may be so by as much as the check forbids: it fails nothing. */
  readonly isPerhapsForbidden: boolean;
}

/** `standing`: the result in the words of the report. */
type Judgement =
  | { readonly problem: Problem; readonly standing: undefined; readonly versus: undefined }
  | { readonly problem: undefined; readonly standing: VerdictKind; readonly versus: Versus }
  | { readonly problem: undefined; readonly standing: LoneStanding; readonly versus: undefined };

/** One line of the table, judged. `versus`: only where it can be used. */
export type Row = Omit<MeasuredRow, "versus"> & JudgedFields & Judgement;

export interface JudgedThreshold {
  readonly threshold: Threshold;
  readonly app: string | undefined;
  /** Name of the endpoint; `undefined`: all of them together. Foreign text. */
  readonly endpoint: string | undefined;
  readonly workers: number;
  /** `unknown`: neither kept nor broken, because nothing was measured or because it is too close to tell. */
  readonly state: "kept" | "broken" | "unknown";
  /** In the unit of the condition: milliseconds, a share, a count, requests per second; a relative change. */
  readonly value: number | undefined;
  /** Reason for `unknown`, in our own words; empty otherwise. */
  readonly reason: string;
  /** For statements: the one that is sent most often, foreign text; absent where nobody saw any. */
  readonly statement?: Pick<Seen["statements"][number], "place" | "text"> & { readonly perRequest: number };
}

export interface Comparison {
  /** How base and head were to be compared; absent when no base was requested. */
  readonly design: Design | undefined;
  readonly check: Check;
  /** Smallest slowdown that fails the check, as a share. */
  readonly failsFrom: number;
  /** In the order of the plan. */
  readonly rows: readonly Row[];
  /** True when some row has a result of head against base. */
  readonly hasVerdicts: boolean;
  /** Every threshold in every place that it applies to, in the order of the thresholds and then of the plan. */
  readonly thresholds: readonly JudgedThreshold[];
  readonly commits: Measurement["commits"];
  /** Inputs that are in no configuration file; absent: there are none. */
  readonly settings?: Plan["settings"];
  /** The words that start this program where the report is read; absent: its package is fetched. */
  readonly program?: readonly string[];
  /** Sentences about results that were left out, e.g. of a cell that nobody planned. */
  readonly warnings: readonly string[];
  /** Slowdowns that members accept, also of other rows; absent: none, or not checked. */
  readonly accepted?: readonly Acceptance[];
}
