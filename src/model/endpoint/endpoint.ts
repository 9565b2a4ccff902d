import * as z from "zod";

/** HTTP methods that an endpoint may use; `WS` for a WebSocket, where a request is a message and its answer. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "WS"] as const;

/** One request: method and path with its query. */
const endpointSchema = z.strictObject({
  method: z.enum(methods),
  /** Starts with `/`. With a form `{name}` stands for a parameter. */
  path: z.string().startsWith("/").max(2000),
  /** Fingerprint of the request's other parts (headers, body, parameters); absent when there are none. */
  form: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
});
export type Endpoint = z.infer<typeof endpointSchema>;

/** Longest pause of an iteration, in seconds. */
export const longestPauseSeconds = 60;
export const mostSteps = 20;

/** A stretch of time in which a user sends nothing. */
const pauseSchema = z.strictObject({ pauseSeconds: z.number().positive().max(longestPauseSeconds) });

/** One action of a user: sending a request and waiting for its reply, or pausing. */
const stepSchema = z.union([endpointSchema, pauseSchema]);
export type Step = z.infer<typeof stepSchema>;

const iterationSchema = z.strictObject({ steps: z.array(stepSchema).min(1).max(mostSteps) });
export type Iteration = z.infer<typeof iterationSchema>;

/** Endpoints of which each request picks one, as often as their relative weights say. */
const mixSchema = z.strictObject({
  mix: z
    .array(z.strictObject({ weight: z.int().min(1).max(1_000), endpoint: endpointSchema }))
    .min(2)
    .max(mostSteps),
});
type Mix = z.infer<typeof mixSchema>;
/** The line of `endpoints` that stands for the mix. */
export const mixLine = "mix";
/** Between the endpoints after that word, when the mix has only some of them. */
export const mixSeparator = ", ";

/** The line of `endpoints` that stands for the app's own, and the word before one that is filled in from OpenAPI. */
export const autoLine = "auto";

/** A k6 script of the user's own: its path as written. Its requests are unknown to us. */
const scriptSchema = z.strictObject({ script: z.string().min(1).max(300) });
type Script = z.infer<typeof scriptSchema>;

/** The requests of a cell: one endpoint, the steps of an iteration, a mix of endpoints, or those of a script. */
export const requestedSchema = z.union([endpointSchema, iterationSchema, mixSchema, scriptSchema]);
export type Requested = z.infer<typeof requestedSchema>;

export function isIteration(requested: Requested): requested is Iteration {
  return "steps" in requested;
}

export function isMix(requested: Requested): requested is Mix {
  return "mix" in requested;
}

export function isScript(requested: Requested): requested is Script {
  return "script" in requested;
}

/** Nobody knows what a script asks for, chance decides what a user of a mix does, and messages are no requests. */
export function isCountable(requested: Requested): boolean {
  return !isScript(requested) && !isMix(requested) && !isSocket(requested);
}

/** True for a script that Locust runs. All others are k6's. */
export function isLocustFile(script: string): boolean {
  return script.endsWith(".py");
}

export function isSocket(requested: Requested): boolean {
  return "path" in requested && requested.method === "WS";
}

/** Several endpoints, of which each request picks one; the only one as it is. Others than plain endpoints are left out. */
export function byTurns(requested: readonly Requested[]): Requested | undefined {
  const plain = requested.flatMap((each) => ("path" in each ? [each] : []));
  if (plain.length < 2) return requested[0];
  return { mix: plain.slice(0, mostSteps).map((endpoint) => ({ weight: 1, endpoint })) };
}

/** Every step, in order; those of a mix are its endpoints, and those of a script are unknown. */
export function stepsOf(requested: Requested): readonly Step[] {
  if (isScript(requested)) return [];
  if (isMix(requested)) return requested.mix.map(({ endpoint }) => endpoint);
  return isIteration(requested) ? requested.steps : [requested];
}

/** The form that people write: `/items`, `PUT /items`, `/ → sleep 100 ms → /api`, `75% /items, 25% POST /orders`. */
export function endpointLabel(requested: Requested): string {
  if (isScript(requested)) return requested.script;
  if (isMix(requested)) {
    const total = requested.mix.reduce((sum, { weight }) => sum + weight, 0);
    return requested.mix
      .map(({ weight, endpoint }) => `${Math.round((100 * weight) / total)}% ${stepLabel(endpoint)}`)
      .join(", ");
  }
  return isIteration(requested) ? requested.steps.map(stepLabel).join(" → ") : stepLabel(requested);
}

/** Mean pause between the requests of one user, in seconds; 0 without an iteration. */
export function pauseSecondsPerRequest(requested: Requested): number {
  if (!isIteration(requested)) return 0;
  const requests = requested.steps.filter((step) => "path" in step).length;
  const pauses = requested.steps.reduce((total, step) => total + ("path" in step ? 0 : step.pauseSeconds), 0);
  return requests === 0 ? 0 : pauses / requests;
}

function stepLabel(step: Step): string {
  if ("path" in step) return step.method === "GET" ? step.path : `${step.method} ${step.path}`;
  const { pauseSeconds } = step;
  return pauseSeconds < 1 ? `sleep ${Math.round(pauseSeconds * 1_000)} ms` : `sleep ${pauseSeconds} s`;
}
