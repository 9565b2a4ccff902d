import * as z from "zod";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

/** An app that already runs. A file that comes with the pull request must not choose the target of the load. */
export const targetInputs = {
  "base-url": {
    description:
      "Replaces `app`: the address of a running app, e.g. `https://staging.example.com`. Needs `allow-target`.",
    details: "Nothing is installed, started or seeded. You must list the endpoints.",
    reader: z.string().optional(),
    form: {
      schema: kinds.text("https://staging.example.com"),
      example: "base-url: https://staging.example.com",
    },
    isOfCaller: true,
  },
  "head-url": {
    description: "Address of a second running app, to compare with the one at `base-url`.",
    reader: z.string().optional(),
    form: {
      schema: kinds.text("https://staging.example.com"),
      example: "head-url: https://staging.example.com",
    },
    isOfCaller: true,
  },
  "allow-target": {
    description:
      "Hosts that may receive load, e.g. `staging.example.com`. As a safeguard, you must list the hosts of `base-url` and `head-url` here.",
    reader: z.string().optional(),
    form: {
      schema: kinds.lines("[staging.example.com]"),
      example: "allow-target: [www.example.com, staging.example.com]",
    },
    isOfCaller: true,
  },
  "target-cap": {
    description:
      "`true`: limit the load on a running app to 10 VUs, 50 req/s, 1000 requests, 60 s per endpoint, and 2 minutes per comparison.",
    fallback: "true",
    reader: values.flag,
    form: { schema: kinds.flag, example: "target-cap: false" },
    isOfCaller: true,
  },
} as const satisfies Readonly<Record<string, InputRow>>;
