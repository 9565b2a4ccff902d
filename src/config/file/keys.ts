import type * as z from "zod";
import { inputs } from "../inputs.ts";
import { loginSchema } from "./login-form.ts";
import { processesSchema, servicesSchema, stubsSchema } from "./service-forms.ts";
import type { Value } from "./value-kinds.ts";

/** Paths at which a repository may have its configuration file. */
export const configurationPaths = [".github/loadtest.yml", ".github/loadtest.yaml"] as const;

export interface Key {
  readonly name: string;
  readonly description: string;
  /** More sentences, for docs/configuration.md alone. */
  readonly details?: string;
  /** Default, as the documentation words it; empty: none. */
  readonly fallback: string;
  readonly example: string;
  readonly schema: z.ZodType;
  readonly isSecret?: true;
  /** True: only in `settings`, not in the file. */
  readonly isOfCaller?: true;
  readonly typed?: (value: Value) => Value;
}

const ofInputs: readonly Key[] = inputs.flatMap(({ form, ...input }) =>
  form === undefined ? [] : [{ ...input, ...form }],
);

// Keys that are not inputs, because a line of text could not hold them.
const login: Key = {
  name: "login",
  description:
    "How to log in to each server once it has started (`path` with `form` or `json`), and headers to send with every request.",
  details:
    "Secrets come from environment variables whose names begin with `LOADTEST_`; see [endpoints.md](endpoints.md#logging-in).",
  fallback: "",
  example:
    "login:\n  path: /token\n  form:\n    username: load-test\n    password: { secret: LOADTEST_PASSWORD }",
  schema: loginSchema,
  isSecret: true,
};

const services: Key = {
  name: "services",
  description:
    "Services that the app needs, e.g. `redis` or `mongodb`. For others, set a command or an image. Each start of the app gets its own.",
  details: "[services.md](services.md) lists the services that need only a name.",
  fallback: "",
  example: 'services:\n  redis:\n    app-env:\n      REDIS_URL: "{url}"',
  schema: servicesSchema,
};

const processes: Key = {
  name: "processes",
  description:
    "Processes that run alongside the app's server, e.g. a queue worker. Each has a name and a command.",
  details:
    "They run in the app's folder and environment, with the app's variables, and start and stop with each server; see [services.md](services.md#processes).",
  fallback: "",
  example: "processes:\n  worker: celery -A app.worker worker --concurrency 1",
  schema: processesSchema,
};

const stubs: Key = {
  name: "stubs",
  description: "Stand-ins for HTTP services that the app calls, as routes with a fixed delay and response.",
  details:
    "Each start of the app gets its own stubs, so no other system receives load; see [services.md](services.md#stubs).",
  fallback: "",
  example:
    'stubs:\n  prices:\n    app-env: { PRICES_URL: "{url}" }\n    routes:\n      - { path: /prices/*, delay: 20ms, body: { price: 100 } }',
  schema: stubsSchema,
};

export const allKeys: readonly Key[] = [...ofInputs, services, stubs, processes, login];

/** Keys of the file: those of the inputs, in their order, then those that only the file has. */
export const keys: readonly Key[] = allKeys.filter(({ isOfCaller }) => !isOfCaller);

/** Values that must not be repeated in a message. */
export const secretNames: ReadonlySet<PropertyKey> = new Set(
  [...inputs, login].filter(({ isSecret }) => isSecret).map(({ name }) => name),
);

/** True when the file may also set this input. */
export function isKey(name: string): boolean {
  return keys.some((key) => key.name === name);
}
