import { tmpdir } from "node:os";
import { join } from "node:path";

import { seedDiskProblem } from "../adapters/machine/index.ts";
import { findFreePort } from "../adapters/server/index.ts";
import { openMysql } from "../adapters/services/index.ts";
import { openDatabaseFiles } from "../adapters/sqlite/index.ts";
import type { DatabasePorts, DatabaseServer } from "../ports/database.ts";
import { cacheFolderOf } from "./places.ts";
import type { Shared } from "./shared.ts";

/** Loads the driver only where a database is asked for. */
export function databasePorts(
  workFolder: string,
  { environment, runner, signal, terminal }: Shared,
): DatabasePorts {
  return {
    // The disk of somebody else's server is not ours to watch.
    diskProblem: async (database, arms) =>
      database.kind === "private" ? seedDiskProblem(database, { arms, folder: tmpdir() }) : undefined,
    openDatabases: async (database, cpus) => {
      if (database.kind === "file") return await openDatabaseFiles({ workFolder, signal });
      if (database.kind === "mysql")
        return await openMysql({
          workFolder: join(workFolder, "services"),
          signal,
          cpus,
          freePort: findFreePort,
        });
      const { openDatabaseServer } = await import("../adapters/postgres/index.ts");
      const server = await openDatabaseServer(database, {
        workFolder,
        toolsFolder: cacheFolderOf(environment),
        signal,
        cpus,
        onStep: (text) => terminal.progress({ kind: "step", text }),
        onKept: () => runner.setOutputs({ "seed-kept": "true" }),
      });
      // The caller masks the password of an existing server: it may be a word that every log holds.
      return database.kind === "existing" ? server : masking(server, runner.setSecret);
    },
  };
}

/** A server whose passwords are hidden in the log before a command, or the app, can print them. */
function masking(server: DatabaseServer, setSecret: (value: string) => Promise<void>): DatabaseServer {
  const mask = (url: string) => setSecret(new URL(url).password);
  return {
    ...server,
    seed: async (seed, commands) => {
      const template = await server.seed(seed, async (kind, url) => {
        await mask(url);
        await commands?.(kind, url);
      });
      return {
        copy: async () => {
          const made = await template.copy();
          await mask(made.url);
          return made;
        },
      };
    },
  };
}
