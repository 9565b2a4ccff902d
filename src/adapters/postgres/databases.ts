import { randomBytes } from "node:crypto";
import { escapeIdentifier } from "pg";
import { within } from "../process/index.ts";
import { copyTraits } from "./database-traits.ts";
import { databaseName, markAlive } from "./orphaned-databases.ts";
import type { RunningPostgres } from "./running-server.ts";
import { serverWords, withSession, workWithinMs } from "./session.ts";

/** Databases that we made on a server; each name is used once. */
export interface Databases {
  /** Makes a database, empty or a copy, and returns its name. Rejects with the driver's error. */
  create(label: "template" | "copy" | "statistics", template?: string): Promise<string>;
  /** Drops a database and disconnects its users. Never throws: a failure is reported as a step. */
  drop(name: string): Promise<void>;
  dropAll(): Promise<void>;
}

const dropWithinMs = 5_000;
const beatEveryMs = 30_000;

export function databasesOn(
  server: RunningPostgres,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (text: string) => void },
): Databases {
  const random = randomBytes(4).toString("hex");
  const made = new Set<string>();
  let count = 0;
  // Copying the files takes two thirds of the time of the default, which writes every page to the log too. On the
  // caller's server it would force checkpoints.
  const strategy = server.isPrivate && Number.parseInt(server.version, 10) >= 15 ? "STRATEGY FILE_COPY" : "";

  const tellAlive = () =>
    within({ ms: dropWithinMs }, (until) =>
      withSession(server.url, until, async (client) => {
        for (const name of made) await markAlive(client, name);
      }),
    );
  // A database without beats for minutes counts as left behind. A beat that fails is followed by the next.
  const beat = server.isPrivate
    ? undefined
    : setInterval(() => void tellAlive().catch(() => undefined), beatEveryMs).unref();

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
      const name = `${databaseName(label, random, Math.floor(Date.now() / 1_000))}_${count}`;
      const copied = template === undefined ? "" : `TEMPLATE ${escapeIdentifier(template)}`;
      const isOwned = server.owner !== undefined && label !== "statistics";
      const owned = isOwned ? `OWNER ${escapeIdentifier(server.owner)}` : "";
      made.add(name);
      // A lost connection does not stop the making: it would end after we had looked for databases to drop.
      const abort = server.isPrivate ? signal : undefined;
      signal.throwIfAborted();
      await withSession(
        server.url,
        abort,
        async (client) => {
          await client.query(`CREATE DATABASE ${escapeIdentifier(name)} ${owned} ${copied} ${strategy}`);
          if (template !== undefined)
            await copyTraits(client, template, { to: name, isPrivate: server.isPrivate });
          if (!server.isPrivate) await markAlive(client, name);
        },
        { withinMs: workWithinMs },
      );
      signal.throwIfAborted();
      return name;
    },
    drop,
    dropAll: async () => {
      clearInterval(beat);
      for (const name of [...made].toReversed()) await drop(name);
    },
  };
}
