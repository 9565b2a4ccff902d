import * as z from "zod";
import { methods } from "../../model/endpoint/endpoint.ts";
import { addressPlaceholders, type Service } from "../../model/workload/service.ts";
import { duration as durationReader } from "../input-values.ts";
import { headers } from "./endpoint-forms.ts";
import { template } from "./service-forms.ts";
import { strictObject } from "./strict-object.ts";
import { duration, text } from "./value-kinds.ts";

/** Form of the stubs in the configuration file: HTTP services outside, as a few routes. */

/** What a header may hold, and a server of Node sends. */
const latin1 = /^[\t -~\u0080-\u00ff]*$/;
const seconds = durationReader(0, 60);
const routeShape = {
  path: text("/prices/*").regex(
    /^\/[!-"$->@-~]*$/,
    "must begin with / and have no query, e.g. /prices/*; a route answers whatever the query is",
  ),
  method: z
    .enum(methods)
    .exclude(["WS"], `must be one of ${methods.filter((each) => each !== "WS").join(", ")}`)
    .optional(),
  delay: duration("20ms")
    .refine((value) => seconds.safeParse(value).success, "must be a duration up to a minute, e.g. 20ms")
    .optional(),
  status: z
    .int("must be a status, e.g. 200")
    .min(200, "must be at least 200")
    .max(599, "must be at most 599")
    .optional(),
  headers: headers
    .refine((all) => Object.values(all).every((value) => latin1.test(value)), "must be of Latin letters")
    .optional(),
  body: z.unknown().optional(),
};
const route = strictObject(routeShape);
const shape = {
  "app-env": z.record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
    template('"{url}"', addressPlaceholders),
    'must be a mapping, e.g. { PRICES_URL: "{url}" }',
  ),
  routes: z
    .array(route, "must be a list, e.g. [{ path: /prices/*, body: { price: 1 } }]")
    .min(1, "is empty")
    .max(200, "must have at most 200 routes"),
};
const name = z.string().regex(/^[\w-]{1,40}$/, "must be 1 to 40 letters, digits, dashes");

export const stubsSchema = z.record(name, strictObject(shape), {
  error: "must be a mapping of stubs, each with app-env and routes",
});

/** The stubs as services: each start of the app has its own. */
export function readStubs(value: z.infer<typeof stubsSchema>): readonly Service[] {
  return Object.entries(value).map(([called, said]) => ({
    name: called,
    programs: [],
    stub: JSON.stringify(said.routes.map(routeOf)),
    address: { url: "http://{host}:{port}" },
    appVariables: said["app-env"],
    ready: { kind: "tcp" },
    readyWithinSeconds: 20,
  }));
}

function routeOf({ path, method = "GET", delay = "0s", status = 200, headers, body }: z.infer<typeof route>) {
  const isText = typeof body === "string";
  const type = isText ? "text/plain; charset=utf-8" : "application/json";
  return {
    ...{ path, method, status, delayMs: Math.round(seconds.parse(delay) * 1_000) },
    headers: { ...(body !== undefined && { "content-type": type }), ...headers },
    body: body === undefined ? "" : isText ? body : JSON.stringify(body),
  };
}
