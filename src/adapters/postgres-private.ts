import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../core/errors.ts";
import { stopAbandonedServers } from "./postgres-abandoned.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { makeServerFolder, reachableBinaries, writePrivately } from "./postgres-folder.ts";
import { type DatabaseServerOptions, type RunningPostgres } from "./postgres-server.ts";
import { queryRow, withSession } from "./postgres-session.ts";
import { type Launch, startOptions, startServer, stopServer } from "./postgres-start.ts";
import { serverUser } from "./postgres-user.ts";
import { describeExit, readTail, runProcess } from "./process.ts";

const superuser = "loadtest";

/** Starts a Postgres of our own. Throws an `EnvironmentError` with its words; nothing is left behind then. */
export async function startPrivatePostgres(options: DatabaseServerOptions): Promise<RunningPostgres> {
  const { workFolder, signal, onStep } = options;
  stopAbandonedServers();
  const user = await serverUser();
  const { folder: found, major } = await findPostgresBinaries(options, user);
  const folder = await makeServerFolder(workFolder, user);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    onStep(`starting PostgreSQL ${major}`);
    const programs = await reachableBinaries({ folder: found, major }, folder, user);
    const logPath = join(workFolder, `${basename(folder)}.log`);
    const launch: Launch = { programs, major, folder, logPath, user, signal };
    const password = randomBytes(18).toString("base64url");
    await initialise(launch, password);
    const { running, port } = await startServer(launch);
    let stopped: Promise<void> | undefined;
    const url = `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`;
    const stop = () => {
      stopped ??= stopServer(running).then(remove);
      return stopped;
    };
    const version = await readVersion(url, signal).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { isPrivate: true, url, version, logTail: () => readTail(logPath), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** e.g. `18.4` */
async function readVersion(url: string, signal: AbortSignal): Promise<string> {
  const schema = z.object({ server_version: z.string() });
  const { server_version: version } = await withSession(url, signal, (client) =>
    queryRow(client, schema, "SHOW server_version"),
  );
  return version.split(" ")[0] ?? version; // Debian appends its own package's version
}

/** Makes the cluster: passwords for every connection, and nothing taken from this machine's language. */
async function initialise(launch: Launch, password: string): Promise<void> {
  const passwordFile = join(launch.folder, "password");
  await writePrivately(passwordFile, password, launch.user);
  const exit = await runProcess(
    {
      ...startOptions(launch),
      argv: [
        join(launch.programs, "initdb"),
        `--pgdata=${join(launch.folder, "data")}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--locale=C",
        "--encoding=UTF8",
        "--no-sync",
        "--no-instructions",
        ...(launch.major >= 18 ? ["--no-data-checksums"] : []), // as before 18; a damaged disk is not our subject
      ],
    },
    launch.signal,
  );
  await rm(passwordFile, { force: true });
  if (exit.code === 0) return;
  throw new EnvironmentError("start postgres", `initdb failed (${describeExit(exit)})`, {
    logTail: await readTail(launch.logPath),
  });
}
