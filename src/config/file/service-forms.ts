import { parseArgsStringToArgv } from "string-argv";
import * as z from "zod";
import { defined } from "../../lists/defined.ts";
import { methods } from "../../model/endpoint/endpoint.ts";
import { hasOpenQuote } from "../../model/workload/server-command.ts";
import {
  addressPlaceholders,
  type Companion,
  commandPlaceholders,
  placeholderProblem,
  type Readiness,
  type Service,
  type ServiceImage,
} from "../../model/workload/service.ts";
import { presetNames, type ServicePreset, servicePresets } from "../../model/workload/service-presets.ts";
import { duration as durationReader } from "../input-values.ts";
import { headers } from "./endpoint-forms.ts";
import { duration, strictObject, text, variables } from "./value-kinds.ts";

const presets = presetNames.join(", ");
const presetName = z.enum(presetNames, `must be one of ${presets}`);

export const template = (example: string, known: readonly string[]) =>
  text(example).superRefine((value, context) => {
    const problem = placeholderProblem(value, known);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem, input: value });
  });

export const command = (example: string, known: readonly string[]) =>
  template(example, known)
    .regex(/\S/, `is empty; add e.g. ${example}`)
    .regex(/^[^\r\n]*$/, "must be one line")
    .refine((value) => !hasOpenQuote(value), "has an unclosed quote");

const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

const readyForms =
  "must be tcp, a path (/health), or a text to send and the start of the response ({ send: ping, expect: pong })";
const ready = z.union(
  [
    z.literal("tcp"),
    z.string().regex(/^\/[!-~]*$/, readyForms),
    strictObject({ send: z.string("must be text"), expect: z.string("must be text") }),
  ],
  readyForms,
);

const seconds = durationReader(0.1, 3_600);

function isDuration(value: string): boolean {
  return seconds.safeParse(value).success;
}

const seedExample = "python -m app.seed";
const seedLine = command(seedExample, []);

const shape = {
  preset: presetName.optional(),
  command: command("redis-server --port {port} --dir {folder}", commandPlaceholders)
    .refine((value) => value.includes("{port}"), "must contain {port}, the port to listen on")
    .optional(),
  image: text("redis:7")
    .regex(/^[a-z0-9][\w./:@-]{0,250}$/i, "must be the name of an image, e.g. redis:7")
    .optional(),
  compose: text("docker-compose.yml").regex(/\S/, "is empty").optional(),
  port: z
    .int("must be a whole number, e.g. 6379")
    .min(1, "must be at least 1")
    .max(65_535, "must be at most 65535")
    .optional(),
  args: z.array(text("--quiet"), "must be a list, e.g. [--quiet]").optional(),
  env: variables.optional(),
  ready: ready.optional(),
  "ready-timeout": duration("30s")
    .refine(isDuration, "must be a duration up to an hour, e.g. 30s")
    .optional(),
  seed: z
    .union([seedLine, z.array(seedLine).min(1, "is empty")], `must be a command, e.g. ${seedExample}`)
    .optional(),
  "app-env": z
    .record(variableName, template('"{url}"', addressPlaceholders), {
      error: 'must be a mapping, e.g. { REDIS_URL: "{url}" }',
    })
    .optional(),
};
const service = strictObject(shape);
type ServiceForm = z.infer<typeof service>;

const serviceName = z.string().regex(/^[\w-]{1,40}$/, "must be 1 to 40 letters, digits, dashes");

/** A service of a name, with nothing else about it, is the preset of that name. */
const named = z.record(serviceName, z.union([z.null(), service]), {
  error: `must be a mapping of services, e.g. { redis: { app-env: { REDIS_URL: "{url}" } } }`,
});

