import type { ArmSummary } from "../../compare/arm-summary.ts";
import type { Row } from "../../compare/comparison.ts";
import { armNames } from "../../model/measurement/measurement.ts";

/** A column that says which cell a row is about. */
export interface LabelColumn {
  readonly title: string;
  readonly align: "left" | "right";
  /** Foreign text: escaped wherever it is shown. */
  readonly text: (row: Row) => string;
  /** Shown only when the rows differ in it. */
  readonly isOptional: boolean;
}

/** A column of figures, made of numbers and our own words. */
export interface FigureColumn {
  /** With its unit. */
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Left out when no row knows it; always shown when absent. */
  readonly isKnown?: (row: Row) => boolean;
  /** Where the width is small, columns with a higher number go first. Dimensionless. */
  readonly dispensability: number;
  /** Words that stand out, to the left; figures are on the right. */
  readonly isVerdict?: boolean;
  /** Drawn with characters, to the left; nothing that must be read. */
  readonly isDrawing?: boolean;
}

/** Text for each arm: `base → head` where both were measured. */
export function perArm(text: (arm: ArmSummary) => string): (row: Row) => string {
  return ({ arms }) => {
    const measured = armNames.map((name) => arms[name]).filter((arm) => arm !== undefined);
    return measured.map(text).join(" → ");
  };
}

/** The same, once where both arms' texts are equal. */
export function perArmOnce(text: (arm: ArmSummary) => string): (row: Row) => string {
  return ({ arms }) => {
    const measured = armNames.map((name) => arms[name]).filter((arm) => arm !== undefined);
    return [...new Set(measured.map(text))].join(" → ");
  };
}

/** Whether something holds for any arm of a row. */
export function someArm(holds: (arm: ArmSummary) => boolean): (row: Row) => boolean {
  return ({ arms }) => Object.values(arms).some(holds);
}
