import * as z from "zod";

/** HTTP methods that an endpoint may use. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

/** What is requested: method, path with its query, as sent. */
export const endpointSchema = z.strictObject({
  method: z.enum(methods),
  /** Starts with `/`. */
  path: z.string().startsWith("/").max(2000),
});
export type Endpoint = z.infer<typeof endpointSchema>;

const seconds = z.number().positive().max(86_400);
const virtualUsers = z.int().min(1).max(100_000);

/** How requests arrive. Closed models wait for replies; the open model arrives at a given rate. */
export const loadSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("constant"), virtualUsers, durationSeconds: seconds }),
  z.strictObject({
    kind: z.literal("stages"),
    stages: z
      .array(z.strictObject({ durationSeconds: seconds, virtualUsers: z.int().min(0).max(100_000) }))
      .min(1)
      .max(100),
  }),
  z.strictObject({ kind: z.literal("requests"), virtualUsers, requests: z.int().min(1).max(100_000_000) }),
  z.strictObject({
    kind: z.literal("rate"),
    requestsPerSecond: z.number().positive().max(1_000_000),
    durationSeconds: seconds,
    virtualUsers,
  }),
]);
export type Load = z.infer<typeof loadSchema>;

/** One place of the grid: endpoint x worker count x server x load. */
export const cellSchema = z.strictObject({
  /** Names the cell in files, artifacts and links: lower-case letters, digits and dashes. */
  id: z.string().regex(/^[a-z0-9-]{1,80}$/),
  endpoint: endpointSchema,
  workers: z.int().min(1).max(256),
  /** Server command template, e.g. `uvicorn {app} --workers {workers} ...`. */
  server: z.string().min(1).max(2000),
  load: loadSchema,
});
export type Cell = z.infer<typeof cellSchema>;

/** `GET` is left out, as people write it. */
export function endpointLabel({ method, path }: Endpoint): string {
  return method === "GET" ? path : `${method} ${path}`;
}

/** Longest the load itself may take, in seconds; `undefined` when it ends by count, not by time. */
export function loadSeconds(load: Load): number | undefined {
  switch (load.kind) {
    case "requests":
      return undefined;
    case "stages":
      return load.stages.reduce((total, stage) => total + stage.durationSeconds, 0);
    default:
      return load.durationSeconds;
  }
}

/** Says the load as a person would, e.g. `8 VUs for 10 s`. */
export function loadLabel(load: Load): string {
  switch (load.kind) {
    case "constant":
      return `${load.virtualUsers} VUs for ${load.durationSeconds} s`;
    case "stages":
      return `stages ${load.stages.map((stage) => `${stage.durationSeconds} s to ${stage.virtualUsers} VUs`).join(", ")}`;
    case "requests":
      return `${load.requests} requests by ${load.virtualUsers} VUs`;
    case "rate":
      return `${load.requestsPerSecond} req/s for ${load.durationSeconds} s`;
  }
}

/** Builds a cell with its id. Equal parts give an equal id, on every machine. */
export function makeCell(parts: Omit<Cell, "id">): Cell {
  const { endpoint, workers } = parts;
  const words = `${endpoint.method}-${endpoint.path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return { id: `${words.slice(0, 48)}-w${workers}-${fingerprint(JSON.stringify(parts))}`, ...parts };
}

/** FNV-1a, 32 bits, in hex: tells apart paths that the readable part of the id folds together. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
