import type { Interval } from "../../statistics/estimate.ts";
import type { Line } from "./inline.ts";
import type { Tone } from "./table.ts";

/** The bars of one endpoint. */
export interface ChartGroup<Bar> {
  /** Foreign text. */
  readonly label: string;
  readonly bars: readonly Bar[];
}

export interface EffectBar {
  readonly workers: string;
  /** Shares. */
  readonly value: number;
  readonly interval: Interval;
  readonly tone: Tone;
  /** `slower, small` */
  readonly verdict: string;
  /** `−9.8 % ± 0.6` */
  readonly change: string;
}

/** Changes of throughput with their intervals. */
export interface EffectsChart {
  readonly caption: string;
  /** As a share; 0 when nobody set it. */
  readonly smallestEffect: number;
  readonly groups: readonly ChartGroup<EffectBar>[];
}

export interface ThroughputBar {
  /** `2 workers, base` */
  readonly label: string;
  readonly arm: "base" | "head";
  /** Requests per second. */
  readonly value: number;
  readonly interval: Interval | undefined;
  /** `1,000 ± 11 req/s` */
  readonly text: string;
}

/** Throughput as bars. */
export interface ThroughputChart {
  /** Empty when there is nothing to say. */
  readonly note: string;
  readonly groups: readonly ChartGroup<ThroughputBar>[];
}

/** Throughput by workers of one endpoint, and the ideal: every worker adds as much as the first ones. */
export interface WorkersCurve {
  readonly caption: Line;
  readonly points: readonly { readonly workers: number; readonly rate: number; readonly ideal: number }[];
}
