import * as z from "zod";
import { bytes } from "./amounts.ts";

const text = z.string().max(300);

/** The machine and the programs that measured a cell: everything that could explain a difference between two results. */
export const environmentSchema = z.strictObject({
  cpuModel: text,
  cores: z.int().positive().max(100_000),
  memoryBytes: bytes,
  /** CPUs of the app's servers, and of k6 and Postgres, as Linux writes lists; absent when they are not kept apart. */
  appCpus: text.optional(),
  otherCpus: text.optional(),
  kernel: text,
  platform: text,
  /** `GitHub Actions runner "NAME" (ubuntu24 20261101)` or `local`. */
  runner: text,
  node: text,
  k6: text,
  /** `undefined` when the app runs without a database of ours. */
  postgres: text.optional(),
  /** Connections that a Postgres server that is not ours takes; our own takes as many as two arms may need. */
  maxConnections: z.int().positive().optional(),
  /** True when `pg_stat_statements` counts statements. */
  statementStatistics: z.boolean(),
  python: text,
  /** As uvicorn chooses here, or as the server command says. */
  eventLoop: text,
  httpParser: text,
  /** Installed distributions of the app's Python environment: name to version. */
  packages: z.record(z.string().max(200), text),
  /** Those that base has in another version, or, as an empty text, not at all; absent when there is no difference. */
  basePackages: z.record(z.string().max(200), text).optional(),
});
export type Environment = z.infer<typeof environmentSchema>;
