import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import type { Seed } from "../../model/workload/workload.ts";
import {
  cpuClock,
  describeExit,
  pinArgv,
  processesOf,
  readTail,
  runProcess,
  stopAbandonedServers,
} from "../process/index.ts";
import { findPostgresBinaries } from "./binaries.ts";
import type { DatabaseServerOptions, RunningPostgres } from "./running-server.ts";
import { findSeedEntry } from "./seed-cache.ts";
import {
  keepCluster,
  readyToKeep,
  restoreCluster,
  seedCacheFolder,
  seedKeyFor,
  setPassword,
} from "./seed-snapshot.ts";
import { makeServerFolder, reachableBinaries, writePrivately } from "./server-folder.ts";
import { type Launch, startOptions, startServer, stopServer } from "./server-start.ts";
import { serverUser } from "./server-user.ts";
import { serverWords, withSession } from "./session.ts";

const superuser = "loadtest_server";
const appUser = "loadtest";

/** Starts a private Postgres, on a kept seeded cluster if there is one. Throws an `EnvironmentError`. */
export async function startPrivatePostgres(
  options: DatabaseServerOptions,
  seed: Seed,
): Promise<RunningPostgres> {
  const { workFolder, signal, onStep } = options;
  stopAbandonedServers();
  const user = await serverUser();
  const binaries = await findPostgresBinaries(options, user);
  const { version } = binaries;
  const folder = await makeServerFolder(workFolder, user);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  let started: ControlledServer | undefined;
  try {
    onStep(`starting PostgreSQL ${version}`);
    const programs = await reachableBinaries(binaries, folder, user);
    const logPath = join(workFolder, `${basename(folder)}.log`);
    const major = Number.parseInt(version, 10);
    const launch: Launch = { programs, major, folder, logPath, user, signal };
    const password = newPassword();
    const app = { name: appUser, password: newPassword() };
    const key = await seedKeyFor(seed, { version, isPrivate: true });
    const restored = await restore(launch, key, options);
    if (restored === undefined) await initialise(launch, password);
    else await setPassword(launch, superuser, password);
    const control = await controlServer(launch, options);
    started = control;
    if (restored !== undefined) await control.settle();
    const url = () => `postgresql://${superuser}:${password}@127.0.0.1:${control.port}/postgres`;
    await setAppUser(url(), { ...app, verb: restored === undefined ? "CREATE" : "ALTER" }, signal);
    let stopped: Promise<void> | undefined;
    return {
      isPrivate: true,
      get url() {
        return url();
      },
      get appUrl() {
        return urlFor(url(), app);
      },
      owner: appUser,
      version,
      maxConnections: undefined,
      seeded: (wanted) => (wanted === key ? restored : undefined),
      keep: async (name, { name: template, seedSeconds }) => {
        onStep("saving the seeded data for the next run");
        const keepable = await readyToKeep(url(), { template, appUser }, signal);
        await control.stop("SIGINT"); // ends with everything on disk
        const kept = {
          folder: seedCacheFolder(options.toolsFolder),
          key: name,
          template,
          seedSeconds,
          keepable,
        };
        try {
          await keepCluster(join(folder, "data"), kept);
          await options.onKept?.();
        } catch (error) {
          onStep(`the seeded data were not saved: ${messageOf(error)}`); // a full disk, say; this run goes on
        }
        await setPassword(launch, superuser, password);
        await control.start();
        await setAppUser(url(), { ...app, verb: "ALTER" }, signal);
      },
      settle: () => control.settle(),
      cpuSeconds: control.cpuSeconds,
      logTail: () => readTail(logPath),
      [Symbol.asyncDispose]: () => {
        stopped ??= control
          .stop("SIGQUIT") // at once: the data will not be needed
          .then(remove)
          .catch((error: unknown) => onStep(`${folder} was not removed: ${messageOf(error)}`));
        return stopped;
      },
    };
  } catch (error) {
    await started?.stop("SIGQUIT");
    await remove();
    // A full disk, or a program that may not be executed: the system refused, and we made no mistake.
    if (error instanceof Error && "syscall" in error)
      throw new EnvironmentError("start postgres", error.message);
    throw error;
  }
}