/** The mistakes that are of no single key. */
function problemsOf(called: string, form: ServiceForm): readonly (readonly [key: string, message: string])[] {
  const isPreset = presetOf(called, form) !== undefined;
  const isContainer = form.image !== undefined || form.compose !== undefined;
  if (!isPreset && form.command === undefined && !isContainer)
    return [["", `needs a command, an image, a compose file or a preset (${presets})`]];
  if (form.image !== undefined && form.compose !== undefined)
    return [["compose", "cannot be combined with image; set only one of these"]];
  if (!isContainer && form.port !== undefined)
    return [["port", "is a port in a container, so it needs image; a command gets a free port"]];
  if (!isContainer && form.args !== undefined)
    return [["args", "needs image; put the arguments of a command into the command"]];
  return !isPreset && form.image !== undefined && form.port === undefined
    ? [["image", "needs port, the port in its container, e.g. port: 8080"]]
    : [];
}

export const servicesSchema = z.union(
  [
    presetName,
    z.array(presetName).min(1, "is empty"),
    named.superRefine((all, context) => {
      for (const [called, form] of Object.entries(all))
        for (const [key, message] of problemsOf(called, form ?? {}))
          context.addIssue({
            code: "custom",
            path: key === "" ? [called] : [called, key],
            message,
            input: undefined,
          });
    }),
  ],
  `must be a preset (${presets}), a list of presets or a mapping of services`,
);

function presetOf(called: string, { preset = called }: ServiceForm): ServicePreset | undefined {
  return Object.hasOwn(servicePresets, preset) ? servicePresets[preset] : undefined;
}

export function readServices(value: z.infer<typeof servicesSchema>): readonly Service[] {
  if (typeof value === "string") return readServices([value]);
  if (Array.isArray(value)) return readServices(Object.fromEntries(value.map((each) => [each, null])));
  return Object.entries(value).map(([called, form]) => serviceOf(called, form ?? {}));
}

function serviceOf(called: string, form: ServiceForm): Service {
  const preset = presetOf(called, form);
  const env = Object.fromEntries(Object.entries(form.env ?? {}).map(([key, each]) => [key, String(each)]));
  const isOwn = form.command !== undefined || form.image !== undefined || form.compose !== undefined;
  const [program, ...args] = parseArgsStringToArgv(form.command ?? "");
  const own = program === undefined ? [] : [{ program, args, variables: env }];
  const image = imageOf(form, preset?.image, env);
  const programs = (preset?.programs ?? []).map((each) =>
    form.env === undefined ? each : { ...each, variables: { ...each.variables, ...env } },
  );
  const timeout = form["ready-timeout"];
  return {
    name: called,
    programs: isOwn ? own : programs,
    ...(image !== undefined && (!isOwn || form.image !== undefined) && { image }),
    ...(form.compose !== undefined && {
      composed: { file: form.compose, own: ownImage(form, preset?.image, env) },
    }),
    ...(preset?.debianPackage !== undefined && !isOwn && { debianPackage: preset.debianPackage }),
    address: preset?.address ?? { url: "http://{host}:{port}" },
    appVariables: form["app-env"] ?? preset?.appVariables ?? {},
    ready: readinessOf(form.ready) ?? preset?.ready ?? { kind: "tcp" },
    readyWithinSeconds: timeout === undefined ? (preset?.readyWithinSeconds ?? 60) : seconds.parse(timeout),
    ...(form.seed !== undefined && { seed: [form.seed].flat() }),
  };
}

function imageOf(
  { image, port, args }: ServiceForm,
  preset: Service["image"],
  env: Readonly<Record<string, string>>,
): Service["image"] {
  if (preset === undefined && (image === undefined || port === undefined)) return undefined;
  return {
    image: image ?? preset?.image ?? "",
    port: port ?? preset?.port ?? 0,
    ...defined({ port2: preset?.port2 }),
    args: args ?? preset?.args ?? [],
    variables: { ...preset?.variables, ...env },
  };
}

function ownImage(
  { port, args }: ServiceForm,
  preset: Service["image"],
  env: Readonly<Record<string, string>>,
): Partial<ServiceImage> {
  const inside = port ?? preset?.port;
  return {
    ...defined({ port: inside, port2: preset?.port2, args }),
    variables: env,
  };
}

