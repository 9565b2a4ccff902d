import type { Failure, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Design, Plan } from "../model/plan/plan.ts";
import type { CellProgress } from "../report/progress/cell-progress.ts";
/** An event of a run, as data; the terminal decides how it looks. */
export type ProgressEvent =
  /** `jobs`: number of machines that measure its cells at the same time, one each; absent: one machine measures all. */
  | { readonly kind: "plan"; readonly plan: Plan; readonly jobs?: number }
  | { readonly kind: "step"; readonly text: string }
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
  /** One more replicate of the cell that was started last is measured. */
  | { readonly kind: "replicate measured"; readonly progress: CellProgress }
  /** The preparation of all cells failed, so none was tried. */
  | { readonly kind: "nothing measured"; readonly failure: Failure }
  | { readonly kind: "warning"; readonly text: string };

export type Progress = (event: ProgressEvent) => void;

/** Ports that show what a job has to say; outside of one they do nothing. */
export interface JobPorts {
  readonly progress: Progress;
  addSummary(markdown: string): Promise<void>;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}
