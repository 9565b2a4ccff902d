import * as z from "zod";
import type { FoundApp } from "../model/workload/workload.ts";
import { flag } from "./input-values.ts";
import { appInputs, configurationInputs } from "./inputs/app.ts";
import { comparisonInputs } from "./inputs/comparison.ts";
import { databaseInputs } from "./inputs/database.ts";
import { loadInputs } from "./inputs/load.ts";
import { reportInputs } from "./inputs/report.ts";
import { type InputRow, type InputVerb, measuring, readersOf } from "./inputs/row.ts";
import { targetInputs } from "./inputs/target.ts";

export const rows = {
  ...configurationInputs,
  ...appInputs,
  ...loadInputs,
  ...comparisonInputs,
  ...databaseInputs,
  ...targetInputs,
  ...reportInputs,
};

const subjects = {
  Configuration: configurationInputs,
  App: appInputs,
  Load: loadInputs,
  Comparison: comparisonInputs,
  Database: databaseInputs,
  "Running app": targetInputs,
  Report: reportInputs,
} as const satisfies Readonly<Record<string, Readonly<Record<string, InputRow>>>>;

export const inputsSchema = z.strictObject(readersOf(rows));
export type Inputs = z.infer<typeof inputsSchema>;

export interface Input extends InputRow {
  readonly name: string;
  /** Empty: not set. */
  readonly fallback: string;
  readonly verbs: readonly InputVerb[];
  /** True when it is yes or no, so that its option takes no value. */
  readonly isFlag: boolean;
  readonly subject: string;
}

export const inputs: readonly Input[] = Object.entries(subjects).flatMap(([subject, own]) =>
  Object.entries<InputRow>(own).map(([name, row]) => ({
    ...{ name, subject, fallback: "", verbs: measuring, isFlag: row.reader === flag },
    ...row,
  })),
);

const byName = new Map(inputs.map((input) => [input.name, input]));

export function inputNamed(name: string): Input | undefined {
  return byName.get(name);
}

type Place = Pick<Input, "description" | "details" | "fallback">;

export const actionInputs: Readonly<Record<string, Place>> = {
  command: {
    description:
      "Command to run: `run` (everything), `plan`, `measure`, `report`, `post`, `announce`, `withdraw` or `trends`.",
    details:
      "`plan`, `measure` and `report` are the steps of `run`. `post` comments on the pull request with another run's report. `announce` announces this run in the comment, and `withdraw` removes the announcement (`run` does both). `trends` shows a recorded history as a page.",
    fallback: "run",
  },
  "github-token": {
    description:
      "Token for the comment, with `pull-requests: write`. Only the steps that announce and report get it, not the one that measures.",
    fallback: `\${{ github.token }}`,
  },
};

export const workflowInputs: Readonly<Record<string, Place>> = {
  "runs-on": {
    description:
      'Label of the runners that measure or, as JSON, a list of labels or a group: `["self-hosted", "linux"]`, `{"group": "large"}`.',
    fallback: "ubuntu-latest",
  },
  "report-runs-on": {
    description:
      "The same for the jobs that announce, plan and report, e.g. `ubuntu-slim`. Each job needs a fresh runner, because planning imports the app and reporting has the token.",
    fallback: "ubuntu-latest",
  },
  "timeout-minutes": { description: "Time limit for each job, in minutes.", fallback: "60" },
  "postgres-image": {
    description:
      "Image for the Postgres service, used if `database` is `postgres` and `database-url` is empty.",
    fallback: "postgres:18.4@sha256:3a82e1f56c8f0f5616a11103ac3d47e632c3938698946a7ad26da0df1334744a",
  },
};

/** Raw inputs by their public names, from the action or the command line. Empty text means not given. */
export type RawInputs = Readonly<Record<string, string | undefined>>;

/** Questions about the file system that parsing must ask. */
export interface Files {
  /** Makes a path absolute. `folder`: its absolute base; absent: the working folder. */
  resolve(path: string, folder?: string): string;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  findApps(folder: string): readonly FoundApp[];
}