function newPassword(): string {
  return randomBytes(18).toString("base64url");
}

/** Name of the template in the kept cluster; `undefined` when none was kept, or it cannot be used. */
async function restore(
  launch: Launch,
  key: string | undefined,
  { toolsFolder, onStep }: DatabaseServerOptions,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const data = join(launch.folder, "data");
  try {
    const entry = await findSeedEntry(seedCacheFolder(toolsFolder), key);
    if (entry === undefined) return undefined;
    onStep(`using the seeded data of an earlier run (made in ${Math.round(entry.manifest.seedSeconds)} s)`);
    await restoreCluster(entry, launch, data);
    return entry.manifest.template;
  } catch (error) {
    onStep(`the seeded data of an earlier run cannot be used: ${messageOf(error)}`); // another run removed them, say
    await rm(data, { recursive: true, force: true });
    return undefined;
  }
}

/** Makes the cluster: passwords for every connection, and no setting from this machine's language. */
async function initialise(launch: Launch, password: string): Promise<void> {
  const passwordFile = join(launch.folder, "password");
  await writePrivately(passwordFile, password, launch.user);
  const exit = await runProcess(
    {
      ...startOptions(launch),
      phase: "start postgres",
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

interface ControlledServer {
  readonly port: number;
  start(): Promise<void>;
  stop(signal: "SIGQUIT" | "SIGINT"): Promise<void>;
  /** Pins its processes, also future ones, to the CPUs of the options. */
  settle(): Promise<void>;
  /** CPU time of all its processes since the last start. */
  cpuSeconds(): number | undefined;
}

/** Starts it for the first time. Throws an `EnvironmentError` with the server's words. */
async function controlServer(
  launch: Launch,
  { cpus, workFolder }: Pick<DatabaseServerOptions, "cpus" | "workFolder">,
): Promise<ControlledServer> {
  let { running, port } = await startServer(launch);
  let cpuSeconds = cpuClock(() => processesOf(running.pid));
  return {
    get port() {
      return port;
    },
    start: async () => {
      ({ running, port } = await startServer(launch));
      cpuSeconds = cpuClock(() => processesOf(running.pid));
    },
    stop: (signal) => stopServer(running, signal),
    settle: async () => {
      if (cpus === undefined) return;
      const logPath = join(workFolder, "taskset.log");
      const pin = async (pid: number) => {
        const argv = await pinArgv(pid, cpus);
        // A process that has ended is no loss. Without `taskset`, CPUs are not kept apart.
        if (argv !== undefined) await runProcess({ argv, logPath }, launch.signal);
      };
      await pin(running.pid); // first, so that nothing starts elsewhere while we look at the others
      for (const { pid } of processesOf(running.pid)) if (pid !== running.pid) await pin(pid);
    },
    cpuSeconds: () => cpuSeconds(),
  };
}

/** Makes the app's user: owner of the databases, but not able to read files or run programs through them. */
export async function setAppUser(
  url: string,
  {
    name,
    password,
    verb,
  }: { readonly name: string; readonly password: string; readonly verb: "CREATE" | "ALTER" },
  signal: AbortSignal,
): Promise<void> {
  const change = async (client: Client) => {
    await client.query(
      `${verb} ROLE ${escapeIdentifier(name)} LOGIN CREATEDB PASSWORD ${escapeLiteral(password)}`,
    );
    const { rows } = await client.query<{ major: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS major",
    );
    // Data-only dumps switch foreign keys off while they are restored; managed servers allow it, too.
    if ((rows[0]?.major ?? 0) >= 15)
      await client.query(`GRANT SET ON PARAMETER session_replication_role TO ${escapeIdentifier(name)}`);
  };
  try {
    await withSession(url, signal, change);
  } catch (error) {
    signal.throwIfAborted();
    throw new EnvironmentError("start postgres", `setting up the app's user: ${serverWords(error, url)}`);
  }
}

export function urlFor(
  url: string,
  { name, password }: { readonly name: string; readonly password: string },
): string {
  return Object.assign(new URL(url), { username: name, password }).href;
}
