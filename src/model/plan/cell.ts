import * as z from "zod";
import { defined } from "../../lists/defined.ts";
import { fingerprint } from "../../text/fingerprint.ts";
import { count, plural } from "../../text/numbers.ts";
import { endpointLabel, isMix, isScript, requestedSchema } from "../endpoint/endpoint.ts";

/** Name of one app among several, with too few characters allowed to write a sentence. */
export const appNameSchema = z
  .string()
  .regex(/^[\w./-]{1,60}$/, "must be 1 to 60 letters, digits, underscores, dots, dashes and slashes");

export { endpointLabel } from "../endpoint/endpoint.ts";

const seconds = z.number().positive().max(86_400);
const virtualUsers = z.int().min(1).max(100_000);

/** `new`: a TCP connection for each request. Absent: each user keeps its own. */
const connections = z.literal("new").optional();

/** Default of k6 and of ours. */
export const usualTimeoutSeconds = 60;
export const usualGracefulStopSeconds = 30;
/** Longest duration of a request; absent: the usual time. */
const timeoutSeconds = z.number().positive().max(86_400).optional();

/** Time for requests still under way at the end; absent: k6's 30 s. 0: they are not counted at all. */
const gracefulStopSeconds = z.number().min(0).max(3_600).optional();

const sending = { connections, timeoutSeconds, gracefulStopSeconds };

/** The arrival of requests. Closed models wait for replies; the open model arrives at a given rate. */
export const loadSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("constant"), virtualUsers, durationSeconds: seconds, ...sending }),
  z.strictObject({
    kind: z.literal("stages"),
    stages: z
      .array(z.strictObject({ durationSeconds: seconds, virtualUsers: z.int().min(0).max(100_000) }))
      .min(1)
      .max(100),
    ...sending,
  }),
  z.strictObject({
    kind: z.literal("requests"),
    virtualUsers,
    requests: z.int().min(1).max(100_000_000),
    /** True when the first request is sent alone and all others wait for its reply; absent means false. */
    firstRequestAlone: z.literal(true).optional(),
    ...sending,
  }),
  z.strictObject({
    kind: z.literal("rate"),
    requestsPerSecond: z.number().positive().max(1_000_000),
    durationSeconds: seconds,
    virtualUsers,
    ...sending,
  }),
  /** Defined by the user's own script; a Locust file gets its users and its time. */
  z.strictObject({
    kind: z.literal("script"),
    locust: z.strictObject({ users: virtualUsers, durationSeconds: seconds }).optional(),
    ...sending,
  }),
]);
export type Load = z.infer<typeof loadSchema>;
type ScriptLoad = Extract<Load, { kind: "script" }>;

/** One place of the grid: endpoint (or iteration) x worker count x server x load. */
export const cellSchema = z.strictObject({
  /** Names the cell in files, artifacts and links: lower-case letters, digits and dashes. */
  id: z.string().regex(/^[a-z0-9-]{1,80}$/),
  /** Name of the app, in a report of several; absent for an unnamed app. */
  app: appNameSchema.optional(),
  endpoint: requestedSchema,
  workers: z.int().min(1).max(256),
  /** Server command template, e.g. `uvicorn {app} --workers {workers} ...`. */
  server: z.string().min(1).max(2000),
  load: loadSchema,
});
export type Cell = z.infer<typeof cellSchema>;

/** True for cells that servers of one kind can answer, under one kind of load. */
export function isAlikeButForEndpoint(one: Cell, other: Cell): boolean {
  const rest = ({ app, workers, server, load }: Cell) => JSON.stringify([app, workers, server, load]);
  return rest(one) === rest(other);
}

/** True for a cell of one endpoint whose requests change nothing, by their method. */
export function onlyReads({ endpoint }: Cell): boolean {
  return "path" in endpoint && /^(?:GET|HEAD)$/.test(endpoint.method);
}

/** The request, after the app's name if it has one: `shop: POST /orders`. */
export function cellLabel({ app, endpoint }: Pick<Cell, "app" | "endpoint">): string {
  return app === undefined ? endpointLabel(endpoint) : `${app}: ${endpointLabel(endpoint)}`;
}

