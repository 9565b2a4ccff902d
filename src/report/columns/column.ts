import type { ArmSummary } from "../../compare/arm-summary.ts";
import type { Row } from "../../compare/comparison.ts";
import { armNames } from "../../model/measurement/measurement.ts";
import { figure } from "../../text/numbers.ts";
import type { Line } from "../document/inline.ts";

export interface LabelColumn {
  readonly title: string;
  readonly align: "left" | "right";
  /** Foreign text: escaped in every format. */
  readonly text: (row: Row) => string;
  /** What a reader sorts by, where the text is no good for that. */
  readonly value?: (row: Row) => number;
  /** True: shown only when the rows differ in it. */
  readonly isOptional: boolean;
}

interface MeasuredColumn {
  /** Includes the unit. */
  readonly title: string;
  /** What a reader sorts by; absent where there is no single value. */
  readonly value?: (row: Row) => number | undefined;
  /** The column is left out when no row has a value. Absent: always shown. */
  readonly isKnown?: (row: Row) => boolean;
  /** In a narrow format, columns with a higher number go first. Dimensionless. */
  readonly dispensability: number;
}

/** A column of figures, made of numbers and our own words, set to the right. */
export interface FigureColumn extends MeasuredColumn {
  readonly text: (row: Row) => string;
  /** A drawing made of characters, or the interval that formats without drawings show instead. Absent: a number. */
  readonly kind?: "drawing" | "interval";
}

/** A column of words of which some stand out, set to the left. */
export interface VerdictColumn extends MeasuredColumn {
  readonly line: (row: Row) => Line;
}

export type TableColumn = FigureColumn | VerdictColumn;

/** Text for each arm: `base → head` when both were measured. */
export function perArm(text: (arm: ArmSummary) => string): (row: Row) => string {
  return ({ arms }) => {
    const measured = armNames.map((name) => arms[name]).filter((arm) => arm !== undefined);
    return measured.map(text).join(" → ");
  };
}

/** A figure of each arm as a column has it: the rows are sorted by the newer arm. */
export function ofArms(
  value: (arm: ArmSummary) => number | undefined,
  words: (value: number | undefined) => string = figure,
): Pick<FigureColumn, "text" | "value"> {
  return {
    text: perArm((arm) => words(value(arm))),
    value: ({ arms }) => {
      const arm = arms.head ?? arms.base;
      return arm && value(arm);
    },
  };
}

export function perArmOnce(text: (arm: ArmSummary) => string): (row: Row) => string {
  return ({ arms }) => {
    const measured = armNames.map((name) => arms[name]).filter((arm) => arm !== undefined);
    return [...new Set(measured.map(text))].join(" → ");
  };
}

export function someArm(holds: (arm: ArmSummary) => boolean): (row: Row) => boolean {
  return ({ arms }) => Object.values(arms).some(holds);
}
