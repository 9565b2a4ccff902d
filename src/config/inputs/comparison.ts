import * as z from "zod";
import { countChoices, diagnoseChoices } from "../../model/choices.ts";
import { agedPair } from "../../model/plan/minutes.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

const leastSoak = agedPair.youth + agedPair.least;

export const comparisonInputs = {
  "base-ref": {
    description:
      "The base to compare with. `auto`: the pull request's base. `none`: measure only the head. Or name a branch, tag or commit.",
    details:
      "Outside of a pull request, `auto` means `none`. A branch, tag or commit must exist in the repository that contains the app's folder.",
    fallback: "auto",
    reader: values.baseRef,
    form: { schema: kinds.text("main"), example: "base-ref: main" },
    door: "both",
  },
  control: {
    description:
      "`true`: compare the head with itself (A/A) to see how noisy the machine is. It replaces `base-ref`.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "control: true" },
  },
  "min-change": {
    description:
      "Smallest change in throughput that matters, above 0% and up to 50%. Smaller changes are reported as unchanged or small.",
    details: "With a value outside this range, only the head is measured, and the report shows why.",
    fallback: "3%",
    reader: values.percentage(50),
    form: { schema: kinds.percentage("5%"), example: "min-change: 5%" },
    door: "both",
  },
  "min-latency-change": {
    description:
      "Smallest change in a latency percentile (p50, p95, p99) that matters. With `fail-on: latency`, an increase fails the check if its whole interval is at least this large.",
    details: "Percentiles are measured at saturation. Any value above 0%, up to 100%.",
    fallback: "20%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("20%"), example: "min-latency-change: 30%" },
  },
  "min-memory-change": {
    description:
      "Smallest change in memory that matters. With `fail-on: memory`, an increase fails the check if its whole interval is at least this large.",
    details:
      "This applies to the memory that the server uses when it is ready and to its peak under load. Any value above 0%, up to 100%.",
    fallback: "3%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("3%"), example: "min-memory-change: 10%" },
  },
  "min-cost-change": {
    description:
      "Smallest change in CPU instructions per request that is reported. With `fail-on: cost`, an increase fails the check if its whole interval is at least this large.",
    details: "Any value above 0%, up to 100%.",
    fallback: "1%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("1%"), example: "min-cost-change: 2%" },
  },
  "count-instructions": {
    description:
      "`auto`: with a base, count the CPU instructions of each endpoint's requests, if Valgrind is installed. `never`: do not count them.",
    details:
      "They are counted during the soak test, with one worker. That takes about 10 s plus 4 s per endpoint, within `max-minutes`.",
    fallback: "auto",
    reader: z.enum(countChoices, `must be one of ${countChoices.join(", ")}`),
    form: { schema: kinds.choice(countChoices), example: "count-instructions: never" },
  },
  "false-alarm-rate": {
    description:
      "Maximum chance that a report shows any change when the two versions are identical. Above 0%, up to 20%.",
    fallback: "1%",
    reader: values.percentage(20),
    form: { schema: kinds.percentage("5%"), example: "false-alarm-rate: 5%" },
  },
  "max-minutes": {
    description:
      "Maximum measuring time of a comparison, in minutes, divided among endpoints and worker counts as needed. In a job matrix, each job gets the full amount.",
    details:
      "If that is too short for two replicates of each affected endpoint and worker count, only the head is measured, and the report shows why.",
    fallback: "15",
    reader: values.positiveNumber(1_440),
    form: { schema: kinds.number("10"), example: "max-minutes: 10" },
    door: "both",
  },
  "max-total-minutes": {
    description:
      "Maximum total measuring time of all jobs in a matrix, in minutes, e.g. `60`. Only with a base. Default: no limit apart from `max-minutes`.",
    details:
      "Each job gets an equal share, but never more than `max-minutes`. Setup and diagnosis do not count.",
    reader: values.positiveNumber(100_000).optional(),
    form: { schema: kinds.number("60"), example: "max-total-minutes: 60" },
  },
  soak: {
    description:
      "Length of the soak test, which reveals memory growth, expiring caches and periodic work. At least `40s`, or `0s` to disable it.",
    details:
      "If it is at most `1m`, three pairs of servers run at the same time, each for a third as long. The test takes at most a quarter of `max-minutes`; see [measurement.md](measurement.md#the-soak-test).",
    fallback: "1m",
    reader: values.duration(0, 600).refine((seconds) => seconds === 0 || seconds >= leastSoak, {
      error: `must be 0s, or at least ${leastSoak}s: a shorter test cannot show a slowdown over time`,
    }),
    form: { schema: kinds.duration("1m"), example: "soak: 2m" },
  },
  "only-affected": {
    description:
      "`true`: with a base, measure only endpoints whose requests run changed code, and show the others as `not reached`.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "only-affected: false" },
  },
  "separate-cpus": {
    description:
      "`true`: give the app's servers their own CPUs, separate from those of k6 and Postgres, if the machine has two or more.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "separate-cpus: false" },
  },
  "same-address-layout": {
    description:
      "`true`: give both versions the same memory address layout, a new random one each time they start, if Linux allows it.",
    details: "[measurement.md](measurement.md#one-address-layout-for-both-versions) explains why.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "same-address-layout: false" },
  },
  diagnose: {
    description:
      "When to look for causes inside the app. `on-change`: if the result is anything but `unchanged`, or if there is no base. `always`: in every case. `never`: not at all.",
    details:
      "[Diagnosis](diagnosis.md) takes about 10 s for each endpoint and version, 7 s more for an endpoint without a base, and 15 s more for one that got slower or faster.",
    fallback: "on-change",
    reader: z.enum(diagnoseChoices, `must be one of ${diagnoseChoices.join(", ")}`),
    form: { schema: kinds.choice(diagnoseChoices), example: "diagnose: never" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
