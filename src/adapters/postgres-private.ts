import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";

import { EnvironmentError, messageOf } from "../core/errors.ts";
import { stopAbandonedServers } from "./postgres-abandoned.ts";
import { findPostgresBinaries } from "./postgres-binaries.ts";
import { makeServerFolder, reachableBinaries, writePrivately } from "./postgres-folder.ts";
import type { DatabaseServerOptions, RunningPostgres } from "./postgres-server.ts";
import { type Launch, startOptions, startServer, stopServer } from "./postgres-start.ts";
import { serverUser } from "./postgres-user.ts";
import { describeExit, readTail, runProcess } from "./process.ts";
import { cpuClock, processesOf } from "./process-usage.ts";

const superuser = "loadtest";

/** Starts a Postgres of our own. Throws an `EnvironmentError` with its words; nothing is left behind then. */
export async function startPrivatePostgres(options: DatabaseServerOptions): Promise<RunningPostgres> {
  const { workFolder, signal, onStep } = options;
  stopAbandonedServers();
  const user = await serverUser();
  const binaries = await findPostgresBinaries(options, user);
  const { version } = binaries;
  const folder = await makeServerFolder(workFolder, user);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    onStep(`starting PostgreSQL ${version}`);
    const programs = await reachableBinaries(binaries, folder, user);
    const logPath = join(workFolder, `${basename(folder)}.log`);
    const major = Number.parseInt(version, 10);
    const launch: Launch = { programs, major, folder, logPath, user, cpus: options.cpus, signal };
    const password = randomBytes(18).toString("base64url");
    await initialise(launch, password);
    const { running, port } = await startServer(launch);
    let stopped: Promise<void> | undefined;
    return {
      isPrivate: true,
      url: `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`,
      version,
      cpuSeconds: cpuClock(() => processesOf(running.pid)),
      logTail: () => readTail(logPath),
      [Symbol.asyncDispose]: () => {
        stopped ??= stopServer(running)
          .then(remove)
          .catch((error: unknown) => onStep(`${folder} was not removed: ${messageOf(error)}`));
        return stopped;
      },
    };
  } catch (error) {
    await remove();
    // A full disk, a program that may not be executed: the system's refusal, not our mistake.
    if (error instanceof Error && "syscall" in error)
      throw new EnvironmentError("start postgres", error.message);
    throw error;
  }
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
