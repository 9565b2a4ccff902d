import * as z from "zod";
import { autoLine } from "../../model/endpoint/endpoint.ts";
import { endpointsSchema } from "../file/endpoint-forms.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

/** The requests, and the amount of load. */
export const loadInputs = {
  workers: {
    description: "Worker counts to measure, comma-separated, e.g. `1,2,4`.",
    fallback: "1,2",
    reader: values.workerCounts,
    form: {
      schema: kinds.counts,
      example: "workers: [1, 2, 4]",
      typed: (value) => (Array.isArray(value) ? value.join(",") : value),
    },
    door: "both",
  },
  endpoints: {
    description:
      "Endpoints to request, one a line: a path with its query, after a method unless that is GET. `auto`: every GET of the app's own OpenAPI document. `auto POST /orders`: one of its endpoints, filled in from there.",
    fallback: autoLine,
    reader: values.endpoints,
    form: {
      schema: endpointsSchema,
      example:
        "endpoints:\n  - /health\n  - POST /orders\n  - path: /items/{item_id}\n    params:\n      item_id: { from: 1, to: 1000 }",
    },
    door: "both",
  },
  iteration: {
    description:
      "Replaces `endpoints`: the steps that each user repeats, one a line, in order. A step is a request as in `endpoints`, or a pause, e.g. `sleep 100ms`.",
    reader: values.iteration.optional(),
    form: { schema: kinds.lines("[/, sleep 100ms, /api]"), example: "iteration: [/, sleep 100ms, /api]" },
  },
  script: {
    description:
      "Replaces `endpoints`: a k6 script of yours, or a Locust file (`.py`), run as it is. It finds the app's address in the variable `BASE_URL` and decides itself on its load; Locust gets `vus` and `duration`. Its checks, requests, groups, metrics and thresholds are in the report. With a base it runs against both in turns.",
    reader: z.string().max(300).optional(),
    form: { schema: kinds.text("load/checkout.js"), example: "script: load/checkout.js" },
  },
  vus: {
    description:
      "Virtual users: the number of requests that are under way at once (closed model), or may be (open model).",
    fallback: "8",
    reader: values.wholeNumber(1, 100_000),
    form: { schema: kinds.number("16"), example: "vus: 16" },
    door: "both",
  },
  duration: {
    description:
      "Time under load for each cell when the head is measured alone, e.g. `10s` or `1m30s`. With a base, the cells share `max-minutes` instead.",
    fallback: "10s",
    reader: values.duration(1, 86_400),
    form: { schema: kinds.duration("20s"), example: "duration: 20s" },
    door: "both",
  },
  stages: {
    description:
      "Replaces `vus` and `duration`: k6 stages, e.g. `1s:50,30s:50,5s:0` (time to reach that many VUs).",
    reader: values.stages.optional(),
    form: { schema: kinds.text('"1s:50,30s:50"'), example: 'stages: "1s:50,30s:50"' },
  },
  requests: {
    description: "Replaces `duration`: this many requests, `vus` at a time.",
    reader: values.wholeNumber(1, 100_000_000).optional(),
    form: { schema: kinds.number("1000"), example: "requests: 1000" },
  },
  rate: {
    description:
      "Open model: this many requests arrive each second, even if earlier ones are not answered yet.",
    reader: values.positiveNumber(1_000_000).optional(),
    form: { schema: kinds.number("250"), example: "rate: 250" },
    door: "both",
  },
  connections: {
    description:
      "`reuse`: each user keeps its connection, as browsers do. `new`: each request has a TCP connection of its own, as with `ab` without `-k`.",
    fallback: "reuse",
    reader: z.enum(["reuse", "new"], "must be reuse or new"),
    form: { schema: kinds.choice(["reuse", "new"]), example: "connections: new" },
  },
  "request-timeout": {
    description: "Longest time for a request before it counts as failed, e.g. `10s`.",
    fallback: "60s",
    reader: values.duration(0.1, 86_400),
    form: { schema: kinds.duration("10s"), example: "request-timeout: 10s" },
  },
  "graceful-stop": {
    description:
      "Longest time that requests under way at the end may still take. After that they count as `cut off`. `0s`: they are dropped and not counted, as by Locust.",
    fallback: "30s",
    reader: values.duration(0, 3_600),
    form: { schema: kinds.duration("5s"), example: "graceful-stop: 5s" },
  },
  "first-request-alone": {
    description:
      "`true`, with `requests`: the first request is sent alone and the others wait for its reply, as with `ab`.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "first-request-alone: true\nrequests: 1000" },
  },
  warmup: {
    description: "Time under load before anything counts. With a base, both servers share it.",
    fallback: "200ms",
    reader: values.duration(0, 3_600),
    form: { schema: kinds.duration("2s"), example: "warmup: 2s" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
