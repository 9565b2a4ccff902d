import * as z from "zod";
import { diagnoseChoices } from "../../model/choices.ts";
import { agedPair } from "../../model/plan/minutes.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

const leastSoak = agedPair.youth + agedPair.least;

/** The base, and the precision of the comparison. */
export const comparisonInputs = {
  "base-ref": {
    alias: "base",
    description:
      "Base of the comparison. `auto`: the base of the pull request, when the run is for one. `none`: no base, the head is measured alone. Otherwise a branch, tag or commit of the repository that holds the app's folder.",
    fallback: "auto",
    reader: values.baseRef,
    form: { schema: kinds.text("main"), example: "base-ref: main" },
    door: "both",
  },
  control: {
    description:
      "`true`: compare the head with itself (A/A), to see the noise of the machine. It replaces `base-ref`.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "control: true" },
  },
  "min-change": {
    description:
      "Smallest change of throughput that matters, e.g. `3%`. A smaller one is called unchanged, or small. Above 0%, up to 50%. With any other percentage the head is measured alone, and the report says why.",
    fallback: "3%",
    reader: values.percentage(50),
    form: { schema: kinds.percentage("5%"), example: "min-change: 5%" },
    door: "both",
  },
  "min-latency-change": {
    description:
      "Smallest change of a latency percentile (p50, p95, p99 at saturation) that matters. A certain change of that size or more is told, and with `fail-on: latency` it fails the check if it is certainly that large. Above 0%, up to 100%.",
    fallback: "20%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("20%"), example: "min-latency-change: 30%" },
  },
  "min-memory-change": {
    description:
      "Smallest change of memory that matters, of the server when it is ready and at most under load. A certain change of that size or more is told, and with `fail-on: memory` it fails the check if it is certainly that large. Above 0%, up to 100%.",
    fallback: "3%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("3%"), example: "min-memory-change: 10%" },
  },
  "false-alarm-rate": {
    description:
      "Chance that a report of two equally fast versions calls any cell slower or faster. Above 0%, up to 20%.",
    fallback: "1%",
    reader: values.percentage(20),
    form: { schema: kinds.percentage("5%"), example: "false-alarm-rate: 5%" },
  },
  "max-minutes": {
    description:
      "Most minutes for measuring with a base. The cells share them by need. Each job of a job matrix has a machine and all of these minutes to itself. If they are too few for two replicates of each cell that the change reaches, the head is measured alone, and the report says why.",
    fallback: "15",
    reader: values.positiveNumber(1_440),
    form: { schema: kinds.number("10"), example: "max-minutes: 10" },
    door: "both",
  },
  "max-total-minutes": {
    description:
      "Most minutes for measuring with a base in all jobs of a job matrix together, e.g. `60`. Each job gets an equal part, but never more than `max-minutes`. It does not count set-up and diagnosis. Empty: no limit but `max-minutes`.",
    reader: values.positiveNumber(100_000).optional(),
    form: { schema: kinds.number("60"), example: "max-total-minutes: 60" },
  },
  soak: {
    description:
      "How long one pair of servers lives at the end, to see what comes with age: periodic work, caches that expire, growing memory. All endpoints get requests by turns. A quarter of `max-minutes` at most is kept for it. At least 40s; `0s`: none lives longer than a replicate.",
    fallback: "1m",
    reader: values.duration(0, 600).refine((seconds) => seconds === 0 || seconds >= leastSoak, {
      error: `must be 0s, or at least ${leastSoak}s: younger servers show nothing of age`,
    }),
    form: { schema: kinds.duration("1m"), example: "soak: 2m" },
  },
  "only-affected": {
    description:
      "`true`: only endpoints whose requests run code that the change touches are measured against the base; the others are shown as `not reached`.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "only-affected: false" },
  },
  "separate-cpus": {
    description:
      "`true`: the app's servers get CPUs of their own, apart from k6 and Postgres, if the machine has two or more.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "separate-cpus: false" },
  },
  "same-address-layout": {
    description:
      "`true`: the servers of both arms get the same address layout, if Linux allows it: random in each replicate, but one for both. Their threads then reserve 128 to 256 MiB of addresses each, but no memory.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "same-address-layout: false" },
  },
  diagnose: {
    description:
      "When to look inside the app for causes. It happens after all measuring and takes about 10 s for each endpoint and arm, 7 s more for an endpoint without a base, and 15 s more for one that got slower or faster. `on-change`: in cells that are not `unchanged`, and in those without a base, each endpoint once. `always`: in all cells. `never`: in none.",
    fallback: "on-change",
    reader: z.enum(diagnoseChoices, `must be one of ${diagnoseChoices.join(", ")}`),
    form: { schema: kinds.choice(diagnoseChoices), example: "diagnose: never" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
