import type { RawInputs } from "../../src/engine.ts";
import type { ClaimOverrides } from "../documents/claim-overrides.ts";

/** `quick`: scaled so that the ratios survive. `full`: durations, users and rows as published. */
export const sizes = ["quick", "full"] as const;
export type Size = (typeof sizes)[number];

/** A published report as something that can be run, at one size. */
export interface Scenario {
  /** Its file's name without the ending. */
  readonly name: string;
  readonly title: string;
  /** Id of the published report. */
  readonly report: string;
  readonly cases: readonly ScenarioCase[];
  /** Changes of this size to claims. */
  readonly claims: ClaimOverrides;
}

/** One cell of a report, and its names there. */
export interface ScenarioCase {
  /** A published result's id, or the name of a system that the report did not measure. */
  readonly id: string;
  /** Other names of the same case. */
  readonly also: readonly string[];
  /** Inputs as on the command line. */
  readonly inputs: RawInputs;
  /** Values for formulas of claims: `S` (seconds of service). */
  readonly parameters: Readonly<Record<string, number>>;
  /** Values for conditions of claims: `TCP_NODELAY` is `unset`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Another server that must run beside the app: a fake database. */
  readonly beside: Beside | undefined;
  /** Number of its measurements, in turns with neighbours that have as many: a swing of the machine hits all. */
  readonly turns: number;
}

/** Every name of a case. */
export function idsOf({ id, also }: ScenarioCase): readonly string[] {
  return [id, ...also];
}

/** The cases in order. Those that take turns stand together. */
export function stretchesOf<T extends { readonly of: ScenarioCase }>(cases: readonly T[]): T[][] {
  const stretches: T[][] = [];
  for (const each of cases) {
    const last = stretches.at(-1);
    const { turns } = each.of;
    if (last !== undefined && turns > 1 && last[0]?.of.turns === turns) last.push(each);
    else stretches.push([each]);
  }
  return stretches;
}

export interface Beside {
  /** Command, run in the app's folder with the app's environment. `{port}` is filled in. */
  readonly command: string;
  /** Variable in which the app finds its URL. */
  readonly variable: string;
}
