import * as z from "zod";
import { appInputs } from "./inputs/app.ts";
import { comparisonInputs } from "./inputs/comparison.ts";
import { configurationInputs } from "./inputs/configuration.ts";
import { databaseInputs } from "./inputs/database.ts";
import { loadInputs } from "./inputs/load.ts";
import { reportInputs } from "./inputs/report.ts";
import { type InputRow, readersOf } from "./inputs/row.ts";
import { targetInputs } from "./inputs/target.ts";

/** All inputs, by subject. The command line has each as an option. */
export const rows = {
  ...configurationInputs,
  ...appInputs,
  ...loadInputs,
  ...comparisonInputs,
  ...databaseInputs,
  ...targetInputs,
  ...reportInputs,
};

/** Readers of all inputs. */
export const inputsSchema = z.strictObject(readersOf(rows));

export interface Input extends InputRow {
  readonly name: string;
}

export const inputs: readonly Input[] = Object.entries(rows).map(([name, row]) => ({ name, ...row }));

const byName = new Map(inputs.map((input) => [input.name, input]));

export function inputNamed(name: string): Input | undefined {
  return byName.get(name);
}
