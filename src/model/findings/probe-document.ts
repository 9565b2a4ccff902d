import * as z from "zod";

/** The probe runs inside of the code under test, so its document is a stranger's: every size has a limit. */
const mostItems = 100;

const milliseconds = z.number().nonnegative().max(1e12);
const count = z.int().nonnegative().max(1e12);
const bytes = count.nullable();

/** First words of statements that begin or end a transaction. */
export const transactionWords = [
  "begin",
  "start",
  "commit",
  "end",
  "rollback",
  "abort",
  "savepoint",
  "release",
] as const;

export const placeSchema = z.strictObject({
  /** Relative to the app's folder; foreign text, like all that follows. */
  file: z.string().min(1).max(500),
  line: z.int().positive().max(10_000_000),
  function: z.string().max(200),
  code: z.string().max(200),
});
export type Place = z.infer<typeof placeSchema>;

const place = placeSchema.nullable();

const amountFields = {
  count,
  /** Requests that did it at least once. */
  requests: count,
  /** Largest count in a single request. */
  mostInOne: count,
  totalMs: milliseconds,
  longestMs: milliseconds,
};

const stallSchema = z.strictObject({ place, cpuMs: milliseconds, ...amountFields });
/** A line at which an event loop was seen; `cpuMs` of the time it worked. */
const loopLineSchema = z.strictObject({ place, totalMs: milliseconds, cpuMs: milliseconds });

/** Parts of the time of all of an endpoint's requests. `inThreads` overlaps with the others. */
export const partNames = [
  "total",
  "cpu",
  "blocked",
  "loopWait",
  "threadWait",
  "poolWait",
  "connect",
  "database",
  "elsewhere",
  "inThreads",
] as const;
export type PartName = (typeof partNames)[number];

const endpointReportSchema = z.strictObject({
  method: z.string().max(20),
  route: z.string().max(300),
  kind: z.enum(["async", "sync", "unknown"]),
  handler: place,
  requests: count,
  failures: count,
  longestMs: milliseconds,
  partsMs: z.record(z.enum(partNames), milliseconds),
  stalls: z.array(stallSchema).max(mostItems),
  /** Lines at which their steps were seen on the event loop, however short; without a place: only others' code. */
  onLoop: z.array(loopLineSchema).max(mostItems),
  /** Lines at which worker threads were, waiting or working. */
  spent: z.array(z.strictObject({ place, totalMs: milliseconds })).max(mostItems),
  /** Lines at which requests waited on the event loop for something else. */
  waited: z.array(z.strictObject({ place, totalMs: milliseconds })).max(mostItems),
  statements: z.array(z.strictObject({ text: z.string().max(500), place, ...amountFields })).max(mostItems),
  made: z
    .array(z.strictObject({ what: z.enum(["event loop", "executor", "connection"]), place, ...amountFields }))
    .max(mostItems),
});
export type EndpointReport = z.infer<typeof endpointReportSchema>;

const queueFields = {
  inUse: count,
  mostInUse: count,
  waiting: count,
  mostWaiting: count,
  taken: count,
  errors: count,
  waitMs: milliseconds,
  longestWaitMs: milliseconds,
  returned: count,
  useMs: milliseconds,
};

export const probeDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  process: z.int().positive(),
  window: z.string().max(100),
  seconds: z.number().nonnegative().max(1e6),
  /** From the start of the first request to the end of the last one. */
  busySeconds: z.number().nonnegative().max(1e6),
  python: z.string().max(100),
  server: z.strictObject({
    worker: z.enum(["asgi", "sync", "gthread", "gevent", "unknown"]),
    /** Requests that a worker takes on at a time; `null`: no such limit. */
    slots: z.int().positive().max(1e6).nullable(),
    /** Requests after which the server closes a connection; `null`: no known limit. */
    requestsPerConnection: z.int().positive().max(1e9).nullable(),
  }),
  connections: count,
  cpuMs: milliseconds,
  memory: z.strictObject({ startBytes: bytes, nowBytes: bytes, peakBytes: bytes }),
  loops: z
    .array(
      z.strictObject({
        kind: z.string().max(200),
        beats: count,
        lagMeanMs: milliseconds,
        lagLongestMs: milliseconds,
        lagCounts: z.array(count).max(20),
      }),
    )
    .max(mostItems),
  loopCpuMs: milliseconds.nullable(),
  /** Time in which the machine let something else run though the loops had work, as far as it is known. */
  loopLostMs: milliseconds,
  endpoints: z.array(endpointReportSchema).max(101),
  outside: z.strictObject({
    stalls: z.array(stallSchema).max(mostItems),
    onLoop: z.array(loopLineSchema).max(mostItems),
  }),
  /** Python's garbage collector at work on what has lived for long, by the line at which it began. */
  collections: z.array(stallSchema).max(mostItems),
  threads: z.strictObject({
    /** Owner of the limit: AnyIO, or the loop's own executor, which old Starlettes use. */
    kind: z.enum(["anyio", "executor"]),
    tokens: count.nullable(),
    ...queueFields,
  }),
  pools: z
    .array(
      z.strictObject({
        kind: z.string().max(100),
        /** Connections that it keeps. */
        size: count,
        /** The most that it may have; 0: no limit. */
        most: count,
        open: count,
        /** The line that made it; absent when none of the app's did. */
        made: placeSchema.optional(),
        ...queueFields,
      }),
    )
    .max(mostItems),
  connects: z.strictObject({
    count,
    inRequests: count,
    totalMs: milliseconds,
    failed: count,
    /** Refused because the database had no more to give. */
    refused: count,
  }),
  sockets: z.strictObject({
    seen: count,
    /** Sent without TCP_NODELAY. */
    delayed: count,
  }),
  unseen: z.array(z.strictObject({ what: z.string().max(300), reason: z.string().max(300) })).max(mostItems),
});
export type ProbeDocument = z.infer<typeof probeDocumentSchema>;

/** One server process's note at its start, even if it never serves the app. */
export const startNoteSchema = z.strictObject({
  schemaVersion: z.literal(1),
  process: z.int().positive(),
  python: z.string().max(100),
  servers: z.array(z.string().max(100)).max(20),
  /** Sentences that say why it cannot be watched. */
  problems: z.array(z.string().max(300)).max(mostItems),
});
export type StartNote = z.infer<typeof startNoteSchema>;
