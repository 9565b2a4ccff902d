import type { ArmDiagnosis } from "../../src/engine.ts";
import type { Case } from "../cases/cases.ts";
import type { PublishedResult } from "../documents/published-results.ts";
import type { Judgement } from "../judgement/claim-judgement.ts";

/** Machine and software of a reproduction. Names and versions are foreign text. */
export interface MachineOfPage {
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly python?: string | undefined;
  readonly k6?: string | undefined;
  readonly postgres?: string | undefined;
  /** Distributions in the apps' environments: name to version, or to several when the environments differ. */
  readonly packages?: Readonly<Record<string, string>> | undefined;
}

/** Time, size and machine of a reproduction. */
export interface Occasion {
  readonly size: "quick" | "full";
  /** ISO 8601. Only the day is shown. */
  readonly date: string;
  readonly machine: MachineOfPage;
}

/** A case on which diagnosis ran, and its findings. */
export interface DiagnosedCase {
  readonly id: string;
  readonly diagnosis: ArmDiagnosis;
}

/** All data for the page of one report. */
export interface ReportPageInput extends Occasion {
  /** Name of the report for the command: `three-waits`. */
  readonly name: string;
  readonly title: string;
  /** Our own markdown. The part before its first `## ` opens the page, and the rest follows the figures. */
  readonly prose: string;
  /** Results of this report only, like the judgements. */
  readonly results: readonly PublishedResult[];
  readonly cases: readonly Case[];
  /** Settings of each case as one phrase, by the case's id. */
  readonly caseNotes: Readonly<Record<string, string>>;
  readonly judgements: readonly Judgement[];
  /** Number of claims of the report. Fewer are judged when single ones were asked for. */
  readonly claimsOfReport: number;
  /** In the order in which they ran. */
  readonly diagnosed: readonly DiagnosedCase[];
}

/** A report with its claims, as a line of the index. */
export interface IndexedReport {
  readonly name: string;
  readonly title: string;
  readonly judgements: readonly Judgement[];
}

/** All data for the index of all pages. */
export interface ReportIndexInput extends Occasion {
  readonly reports: readonly IndexedReport[];
}
