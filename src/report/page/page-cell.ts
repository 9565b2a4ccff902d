import type { ArmSummary } from "../../compare/arm-summary.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { decisiveEffect } from "../../compare/judgement.ts";
import { makeJudge } from "../../compare/sequential-judge.ts";
import { throughputEffects, throughputSample } from "../../compare/throughput-sample.ts";
import {
  type ArmName,
  armNames,
  type Measurement,
  type Replicate,
} from "../../model/measurement/measurement.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import type { Design } from "../../model/plan/plan.ts";
import { shortenEnd, shortenMiddle } from "../../text/length.ts";
import { short, shortEstimate } from "../../text/numbers.ts";
import { changeParts } from "../../text/percent.ts";
import { visibleLine } from "../../text/visible.ts";
import { againCommand } from "../again.ts";
import { standingWords } from "../facts/change-words.ts";
import { countedChanges } from "../facts/counted-changes.ts";
import { loadWords } from "../facts/notes.ts";
import { asSentence } from "../facts/reasons.ts";
import { bucketsPerBar, type PageArm, pageArmOf, shortPageArmOf } from "./page-arm.ts";
import { type PageDiagnosis, pageDiagnosisOf } from "./page-diagnosis.ts";

interface PageGate {
  readonly name: string;
  readonly isMet: boolean;
  readonly evidence: string;
}

export interface PageCell {
  /** Lower-case letters, digits and dashes. */
  readonly id: string;
  readonly endpoint: string;
  readonly workers: number;
  readonly server: string;
  readonly load: string;
  /** `slower`, `unchanged`, `failed`, ...: our own words. */
  readonly state: string;
  readonly tone: Row["tone"] | "problem";
  /** The reason for its state; empty when there is none. */
  readonly reason: string;
  /** The change of throughput in words, e.g. `−9.8% ± 0.6`; empty where there is none. */
  readonly effectText: string;
  /** `[value, low, high]` as shares. */
  readonly effect: readonly number[] | undefined;
  readonly arms: Readonly<Partial<Record<ArmName, PageArm>>>;
  readonly gates: readonly PageGate[];
  /** Change of throughput of each replicate, as shares. */
  readonly replicates: readonly number[];
  readonly looks: readonly PageLook[];
  readonly diagnosis: Readonly<Partial<Record<ArmName, PageDiagnosis>>>;
  /** A command line that measures this cell alone; absent when no command line can. */
  readonly again: string | undefined;
  /** True when the details were left out to keep the page short. */
  readonly isShortened?: true;
}

const longestText = 600;
const longestEndpoint = 200;

/** @param measurement the record of the cell; absent when no result can be used */
export function pageCellOf(row: Row, measurement: Measurement | undefined, comparison: Comparison): PageCell {
  const { design } = comparison;
  const usable = usableOf(row, measurement);
  const said = (text: string) => visibleLine(shortenEnd(text, longestText));
  const perBar = bucketsPerBar(Object.values(row.arms));
  return {
    ...overviewOf(row, usable, comparison),
    arms: armsOf(row, usable, (arm, name, { replicates }) => pageArmOf(arm, replicates, name, perBar)),
    gates: (row.versus?.gates ?? []).map(({ name, isMet, evidence }) => ({
      name: said(name),
      isMet,
      evidence: said(evidence),
    })),
    looks: design === undefined ? [] : pageLooksOf(usable?.replicates ?? [], design),
    diagnosis: Object.fromEntries(
      armNames.flatMap((name) => {
        const made = row.diagnosis?.[name];
        return made === undefined ? [] : [[name, pageDiagnosisOf(made)]];
      }),
    ),
  };
}

export function shortPageCellOf(
  row: Row,
  measurement: Measurement | undefined,
  comparison: Comparison,
): PageCell {
  const usable = usableOf(row, measurement);
  return {
    ...overviewOf(row, usable, comparison),
    arms: armsOf(row, usable, shortPageArmOf),
    gates: [],
    looks: [],
    diagnosis: {},
    isShortened: true,
  };
}

function usableOf(row: Row, measurement: Measurement | undefined): Measurement | undefined {
  return row.problem === undefined ? measurement : undefined;
}

function armsOf(
  row: Row,
  usable: Measurement | undefined,
  armOf: (arm: ArmSummary, name: ArmName, measurement: Measurement) => PageArm,
): PageCell["arms"] {
  return Object.fromEntries(
    armNames.flatMap((name) => {
      const arm = row.arms[name];
      return usable === undefined || arm === undefined ? [] : [[name, armOf(arm, name, usable)]];
    }),
  );
}

function overviewOf(
  row: Row,
  usable: Measurement | undefined,
  comparison: Comparison,
): Omit<PageCell, "arms" | "gates" | "looks" | "diagnosis" | "isShortened"> {
  const { cell } = row;
  const problem = row.problem;
  const versus = row.versus;
  const effect = versus && decisiveEffect(versus);
  const values = usable === undefined ? [] : throughputEffects(usable.replicates);
  const said = (text: string) => visibleLine(shortenEnd(text, longestText));
  return {
    id: cell.id,
    endpoint: visibleLine(shortenMiddle(cellLabel(cell), longestEndpoint)),
    workers: cell.workers,
    server: said(cell.server),
    load: loadWords(row),
    state: problem?.state ?? standingWords(row),
    tone: problem === undefined ? row.tone : "problem",
    reason: said(reasonWords(row, comparison)),
    effectText: changeParts(effect)?.join("") ?? "",
    // An invalid cell may have no value at all.
    effect: effect === undefined || Number.isNaN(effect.value) ? undefined : shortEstimate(effect),
    replicates: values.map((value) => short(Math.expm1(value))),
    again: againCommand(row, comparison),
  };
}

function reasonWords(row: Row, comparison: Comparison): string {
  const reason = row.problem?.reason ?? row.versus?.verdict.reason ?? row.loneArm?.reason ?? "";
  const counted = countedChanges(row, comparison);
  return counted.length === 0 ? reason : [asSentence(reason), ...counted].join(" ").trim();
}

/** The cell with all details but its flame graph, the largest of them. */
export function withoutFlame(cell: PageCell): PageCell {
  const { base, head } = cell.diagnosis;
  const bare = (each: PageDiagnosis): PageDiagnosis => ({ ...each, flame: undefined });
  return { ...cell, diagnosis: { ...(base && { base: bare(base) }), ...(head && { head: bare(head) }) } };
}

/** The result at one look at the cell: `effect` is `[value, low, high]` as shares. */
interface PageLook {
  readonly replicates: number;
  readonly effect: readonly number[];
}

/** The interval after each look, at the cell's own share of the false alarms; the verdict's may be narrower. */
function pageLooksOf(measured: readonly Replicate[], design: Design): PageLook[] {
  const replicates = measured.filter((each) => throughputEffects([each]).length > 0);
  if (replicates.length < 2) return [];
  const judge = makeJudge(design);
  const looks = [...design.looks.filter((look) => look < replicates.length), replicates.length];
  return looks.map((count) => ({
    replicates: count,
    effect: shortEstimate(judge.judge(throughputSample(replicates.slice(0, count))).effect),
  }));
}