function readinessOf(form: z.infer<typeof ready> | undefined): Readiness | undefined {
  if (form === undefined) return undefined;
  if (form === "tcp") return { kind: "tcp" };
  return typeof form === "string" ? { kind: "http", path: form } : { kind: "reply", ...form };
}

/** Form of the processes alongside an app's server, in the configuration file. */

const processExample = "celery -A app.worker worker";
const processLine = command(processExample, []);

const processShape = {
  command: processLine,
  env: variables.optional(),
  "ready-text": text("ready").min(1, "is empty").optional(),
};

export const processesSchema = z.record(
  serviceName,
  z.union(
    [processLine, strictObject(processShape)],
    `must be a command, e.g. ${processExample}, or a mapping with one`,
  ),
  { error: `must be a mapping of commands, e.g. { worker: ${processExample} }` },
);

export function readProcesses(value: z.infer<typeof processesSchema>): readonly Companion[] {
  return Object.entries(value).map(([called, form]) => {
    if (typeof form === "string") return { name: called, command: form, variables: {} };
    const given = Object.entries(form.env ?? {}).map(([key, each]) => [key, String(each)]);
    const readyText = form["ready-text"];
    return {
      name: called,
      command: form.command,
      variables: Object.fromEntries(given),
      ...defined({ readyText }),
    };
  });
}

/** Form of the stubs in the configuration file: HTTP services outside, as a few routes. */

/** What a header may hold, and a server of Node sends. */
const latin1 = /^[\t -~\u0080-\u00ff]*$/;
const delaySeconds = durationReader(0, 60);
const routeShape = {
  path: text("/prices/*").regex(
    /^\/[!-"$->@-~]*$/,
    "must start with / and have no query, e.g. /prices/*; a route answers any query",
  ),
  method: z
    .enum(methods)
    .exclude(["WS"], `must be one of ${methods.filter((each) => each !== "WS").join(", ")}`)
    .optional(),
  delay: duration("20ms")
    .refine((value) => delaySeconds.safeParse(value).success, "must be a duration up to a minute, e.g. 20ms")
    .optional(),
  status: z
    .int("must be a status, e.g. 200")
    .min(200, "must be at least 200")
    .max(599, "must be at most 599")
    .optional(),
  headers: headers
    .refine(
      (all) => Object.values(all).every((value) => latin1.test(value)),
      "must have only Latin-1 characters",
    )
    .optional(),
  body: z.unknown().optional(),
};
const route = strictObject(routeShape);
const stubShape = {
  "app-env": z.record(
    variableName,
    template('"{url}"', addressPlaceholders),
    'must be a mapping, e.g. { PRICES_URL: "{url}" }',
  ),
  routes: z
    .array(route, "must be a list, e.g. [{ path: /prices/*, body: { price: 1 } }]")
    .min(1, "is empty")
    .max(200, "must have at most 200 routes"),
};

export const stubsSchema = z.record(serviceName, strictObject(stubShape), {
  error: "must be a mapping of stubs, each with app-env and routes",
});

/** The stubs as services: each start of the app has its own. */
export function readStubs(value: z.infer<typeof stubsSchema>): readonly Service[] {
  return Object.entries(value).map(([called, form]) => ({
    name: called,
    programs: [],
    stub: JSON.stringify(form.routes.map(routeOf)),
    address: { url: "http://{host}:{port}" },
    appVariables: form["app-env"],
    ready: { kind: "tcp" },
    readyWithinSeconds: 20,
  }));
}

function routeOf({ path, method = "GET", delay = "0s", status = 200, headers, body }: z.infer<typeof route>) {
  const isText = typeof body === "string";
  const type = isText ? "text/plain; charset=utf-8" : "application/json";
  return {
    ...{ path, method, status, delayMs: Math.round(delaySeconds.parse(delay) * 1_000) },
    headers: { ...(body !== undefined && { "content-type": type }), ...headers },
    body: body === undefined ? "" : isText ? body : JSON.stringify(body),
  };
}
