import * as z from "zod";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

/** An app that already runs. A file that comes with the pull request must not choose the target of the load. */
export const targetInputs = {
  "base-url": {
    description:
      "Replaces `app`: the address of a running app, e.g. `https://staging.example.com`. Needs `allow-target`.",
    details: "Nothing is installed, started or seeded. List each endpoint.",
    reader: z.string().optional(),
    form: {
      schema: kinds.text("https://staging.example.com"),
      example: "base-url: https://staging.example.com",
    },
    isOfCaller: true,
  },
  "head-url": {
    description: "Address of another running app, which is compared with the one at `base-url`.",
    reader: z.string().optional(),
    form: {
      schema: kinds.text("https://staging.example.com"),
      example: "head-url: https://staging.example.com",
    },
    isOfCaller: true,
  },
  "allow-target": {
    description:
      "Hosts that may receive load, e.g. `staging.example.com`. As a safeguard, it must list the hosts of `base-url` and `head-url`.",
    reader: z.string().optional(),
    form: {
      schema: kinds.lines("[staging.example.com]"),
      example: "allow-target: [www.example.com, staging.example.com]",
    },
    isOfCaller: true,
  },
  generators: {
    description:
      "With `base-url`: number of k6 processes that share the load. With a Locust file: number of Locust's own workers.",
    details:
      "Each process gets its share of the users. In the reusable workflow each is a job; locally they run side by side (docs/scale.md).",
    fallback: "1",
    reader: values.wholeNumber(1, 64),
    form: { schema: kinds.number("4"), example: "generators: 4" },
    isOfCaller: true,
  },
  "generators-wait": {
    description:
      "Time between planning and the start of the shared load. Each job must have a runner by then.",
    fallback: "3m",
    reader: values.duration(10, 3_600),
    form: { schema: kinds.duration("3m"), example: "generators-wait: 10m" },
    isOfCaller: true,
  },
  "target-cap": {
    description:
      "`true`: a running app gets at most 10 VUs, 50 req/s, 1000 requests, 60 s per endpoint, and 2 minutes per comparison.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "target-cap: false" },
    isOfCaller: true,
  },
} as const satisfies Readonly<Record<string, InputRow>>;
