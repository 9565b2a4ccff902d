import * as z from "zod";
import { diagnoseChoices } from "../../model/choices.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import { measuring, type Row } from "./row.ts";

/** What the head is compared with, and how closely. */
export const comparisonInputs = {
  "base-ref": {
    alias: "base",
    description:
      "What the head is compared with. `auto`: the base of the pull request, when the run is for one. `none`: nothing, the head is measured alone. Else a branch, tag or commit of the repository that the app's folder is in.",
    fallback: "auto",
    reader: values.baseRef,
    form: { schema: kinds.text("main"), example: "base-ref: main" },
    verbs: measuring,
    door: "both",
  },
  control: {
    description:
      "`true`: compare the head with itself (A/A), to see the noise of the machine. Takes the place of `base-ref`.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "control: true" },
    verbs: measuring,
  },
  "smallest-effect": {
    description:
      "Smallest change of throughput that matters, e.g. `3%`: a smaller one is called unchanged, or small. Above 0%, up to 50%; with any other the head is measured alone, and the report says why.",
    fallback: "3%",
    reader: values.percentage(50),
    form: { schema: kinds.percentage("5%"), example: "smallest-effect: 5%" },
    verbs: measuring,
    door: "both",
  },
  "false-alarm-rate": {
    description:
      "Chance that a report of two equally fast versions calls any cell slower or faster. Above 0%, up to 20%.",
    fallback: "1%",
    reader: values.percentage(20),
    form: { schema: kinds.percentage("5%"), example: "false-alarm-rate: 5%" },
    verbs: measuring,
  },
  "max-minutes": {
    description:
      "Most minutes that measuring with a base may take, shared out over the cells by need. Each job of a job matrix has a machine and all of these minutes to itself. Where they are too few for two replicates of each cell, the head is measured alone, and the report says why.",
    fallback: "15",
    reader: values.positiveNumber(1_440),
    form: { schema: kinds.number("10"), example: "max-minutes: 10" },
    verbs: measuring,
    door: "both",
  },
  "separate-cpus": {
    description:
      "`true`: the app's servers get CPUs of their own, apart from k6 and Postgres, where there are two or more.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "separate-cpus: false" },
    verbs: measuring,
  },
  diagnose: {
    description:
      "When the app is looked into for causes, after everything is measured, for about 10 s in each cell and arm. `on-change`: in cells that are not `unchanged`, and in those without a base. `always`: in all. `never`: in none.",
    fallback: "on-change",
    reader: z.enum(diagnoseChoices, `must be one of ${diagnoseChoices.join(", ")}`),
    form: { schema: kinds.choice(diagnoseChoices), example: "diagnose: never" },
    verbs: measuring,
  },
} as const satisfies Readonly<Record<string, Row>>;
