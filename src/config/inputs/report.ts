import * as z from "zod";
import { commentModes, failChoices } from "../../model/choices.ts";
import * as kinds from "../file/value-kinds.ts";
import { thresholdLines } from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import { type InputRow, reporting } from "./row.ts";

/** Uses of the results. The file has no say in comments. */
export const reportInputs = {
  "results-directory": {
    description: "Folder for the results.",
    fallback: "loadtest-results",
    reader: z.string(),
    verbs: [...reporting, "trends"],
    door: "action",
  },
  "report-id": {
    description: "Name of this report. Each report has its own comment on a pull request.",
    details: "The action adds `name`, `config`, `working-directory` and `app`, if set, to the default.",
    fallback: "default",
    reader: values.reportId,
    verbs: ["run", "report", "announce", "post"],
    door: "both",
  },
  comment: {
    description: "Post the comment. `--no-comment` overrides `comment-mode`.",
    fallback: "true",
    reader: values.flag,
    verbs: ["run", "report", "announce"],
    instead: "comment-mode: never",
  },
  "comment-mode": {
    description:
      "When to comment on the pull request. `always`: for every report. `on-change`: unless everything is unchanged. `on-failure`: only if the check fails. `never`: not at all.",
    details: "Except with `never`, an existing comment is always updated.",
    fallback: "always",
    reader: z.enum(commentModes, `must be one of ${commentModes.join(", ")}`),
    verbs: ["run", "report", "announce"],
    door: "both",
  },
  "check-name": {
    description:
      "Name of a check run for branch protection, e.g. `Load test`. Default: none. Needs `checks: write`. GitHub only.",
    details: "[failing.md](failing.md#require-it-in-branch-protection) explains its results.",
    reader: values.checkRun,
    verbs: [...reporting, "announce"],
    door: "action",
  },
  "review-comments": {
    description: "`true`: suggest safe one-line fixes to changed lines, as review comments. GitHub only.",
    details: "Nothing is applied. The report has all suggested changes.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "review-comments: true" },
    isOfCaller: true,
    verbs: reporting,
  },
  "history-branch": {
    description:
      "Branch that stores each commit's figures and a badge, e.g. `loadtest-history`. Default: none. Needs `contents: write`. GitHub only.",
    details: "[history.md](history.md) explains it.",
    reader: values.branch,
    verbs: [...reporting, "announce"],
    door: "action",
  },
  history: {
    description:
      "For `trends`: the recorded history, as a folder or a git ref, e.g. `origin/loadtest-history`.",
    reader: z.string().optional(),
    form: { schema: kinds.text("origin/loadtest-history"), example: "history: origin/loadtest-history" },
    isOfCaller: true,
    verbs: ["trends"],
  },
  "fail-on": {
    description:
      "Results that fail the check: `regression` (slower by `max-slowdown` or more), `slower` (by `min-change` or more), `never`, or one of `latency`, `memory`, `cost` and `invalid`, which include `regression`.",
    details: "[failing.md](failing.md#what-fails-it) explains each.",
    fallback: "regression",
    reader: z.enum(failChoices, `must be one of ${failChoices.join(", ")}`),
    form: { schema: kinds.choice(failChoices), example: "fail-on: slower" },
    verbs: reporting,
    door: "both",
  },
  "max-slowdown": {
    description:
      "Smallest slowdown that fails the check, unless `fail-on` is `slower` or `never`. From `min-change` to 100%.",
    fallback: "5%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("5%"), example: "max-slowdown: 10%" },
    verbs: reporting,
  },
  thresholds: {
    description:
      "Limits, one per line: conditions in k6's syntax (`p(95)<300`), budgets (`sql_per_request<=5`), or a change that must not happen (`slower than base by 5%`).",
    details: "[failing.md](failing.md#thresholds) lists metrics, budgets and scopes.",
    reader: values.thresholds.optional(),
    form: {
      schema: kinds.thresholds,
      example:
        "thresholds:\n  http_req_duration: [p(95)<300, p(99)<800]\n  http_req_failed: rate<0.01\n  GET /items: slower than base by 5%",
      typed: thresholdLines,
    },
    verbs: reporting,
    door: "both",
  },
  plan: {
    description:
      "For `measure` and `report`: the output of `plan`, so that the report can list cells without a result.",
    details: "From it, each job also knows how many cells the whole report has.",
    reader: z.string().optional(),
    verbs: ["measure", "report"],
    door: "action",
  },
} as const satisfies Readonly<Record<string, InputRow>>;
