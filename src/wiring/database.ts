import { tmpdir } from "node:os";
import { join } from "node:path";

import { seedDiskProblem } from "../adapters/machine/index.ts";
import { openDatabaseServer } from "../adapters/postgres/index.ts";
import { findFreePort } from "../adapters/server/index.ts";
import { openMysql } from "../adapters/services/index.ts";
import { openDatabaseFiles } from "../adapters/sqlite/index.ts";
import type { DatabasePorts, DatabaseServer } from "../ports/database.ts";
import { cacheFolderOf } from "./places.ts";
import type { Shared } from "./shared.ts";

export function databasePorts(
  workFolder: string,
  { environment, runner, signal, terminal }: Shared,
): DatabasePorts {
  return {
    // We cannot watch the disk of somebody else's server.
    diskProblem: async (database, arms) =>
      database.kind === "private" ? seedDiskProblem(database, { arms, folder: tmpdir() }) : undefined,
    openDatabases: async (database, cpus): Promise<DatabaseServer> => {
      switch (database.kind) {
        case "file":
          return openDatabaseFiles({ workFolder, signal });
        case "mysql":
          return openMysql({
            ...{ workFolder: join(workFolder, "services"), signal, cpus, freePort: findFreePort },
          });
        default:
          return openDatabaseServer(database, {
            ...{ workFolder, toolsFolder: cacheFolderOf(environment), signal, cpus },
            onStep: (text) => terminal.progress({ kind: "step", text }),
            onKept: () => runner.setOutputs({ "seed-kept": "true" }),
            hidePassword: runner.setSecret,
          });
      }
    },
  };
}
