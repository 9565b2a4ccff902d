import { randomBytes } from "node:crypto";
import { realpath, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeSeed } from "../../model/seed/seed-encoding.ts";
import { describeExit, readPlainBytes, readTail, runProcess, startDeadline } from "../process/index.ts";
import { isScript, machineFolders, outputOf } from "./binaries.ts";
import type { DatabaseServerOptions } from "./running-server.ts";
import { largestBytes, refusal } from "./seed-source.ts";
import { workWithinMs } from "./session.ts";

const lookEveryMs = 200;

/** The SQL of an archive, by this machine's newest pg_restore. Throws an `EnvironmentError`. */
export async function sqlOfArchive(
  path: string,
  archive: Buffer,
  options: DatabaseServerOptions,
): Promise<string> {
  const program = await newestRestore(options);
  const what = "is an archive of pg_dump";
  if (program === undefined)
    throw refusal(
      path,
      `${what}, and this machine has no pg_restore to read it; install Postgres' client programs, or dump with --format=plain`,
    );
  const own = join(options.workFolder, `seed-${randomBytes(4).toString("hex")}`);
  const [input, output, logPath] = [`${own}.dump`, `${own}.sql`, `${own}.log`];
  using bound = startDeadline({ signal: options.signal });
  let isTooLong = false;
  const watch = setInterval(async () => {
    isTooLong ||= ((await stat(output).catch(() => undefined))?.size ?? 0) > largestBytes;
    if (isTooLong) bound.abort();
  }, lookEveryMs);
  try {
    await writeFile(input, archive, { mode: 0o600 });
    const argv = [program, "--file", output, input] as const;
    const exit = await runProcess({ argv, logPath, withinMs: workWithinMs, phase: "seed" }, bound.signal);
    if (exit.code !== 0) {
      const words = (await readTail(logPath))
        .trim()
        .replace(/^.*?error: /, "")
        .split("\n")[0];
      throw refusal(path, `${what} that pg_restore cannot read (${words || describeExit(exit)})`);
    }
    const read = readPlainBytes(output, { largestBytes });
    const decoded = read.kind === "bytes" ? decodeSeed(Buffer.from(read.bytes)) : undefined;
    if (decoded !== undefined && "text" in decoded) return decoded.text;
    throw refusal(path, `${what} whose SQL ${decoded?.problem ?? "is too long"}`);
  } catch (error) {
    if (isTooLong) throw refusal(path, `${what} with more than ${largestBytes / 1e6} MB of SQL`);
    throw error;
  } finally {
    clearInterval(watch);
    for (const each of [input, output, logPath]) await rm(each, { force: true });
  }
}

async function newestRestore(options: DatabaseServerOptions): Promise<string | undefined> {
  let newest: { readonly path: string; readonly version: number } | undefined;
  const seen = new Set<string>();
  if (options.binaries === "npm") return undefined; // those are without it
  for await (const folder of machineFolders(options)) {
    const path = await realpath(join(folder, "pg_restore")).catch(() => undefined);
    if (path === undefined || seen.has(path) || (await isScript(path))) continue;
    seen.add(path);
    const text = await outputOf([path, "--version"], options);
    const version = Number(/ (\d+(?:\.\d+)?)/.exec(text ?? "")?.[1]);
    if (version > (newest?.version ?? 0)) newest = { path, version };
  }
  return newest?.path;
}
