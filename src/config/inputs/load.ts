import * as z from "zod";
import { autoLine } from "../../model/endpoint/endpoint.ts";
import { endpointsSchema } from "../file/endpoint-forms.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

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
      "Endpoints to request, one per line: a path, preceded by a method unless it is GET. `auto`: every GET endpoint in the app's OpenAPI document.",
    details:
      "A path may include a query. `auto POST /orders` takes that endpoint's parameters and body from the document.",
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
      "Replaces `endpoints`: the steps that each user repeats, one per line. A step is a request as in `endpoints`, or a pause, e.g. `sleep 100ms`.",
    reader: values.iteration.optional(),
    form: { schema: kinds.lines("[/, sleep 100ms, /api]"), example: "iteration: [/, sleep 100ms, /api]" },
  },
  script: {
    description:
      "Replaces `endpoints`: your own k6 script, or a Locust file (`.py`), run unchanged. The `BASE_URL` variable holds the app's address.",
    details: "The script controls its own load; see [scripts.md](scripts.md).",
    reader: z.string().max(300).optional(),
    form: { schema: kinds.text("load/checkout.js"), example: "script: load/checkout.js" },
  },
  "script-env": {
    description:
      "Variables for `script`, one `NAME=value` per line: `__ENV` in k6, environment variables in Locust. `{base-url}` in a value is the app's address.",
    details:
      "A value may be `{ secret: LOADTEST_NAME }`, to read an environment variable of the step that measures.",
    reader: values.scriptVariables.optional(),
    form: {
      schema: kinds.scriptVariables,
      example: "script-env:\n  API_KEY: { secret: LOADTEST_API_KEY }\n  API_URL: '{base-url}/v2'",
      typed: kinds.typedSecrets,
    },
    isSecret: true,
  },
  "script-remote": {
    description:
      "`true`: let a k6 script import unreviewed modules from other hosts and call hosts that `script-env` does not name.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "script-remote: true" },
  },
  vus: {
    description: "Virtual users: the number of requests in flight or, with `rate`, the maximum number.",
    fallback: "8",
    reader: values.wholeNumber(1, 100_000),
    form: { schema: kinds.number("16"), example: "vus: 16" },
    door: "both",
  },
  duration: {
    description:
      "Time under load for each endpoint at each worker count, e.g. `1m30s`, if only the head is measured. With a base, `max-minutes` applies instead.",
    fallback: "10s",
    reader: values.duration(1, 86_400),
    form: { schema: kinds.duration("20s"), example: "duration: 20s" },
    door: "both",
  },
  stages: {
    description:
      "Replaces `vus` and `duration`: k6 stages, e.g. `1s:50,30s:50,5s:0` (each with its duration and the number of users at its end).",
    reader: values.stages.optional(),
    form: { schema: kinds.text('"1s:50,30s:50"'), example: 'stages: "1s:50,30s:50"' },
  },
  requests: {
    description: "Replaces `duration`: send this many requests, `vus` at a time.",
    reader: values.wholeNumber(1, 100_000_000).optional(),
    form: { schema: kinds.number("1000"), example: "requests: 1000" },
  },
  rate: {
    description: "Requests to send per second, even if earlier ones are still unanswered (open model).",
    reader: values.positiveNumber(1_000_000).optional(),
    form: { schema: kinds.number("250"), example: "rate: 250" },
    door: "both",
  },
  connections: {
    description:
      "`reuse`: each user keeps its connection open, as browsers do. `new`: each request opens its own, like `ab` without `-k`.",
    details: "In a comparison with several workers, users reconnect every 200 ms.",
    fallback: "reuse",
    reader: z.enum(["reuse", "new"], "must be reuse or new"),
    form: { schema: kinds.choice(["reuse", "new"]), example: "connections: new" },
  },
  "request-timeout": {
    description: "How long a request may take before it counts as failed, e.g. `10s`.",
    fallback: "60s",
    reader: values.duration(0.1, 86_400),
    form: { schema: kinds.duration("10s"), example: "request-timeout: 10s" },
  },
  "graceful-stop": {
    description:
      "How long requests may keep running after the load ends, e.g. `5s`. Any still running after that count as `cut off`.",
    details: "`0s`: they are dropped and not counted, as in Locust.",
    fallback: "30s",
    reader: values.duration(0, 3_600),
    form: { schema: kinds.duration("5s"), example: "graceful-stop: 5s" },
  },
  "first-request-alone": {
    description: "`true`: send one request and wait for its response before sending the rest, as `ab` does.",
    fallback: "false",
    reader: values.flag,
    form: { schema: kinds.flag, example: "first-request-alone: true\nrequests: 1000" },
  },
  warmup: {
    description: "How long to warm up before measuring. With a base, both servers share that time.",
    fallback: "200ms",
    reader: values.duration(0, 3_600),
    form: { schema: kinds.duration("2s"), example: "warmup: 2s" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
