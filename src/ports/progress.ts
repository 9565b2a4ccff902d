import type { Failure, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Design, Plan } from "../model/plan/plan.ts";
import type { CellProgress } from "../report/progress/cell-progress.ts";

/** A part of a run that is about all cells together. */
export type Phase = "reach check" | "soak test" | "instructions" | "causes";

/** An event of a run, as data; the terminal decides how it looks. */
export type ProgressEvent =
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      /** Machines that measure its cells at the same time, one each; absent: one machine measures all. */
      readonly jobs?: number;
      /** Plans of other apps that are measured afterwards; absent: there are none. */
      readonly later?: readonly Plan[];
    }
  | { readonly kind: "step"; readonly text: string }
  /** `seconds`: its usual length. */
  | { readonly kind: "phase started"; readonly phase: Phase; readonly seconds: number }
  /** A cell that is measured in several rounds starts once in each. */
  | { readonly kind: "cell started"; readonly cell: Cell; readonly index: number; readonly total: number }
  | { readonly kind: "load started"; readonly seconds: number | undefined }
  | {
      readonly kind: "cell finished";
      readonly measurement: Measurement;
      /** The design by which the cell may be judged; absent for a head alone. */
      readonly design?: Design;
      readonly index: number;
      readonly total: number;
    }
  /** One more replicate of a cell is measured. */
  | { readonly kind: "replicate measured"; readonly cell: Cell; readonly progress: CellProgress }
  | { readonly kind: "nothing measured"; readonly failure: Failure }
  | { readonly kind: "warning"; readonly text: string };

export type Progress = (event: ProgressEvent) => void;

/** Ports that show what a job has to say; outside of one they do nothing. */
export interface JobPorts {
  readonly progress: Progress;
  addSummary(markdown: string): Promise<void>;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}
