import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { Client } from "pg";

import {
  type DatabaseServerOptions,
  findPostgresBinaries,
  makeServerFolder,
  reachableBinaries,
  runProcess,
  serverUser,
  startProcess,
  statementStart,
} from "../../src/engine.ts";
import { print } from "../parts/timing.ts";

/** Runs the report's SQL on a server as `initdb` leaves it, as its readers do. Returns the seconds of the SQL alone. */
export async function reportSql(options: DatabaseServerOptions, scale: number): Promise<number> {
  const user = await serverUser();
  const binaries = await findPostgresBinaries(options, user);
  const folder = await makeServerFolder(options.workFolder, user);
  const programs = await reachableBinaries(binaries, folder, user);
  const port = await freePort();
  const common = { folder, logPath: join(options.workFolder, "report.log"), ...(user && { user }) };
  const data = join(folder, "data");
  // On loopback and for a few minutes a password is not worth its trouble.
  const flags = ["--username=bench", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  await runProcess({ ...common, argv: [join(programs, "initdb"), "-D", data, ...flags] }, options.signal);
  const server = ["-c", `port=${port}`, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const running = await startProcess({
    ...common,
    argv: [join(programs, "postgres"), "-D", data, ...server],
  });
  try {
    const client = await connected(`postgresql://bench@127.0.0.1:${port}/postgres`);
    let total = 0;
    for (const statement of statementsOf(await scaledSql(scale))) {
      const started = performance.now();
      await client.query(statement);
      const seconds = (performance.now() - started) / 1_000;
      total += seconds;
      if (seconds > 1)
        print(
          `  ${seconds.toFixed(1)} s: ${statement.split("\n").find((line) => /insert|select/i.test(line))}`,
        );
    }
    await client.end();
    return total;
  } finally {
    await running.stop(6_000, "SIGQUIT");
  }
}

async function scaledSql(scale: number): Promise<string> {
  const text = await readFile(new URL("report.sql", `file://${join(process.cwd(), "bench/seed/")}`), "utf8");
  return text.replaceAll(/\b(?:100000|1000000|5000000|10000000)\b/g, (size) =>
    String(Math.round(Number(size) * scale)),
  );
}

function statementsOf(sql: string): string[] {
  const starts: number[] = [];
  for (let start = statementStart(sql, 0); start !== undefined; start = statementStart(sql, starts.length))
    starts.push(start);
  return starts.map((start, index) => sql.slice(start, starts[index + 1]));
}

async function connected(url: string): Promise<Client> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString: url, application_name: randomBytes(4).toString("hex") });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo; // an address is a string only for sockets with a path
      server.close(() => resolve(port));
    });
  });
}
