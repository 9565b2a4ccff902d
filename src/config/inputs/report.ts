import * as z from "zod";
import { commentModes, failChoices } from "../../model/choices.ts";
import * as kinds from "../file/value-kinds.ts";
import { thresholdLines } from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import { type Row, reporting } from "./row.ts";

/** What becomes of the results. Who comments where is not up to the file. */
export const reportInputs = {
  "results-folder": {
    description: "Where results are written and read.",
    fallback: "loadtest-results",
    reader: z.string(),
    verbs: [...reporting, "trends"],
    door: "action",
  },
  "report-id": {
    description: "Name of this report; each name has a comment of its own on a pull request.",
    fallback: "default",
    reader: values.reportId,
    verbs: ["run", "report", "announce", "post"],
    door: "both",
  },
  comment: {
    description: "`false`: as `comment-mode: never`, whatever that says.",
    fallback: "true",
    reader: values.flag,
    verbs: ["run", "report", "announce"],
    instead: "comment-mode: never",
  },
  "comment-mode": {
    description:
      "Which reports get a comment on the pull request. `always`: all. `on-change`: those that say more than unchanged. `on-failure`: those that fail the check. `never`: none, there are only the job summary and files. But for `never`, a comment that is there already is kept up to date.",
    fallback: "always",
    reader: z.enum(commentModes, `must be one of ${commentModes.join(", ")}`),
    verbs: ["run", "report", "announce"],
    door: "both",
  },
  "check-run": {
    description:
      "Name of a check run that says what came of the report, for branch protection, e.g. `Load test`. Empty: none. It fails as the job does, is neutral when something is slower or inconclusive without failing, or nothing could be compared, and needs `checks: write`.",
    fallback: "",
    reader: values.checkRun,
    verbs: [...reporting, "announce"],
    door: "action",
  },
  "history-branch": {
    description:
      "Branch that keeps a line of figures of each cell and commit, and a badge, e.g. `loadtest-history`. Empty: none. It is made when it is not there, written on `push`, `schedule` and `workflow_dispatch` of the default branch only, and needs `contents: write`.",
    fallback: "",
    reader: values.branch,
    verbs: [...reporting, "announce"],
    door: "action",
  },
  history: {
    description:
      "For `trends`: where the kept history is, as a folder (e.g. of a checkout of that branch) or as a ref of the repository, e.g. `origin/loadtest-history`.",
    fallback: "",
    reader: z.string().optional(),
    form: { schema: kinds.text("origin/loadtest-history"), example: "history: origin/loadtest-history" },
    isOfCaller: true,
    verbs: ["trends"],
  },
  "fail-on": {
    description:
      "When the check fails. `slower`: a cell is slower by at least `smallest-effect`. `threshold`: by at least `fail-threshold`. `invalid`: that, or its comparison is `invalid`. `never`: nothing that was measured fails it. But for `never`, an `invalid` one fails it, too, where what was seen is that much slower. Broken `thresholds` fail it, too, but with `never`.",
    fallback: "threshold",
    reader: z.enum(failChoices, `must be one of ${failChoices.join(", ")}`),
    form: { schema: kinds.choice(failChoices), example: "fail-on: slower" },
    verbs: reporting,
    door: "both",
  },
  "fail-threshold": {
    description:
      "How much slower a cell has to be for `fail-on: threshold` and `invalid`; not below `smallest-effect`. Above 0%, up to 100%.",
    fallback: "5%",
    reader: values.percentage(100),
    form: { schema: kinds.percentage("5%"), example: "fail-threshold: 10%" },
    verbs: reporting,
  },
  thresholds: {
    description:
      "Bounds in k6's words, one a line: `p(95)<300`, `rate<0.01`, `http_reqs: rate>100`, `slower than base by 5%`. They hold for each endpoint; after `overall:`, for all together; after an endpoint and a colon, for that one. A broken one fails the check.",
    fallback: "",
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
      "For `measure` and `report`: the plan as `plan` printed it, so that each job knows how many cells the whole report has, and cells without a result are shown.",
    fallback: "",
    reader: z.string().optional(),
    verbs: reporting,
    door: "action",
  },
} as const satisfies Readonly<Record<string, Row>>;
