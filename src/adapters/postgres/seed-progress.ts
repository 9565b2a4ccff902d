import { basename } from "node:path";
import * as z from "zod";

import type { Seed } from "../../model/workload/workload.ts";
import { queryRow, withSession } from "./session.ts";

const sizeSchema = z.object({ bytes: z.coerce.number() });

/** Often enough to show that it goes on, seldom enough for a log. */
const intervalMs = 5_000;

/**
 * Reports the current file and the size of the database every few seconds. The files' growth shows at once, while rows
 * that are not committed cannot be counted.
 */
export function watchSeeding(options: {
  /** URL of another database of the server. */
  readonly url: string;
  readonly database: string;
  readonly seedFiles: Seed["seedFiles"];
  readonly signal: AbortSignal;
  readonly onStep: (text: string) => void;
}): { show(path: string): void } & Disposable {
  const { url, database, seedFiles, signal, onStep } = options;
  const started = performance.now();
  let current = "";
  const tell = async () => {
    const file = current;
    const { bytes } = await withSession(url, signal, (client) =>
      queryRow(client, sizeSchema, "SELECT pg_database_size($1) AS bytes", [database]),
    );
    const seconds = Math.round((performance.now() - started) / 1_000);
    if (current === file) onStep(`${file}: ${Math.round(bytes / 1e6)} MB after ${seconds} s`);
  };
  // Progress is a courtesy: the seeding itself will report any obstacle.
  const timer = setInterval(() => void tell().catch(() => undefined), intervalMs);
  return {
    show: (path) => {
      const index = seedFiles.indexOf(path) + 1;
      current = `seeding: ${basename(path)}${seedFiles.length > 1 ? ` (${index} of ${seedFiles.length})` : ""}`;
      onStep(current);
    },
    [Symbol.dispose]: () => {
      current = "";
      clearInterval(timer);
    },
  };
}