/** Longest time of the load itself, in seconds; `undefined` when it ends by count, not by time. */
export function loadSeconds(load: Load): number | undefined {
  switch (load.kind) {
    case "requests":
    case "script":
      return undefined;
    case "stages":
      return load.stages.reduce((total, stage) => total + stage.durationSeconds, 0);
    default:
      return load.durationSeconds;
  }
}

/** The load, with its requests sent like another's: all phases of a cell send alike. */
export function withSendingOf<L extends Load>(
  { connections: made, timeoutSeconds: limit }: Load,
  load: L,
): L {
  return {
    ...load,
    ...defined({ connections: made, timeoutSeconds: limit }),
  };
}

/** The load in a person's words, e.g. `8 VUs for 10 s`. */
export function loadLabel(load: Load): string {
  return shapeLabel(load) + sendingLabel(load);
}

/** Words after the users; none for the usual way of sending. */
export function sendingLabel({ connections: made, timeoutSeconds, gracefulStopSeconds: end }: Load): string {
  const stop = end === 0 ? ", dropped at the end" : `, ${end} s to finish`;
  return [
    made === "new" ? ", a new connection each" : "",
    timeoutSeconds === undefined ? "" : `, at most ${timeoutSeconds} s each`,
    end === undefined ? "" : stop,
  ].join("");
}

function locustLabel({ users, durationSeconds }: NonNullable<ScriptLoad["locust"]>): string {
  return `${plural(users, "Locust user")} for ${durationSeconds} s`;
}

function shapeLabel(load: Load): string {
  switch (load.kind) {
    case "script":
      return load.locust === undefined ? "as defined by the k6 script" : locustLabel(load.locust);
    case "constant":
      return `${plural(load.virtualUsers, "VU")} for ${load.durationSeconds} s`;
    case "stages":
      return `stages ${load.stages.map((stage) => `${stage.durationSeconds} s to ${plural(stage.virtualUsers, "VU")}`).join(", ")}`;
    case "requests":
      return `${load.requests} requests by ${plural(load.virtualUsers, "VU")}${load.firstRequestAlone ? ", the first alone" : ""}`;
    case "rate":
      return `${load.requestsPerSecond} req/s for ${load.durationSeconds} s`;
  }
}

/** Builds a cell with its id. Equal parts give an equal id, on every machine. */
export function makeCell(parts: Omit<Cell, "id">): Cell {
  const { app, endpoint, workers } = parts;
  const words = dashed(
    "path" in endpoint
      ? `${endpoint.method}-${endpoint.path}`
      : `${isScript(endpoint) ? "script" : isMix(endpoint) ? "mix" : "iteration"} ${endpointLabel(endpoint)}`,
  );
  const name = app === undefined ? words : dashed(`${app.slice(-20)}-${words}`);
  return { id: `${name.slice(0, 48)}-w${workers}-${fingerprint(JSON.stringify(parts))}`, ...parts };
}

function dashed(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Files that k6 and a server have open besides their connections, generously. */
const otherFiles = 100;

/** Virtual users at the load's height. */
export function mostVirtualUsers(load: Load): number {
  if (load.kind === "script") return 0; // k6 itself reports the users that it could not have
  return load.kind === "stages"
    ? Math.max(...load.stages.map(({ virtualUsers }) => virtualUsers))
    : load.virtualUsers;
}

/** Why so many users are impossible: each is an open file of k6 and of the server, up to `limit`. */
export function openFilesProblem(load: Load, limit: number | undefined): string | undefined {
  const users = mostVirtualUsers(load);
  const needed = users + otherFiles;
  if (limit === undefined || needed <= limit) return undefined;
  const name = load.kind === "stages" ? "stages" : "vus";
  return `${name}: ${count(users)} virtual users need ${count(needed)} open files, but a process may open ${count(limit)} here (RLIMIT_NOFILE); raise it with \`ulimit -n ${needed}\` before the run, or, where the hard limit forbids that, in /etc/security/limits.conf`;
}
