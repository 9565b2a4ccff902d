import { randomBytes } from "node:crypto";
import { escapeIdentifier } from "pg";
import { within } from "../process/index.ts";
import type { RunningPostgres } from "./running-server.ts";
import { serverWords, withSession } from "./session.ts";

/** Databases that we made on a server; each name is used once. */
export interface Databases {
  /** Makes a database, empty or a copy, and returns its name. Rejects with the driver's error. */
  create(label: string, template?: string): Promise<string>;
  /** Drops a database and whoever is connected to it. Never throws: a failure is told as a step. */
  drop(name: string): Promise<void>;
  dropAll(): Promise<void>;
}

const dropWithinMs = 5_000;

export function databasesOn(
  server: RunningPostgres,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Databases {
  const suffix = randomBytes(6).toString("hex");
  const made = new Set<string>();
  let count = 0;
  // Copying the files takes two thirds of the time of the default, which writes every page to the log too. On a server
  // of others it would force checkpoints on them.
  const strategy = server.isPrivate && Number.parseInt(server.version, 10) >= 15 ? "STRATEGY FILE_COPY" : "";

  const drop = async (name: string): Promise<void> => {
    if (!made.delete(name)) return;
    const sql = `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`;
    try {
      await within({ ms: dropWithinMs }, (until) =>
        withSession(server.url, until, (client) => client.query(sql)),
      );
    } catch (error) {
      if (server.isPrivate) return; // stopped or dying, and the data go with it
      onStep(`database ${name} was not dropped: ${serverWords(error, server.url)}`);
    }
  };

  return {
    create: async (label, template) => {
      count += 1;
      const name = `loadtest_${label}_${suffix}_${count}`;
      const copied = template === undefined ? "" : `TEMPLATE ${escapeIdentifier(template)}`;
      made.add(name);
      // A lost connection does not stop the making: it would end after we had looked for what to drop.
      const abort = server.isPrivate ? signal : undefined;
      signal.throwIfAborted();
      await withSession(server.url, abort, (client) =>
        client.query(`CREATE DATABASE ${escapeIdentifier(name)} ${copied} ${strategy}`),
      );
      signal.throwIfAborted();
      return name;
    },
    drop,
    dropAll: async () => {
      for (const name of [...made].toReversed()) await drop(name);
    },
  };
}
