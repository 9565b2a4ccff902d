import type { ArmDiagnosis } from "../../src/model/findings/diagnosis.ts";
import type { Case } from "../cases/cases.ts";
import type { PublishedResult } from "../documents/published-results.ts";
import type { Judgement } from "../judgement/claim-judgement.ts";

/** What a reproduction ran on. Names and versions are foreign text. */
export interface MachineOfPage {
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly python?: string | undefined;
  readonly k6?: string | undefined;
  readonly postgres?: string | undefined;
  /** Distributions of the apps' environments: name to version, or to several where the environments differ. */
  readonly packages?: Readonly<Record<string, string>> | undefined;
}

/** When, how and on what a reproduction ran. */
export interface Occasion {
  readonly size: "quick" | "full";
  /** ISO 8601; only the day is shown. */
  readonly date: string;
  readonly machine: MachineOfPage;
}

/** A case that was looked into, and what was found. */
export interface DiagnosedCase {
  readonly id: string;
  readonly diagnosis: ArmDiagnosis;
}

/** Everything that the page of one report shows. */
export interface ReportPageInput extends Occasion {
  /** As the command knows the report: `three-waits`. */
  readonly name: string;
  readonly title: string;
  /** Our own markdown. What comes before its first `## ` opens the page, the rest follows the figures. */
  readonly prose: string;
  /** Of this report only, like the judgements. */
  readonly results: readonly PublishedResult[];
  readonly cases: readonly Case[];
  /** By the case's id: what was run, as one phrase. */
  readonly caseNotes: Readonly<Record<string, string>>;
  readonly judgements: readonly Judgement[];
  /** How many claims the report has; fewer are judged where single ones were asked for. */
  readonly claimsOfReport: number;
  /** In the order in which they were run. */
  readonly diagnosed: readonly DiagnosedCase[];
}

/** A report with its claims, as a line of the index. */
export interface IndexedReport {
  readonly name: string;
  readonly title: string;
  readonly judgements: readonly Judgement[];
}

/** Everything that the index of all pages shows. */
export interface ReportIndexInput extends Occasion {
  readonly reports: readonly IndexedReport[];
}
