import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { mysqlService } from "../../model/workload/service-presets.ts";
import type { DatabaseCopy, DatabaseServer, QueriedTable } from "../../ports/database.ts";
import { lastLines } from "../../text/length.ts";
import { readTail, runProcess, textOfPlainFile } from "../process/index.ts";
import { type RunningService, type ServiceOptions, startService } from "./running-service.ts";
import { findProgram, hasProgram, searchPath } from "./service-way.ts";

type Options = Pick<ServiceOptions, "workFolder" | "signal" | "cpus" | "freePort">;

/**
 * Databases of MySQL or MariaDB. Each copy has a server of its own, whose data begin as those of the one that was
 * filled. Throws an `InputError` when this machine has no program for it.
 */
export async function openMysql(options: Options): Promise<DatabaseServer> {
  const { image: _, ...service } = mysqlService; // data in a container are not ours to copy
  if (!(await hasProgram(service)))
    throw new InputError([
      `database: neither mariadbd nor mysqld is on PATH, but mysql needs one of them; install one first, e.g. sudo apt-get install --yes ${service.debianPackage}`,
    ]);
  await mkdir(options.workFolder, { recursive: true });
  const folder = await mkdtemp(join(options.workFolder, "mysql-"));
  const running = new Set<RunningService>();
  let endedSeconds = 0;
  let count = 0;
  const newPath = (kind: string) => {
    count += 1;
    return join(folder, `${kind}-${count}`);
  };
  const end = async (each: RunningService) => {
    if (!running.delete(each)) return;
    endedSeconds += each.cpuSeconds() ?? 0;
    await each[Symbol.asyncDispose]();
  };
  const start = async (data?: string) => {
    const own = { path: searchPath(""), logPath: newPath("log"), appFolder: folder };
    const started = await startService(service, { ...options, ...own, ...defined({ data }) });
    running.add(started);
    const url = started.variables["DATABASE_URL"] ?? "";
    return { started, url, [Symbol.asyncDispose]: () => end(started) };
  };
  return {
    version: undefined,
    statementStatistics: false,
    maxConnections: undefined,
    cpuSeconds: () => [...running].reduce((sum, each) => sum + (each.cpuSeconds() ?? 0), endedSeconds),
    seed: async (_, commands) => {
      const template = newPath("data");
      await using filled = await start();
      await commands?.("migrate", filled.url);
      await commands?.("seed", filled.url);
      await filled.started.keep(template);
      return {
        copy: async () => {
          const { url, [Symbol.asyncDispose]: stop } = await start(template);
          return copyAt(url, { folder: newPath("query"), signal: options.signal, stop });
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [...running]) await end(each);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface CopyOptions {
  /** For the output of queries; made when there is one. */
  readonly folder: string;
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

function copyAt(url: string, { folder, signal, stop }: CopyOptions): DatabaseCopy {
  const read = (query: string, mostRows: number) => tableAt(url, query, mostRows, { folder, signal });
  return {
    url,
    resetStatements: async () => undefined,
    countConnections: async () => undefined,
    countStatements: async () => undefined,
    readColumn: async (query, mostRows) => (await read(query, mostRows)).rows.map(([value]) => value),
    readTable: read,
    watch: async () => ({
      begin: async () => undefined,
      read: async () => ({ facts: { tables: [] }, unseen: [] }),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    [Symbol.asyncDispose]: stop,
  };
}

const largestBytes = 100_000_000;

/** The result of a query, whose names are quoted as everywhere in SQL. */
async function tableAt(
  url: string,
  query: string,
  mostRows: number,
  { folder, signal }: Pick<CopyOptions, "folder" | "signal">,
): Promise<QueriedTable> {
  const path = searchPath("");
  const client = (await findProgram("mariadb", path)) ?? (await findProgram("mysql", path));
  if (client === undefined) throw new EnvironmentError("seed", "there is no MySQL client on PATH");
  const { hostname, port, username, password, pathname } = new URL(url);
  const modes = `SET SESSION sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES'), sql_select_limit = ${mostRows}`;
  const [outputPath, logPath] = [join(folder, "rows"), join(folder, "log")];
  await mkdir(folder, { recursive: true });
  try {
    const { code } = await runProcess(
      {
        argv: [
          client,
          ...[
            "--no-defaults",
            "--protocol=tcp",
            `--host=${hostname}`,
            `--port=${port}`,
            `--user=${username}`,
          ],
          // In binary mode the client has no commands of its own (\!), which a table's name might hold.
          ...["--default-character-set=utf8mb4", "--batch", "--binary-mode"],
          `--init-command=${modes}`,
          ...[`--database=${pathname.slice(1)}`, "--execute", query],
        ],
        variables: { MYSQL_PWD: password },
        ...{ outputPath, logPath, phase: "seed" },
      },
      signal,
    );
    if (code === 0) return tableIn(textOfPlainFile(outputPath, { largestBytes }) ?? "");
    throw new EnvironmentError("seed", lastLines((await readTail(logPath)).trim(), 300));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", "0": "\0" };

/** The client's own form: a row in a line, tabs between columns; the first has their names. */
function tableIn(text: string): QueriedTable {
  const [columns = [], ...rows] = text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t"));
  return { columns: columns.map(unescaped), rows: rows.map((row) => row.map(readValue)) };
}

function readValue(text: string): unknown {
  if (text === "NULL") return null;
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : unescaped(text);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, each: string) => escapes[each] ?? each);
}
