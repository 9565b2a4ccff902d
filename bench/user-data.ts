// Runs apps that open the user's own database instead of the one that they were given, and looks whether any byte of it
// has changed: a real Redis, MariaDB and Postgres at their usual ports, and SQLite in the user's home.
//   npm run bench -- user-data [--runs 200] [--from 1] [--log FILE]
// `met`: servers to which a connection was opened, by the guard as well, which asks if anybody is there and says nothing.
// The ports 6379, 3306 and 5432 must be free. Needs Debian's packages and root, for Postgres' own user.
import { execFile, spawn } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";

// @ts-expect-error: plain JavaScript, without types
import { unpackDebian } from "../scripts/setup/debian.mjs";
import { appOf } from "./user-data/apps.ts";
import { startUserStores } from "./user-data/stores.ts";

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    from: { type: "string", default: "1" },
    log: { type: "string" },
  },
});
const root = process.cwd();
const packages = [
  "fastapi",
  "uvicorn[standard]",
  "asyncpg",
  "psycopg[binary]",
  "pymysql",
  "redis",
  "sqlalchemy",
  "pytest",
  "httpx",
];
const programs = join(root, ".tools", "user-stores", "root");
if (!existsSync(programs)) {
  await mkdir(dirname(programs), { recursive: true });
  await unpackDebian(["redis-server", "mariadb-server"], programs);
}
const folder = await mkdtemp(join(tmpdir(), "user-data-"));
const counts = {
  runs: 0,
  unchanged: 0,
  changed: 0,
  connected: 0,
  told: 0,
  endedByItself: 0,
  statuses: {} as Record<string, number>,
};
await chmod(folder, 0o755); // Postgres runs as another user
try {
  const venv = join(folder, "venv");
  await run("python3", ["-m", "venv", venv]);
  await run(join(venv, "bin", "pip"), ["install", "--quiet", ...packages]);
  await using stores = await startUserStores(join(folder, "user"), programs);
  const before = await stores.contents();
  const first = await stores.connections();
  let heard = first;
  // Looking connects as well, as often each time.
  const looked = [await stores.contents(), await stores.connections()] as const;
  const own = (name: string) => (looked[1][name] ?? 0) - (first[name] ?? 0);
  heard = looked[1];
  const last = Number(values.from) + Number(values.runs);
  for (let number = Number(values.from); number < last; number++) {
    const app = appOf(number - 1, stores.home);
    const repository = join(folder, "app");
    await rm(repository, { recursive: true, force: true });
    const requirements = { "requirements.txt": `${packages.join("\n")}\n` };
    for (const [name, text] of Object.entries({ ...app.files, ...(app.verb === "init" && requirements) })) {
      await mkdir(dirname(join(repository, name)), { recursive: true });
      await writeFile(join(repository, name), text);
    }
    await run("git", ["init", "--quiet"], { cwd: repository });
    const ofRun = {
      "base-ref": "none",
      workers: "1",
      duration: "2s",
      warmup: "0s",
      diagnose: "never",
      "results-directory": join(folder, "results"),
    };
    const options = {
      ...{ app: "main:app", install: venv, endpoints: "/nets", "ready-path": "/docs" },
      ...(app.verb === "run" && ofRun),
      ...app.options,
    };
    const argv =
      app.verb === "init" ? [] : Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const ended = await endOf([app.verb, ...argv], repository, stores.home);
    const after = await stores.contents();
    const now = await stores.connections();
    const differs = Object.keys(before).filter((name) => after[name] !== before[name]);
    const met = Object.keys(now).filter((name) => (now[name] ?? 0) - (heard[name] ?? 0) !== own(name));
    const deltas = Object.keys(now)
      .map((name) => `${name} ${(now[name] ?? 0) - (heard[name] ?? 0)}/${own(name)}`)
      .join(" ");
    heard = now;
    const isTold =
      /opens (?:Postgres|MySQL|SQLite|Redis|a database)|refuses (?:Postgres|MySQL|SQLite|Redis)/.test(
        ended.text,
      );
    counts.runs++;
    counts[differs.length === 0 ? "unchanged" : "changed"]++;
    if (met.length > 0) counts.connected++;
    if (isTold) counts.told++;
    if (!ended.isKilled) counts.endedByItself++;
    counts.statuses[ended.status] = (counts.statuses[ended.status] ?? 0) + 1;
    const { store, moment, variable, verb } = app;
    const row = {
      number,
      verb,
      store,
      moment,
      variable,
      status: ended.status,
      seconds: ended.seconds,
      isTold,
      differs,
      met,
      deltas,
    };
    if (values.log !== undefined)
      appendFileSync(
        values.log,
        `${JSON.stringify({ ...row, text: isTold && differs.length === 0 ? "" : ended.text.slice(-1_500) })}\n`,
      );
    process.stdout.write(`${JSON.stringify(row)}\n`);
    if (differs.length > 0) break; // what they hold now is no measure for the next
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.changed === 0 ? 0 : 1;

async function endOf(argv: readonly string[], cwd: string, home: string) {
  const PATH = `${process.env["PATH"]}:${join(root, ".tools", "bin")}`;
  const beganAt = performance.now();
  const env = { PATH, HOME: home, XDG_CACHE_HOME: join(folder, "cache"), TMPDIR: folder };
  const child = spawn(process.execPath, [join(root, "dist", "cli.js"), ...argv], { cwd, env });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (each: string) => (text += each));
  let isKilled = false;
  const timer = setTimeout(() => (isKilled = child.kill("SIGTERM")), 240_000);
  const status = await new Promise<string>((resolve) =>
    child.once("close", (code, signal) => resolve(String(code ?? signal))),
  );
  clearTimeout(timer);
  return { status, text, isKilled, seconds: Math.round((performance.now() - beganAt) / 100) / 10 };
}
