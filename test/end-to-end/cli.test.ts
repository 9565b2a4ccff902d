import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nights } from "../history/trends/lines.ts";
import { isWorkflowCommand } from "../text/workflow-command.ts";
import { root } from "./act.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-test-"));
  await chmod(folder, 0o711); // as the system's own: Postgres may run as another user
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sql = ["01-schema", "02-seed", "03-indexes", "04-verify"].map((name) =>
  join(root, "sql", `${name}.sql`),
);
const targetApp = {
  app: "app.asgi:app",
  "working-directory": join(root, "target-app"),
  install: join(root, ".tools", "target-app"),
  "ready-path": "/health",
  endpoints: "/",
  seed: sql.join("\n"),
  workers: "1",
  duration: "1s",
  warmup: "0s",
  diagnose: "never",
};

interface Start {
  readonly variables?: Record<string, string>;
  readonly cwd?: string;
  /** User and group of the process, where the tests' own may do everything. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts the bundle as a user would. Its temporary files lie in a folder of the test's. */
function start(
  verb: string,
  options: Record<string, string>,
  { variables = {}, cwd = process.cwd(), ...user }: Start = {},
) {
  const given = { "results-directory": join(folder, "results"), ...options };
  const argv = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: folder,
    LOADTEST_K6: process.env["LOADTEST_K6"],
    RUNNER_DEBUG: "1", // the moments of a cell are shown, too
    ...variables,
  };
  const child = spawn("node", [join(root, "dist", "cli.js"), verb, ...argv], { env, cwd, ...user });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, output: () => output };
}

async function run(verb: string, options: Record<string, string>, how?: Start) {
  const { ended, output } = start(verb, options, how);
  return { status: await ended, output: output() };
}

/** Processes whose environment or arguments name the test's folder: what a run has left behind. */
async function leftovers(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found: string[] = [];
  for (const pid of pids) {
    const texts = await Promise.all(
      ["environ", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
    );
    if (texts.some((text) => text.includes(folder))) found.push(texts[1]?.replaceAll("\0", " ") ?? pid);
  }
  return found;
}

describe("a repository with a configuration file", () => {
  const web = "import fastapi\n\n\ndef create_app() -> fastapi.FastAPI:\n    return fastapi.FastAPI()\n";
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, "shop", path)), { recursive: true });
    await writeFile(join(folder, "shop", path), text);
  };

  test("is measured as the file says, its app found, its modules in src", async () => {
    await write("src/shop/web.py", web);
    const install = join(root, ".tools", "target-app");
    await write(
      ".github/loadtest.yml",
      `install: ${install}\ndatabase: none\nendpoints: [/docs, /openapi.json]\nworkers: 1\nduration: 1s\ndiagnose: never\n`,
    );
    const { status, output } = await run("run", { endpoints: "/docs" }, { cwd: join(folder, "shop") });
    expect(output).toContain("/docs");
    expect(output).not.toContain("/openapi.json");
    expect(status, output).toBe(0);
  });

  test("is refused with every mistake and its place", async () => {
    await write("src/shop/web.py", web);
    await write("admin.py", "app = FastAPI()\nother = FastAPI()\n");
    await write(".github/loadtest.yml", "wrkers: 1\nvus: [1]\n");
    const bad = await run("run", {}, { cwd: join(folder, "shop") });
    expect(bad.status).toBe(2);
    expect(bad.output).toContain(
      ".github/loadtest.yml:1:1: wrkers: is not a key here; did you mean workers?",
    );
    expect(bad.output).toContain(".github/loadtest.yml:2:1: vus: must be a number, e.g. 16 (got [1])");
    const unclear = await run("run", { config: "none" }, { cwd: join(folder, "shop") });
    expect(unclear.status).toBe(2);
    expect(unclear.output).toContain("there are several: admin:app, admin:other");
  });
});

describe("a folder", () => {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  // Where only root may read the repository, or runs in a container that knows no other user, nobody can try.
  const asks = spawnSync("node", [join(root, "dist", "cli.js"), "--help"], { ...nobody, cwd: "/" });

  test.runIf(asks.status === 0)(
    "for results that may not be written is told with its reason, before anything starts",
    async () => {
      const results = join(folder, "results");
      await mkdir(results, { mode: 0o555 });
      const kept = join(folder, "home");
      await mkdir(kept);
      await chmod(kept, 0o777);
      const variables = { HOME: kept, TMPDIR: kept };
      const { status, output } = await run(
        "run",
        { ...targetApp, database: "none", seed: "" },
        { variables, ...nobody },
      );
      expect(status, output).toBe(3);
      expect(output).toMatch(/^write results: \S+ cannot be written: EACCES: permission denied/m);
      expect(await readdir(results)).toEqual([]);
    },
  );

  test.for(["run", "init"])("that is gone is told where somebody runs `%s` in it", async (verb) => {
    const cwd = join(folder, "gone");
    await mkdir(cwd);
    const line = `cd "$1" && rmdir "$1" && exec node "$2" ${verb}`;
    const child = spawn("bash", ["-c", line, "bash", cwd, join(root, "dist", "cli.js")]);
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(3);
    expect(output).toBe("the working directory no longer exists; change to another one\n");
  });
});

describe("a program that is not whole ends, but never with 1, which is for slower code", () => {
  const lacking = { gone: (path: string) => rm(path), cut: (path: string) => truncate(path, 5_000) };
  const broken = /^a file of this program is missing or broken: .*\nInstall it again\.\n$/;
  const files = [
    ["main.js", "--version", 3, broken],
    ["engine.js", "--version", 3, broken],
    ["workstation.js", "explain", 4, /^Internal error, please report it:/],
  ] as const;
  const cases = (["gone", "cut"] as const).flatMap((how) => files.map((file) => [how, ...file] as const));

  test.for(cases)("%s: %s for %s", async ([how, name, verb, expected, words]) => {
    for (const path of ["package.json", "dist"])
      await cp(join(root, path), join(folder, path), { recursive: true });
    await lacking[how](join(folder, "dist", name));
    const { status, stderr } = spawnSync("node", [join(folder, "dist/cli.js"), verb], { encoding: "utf8" });
    expect(status, stderr).toBe(expected);
    expect(stderr).toMatch(words);
  });
});

describe("a kept history", () => {
  test("becomes a page, and its change points are not guessed from few commits", async () => {
    const lines = nights(5).map((line) => JSON.stringify(line));
    await mkdir(join(folder, "kept/cells/default"), { recursive: true });
    await writeFile(join(folder, "kept/cells/default/x.jsonl"), `${lines.join("\n")}\n`);
    const { status, output } = await run("trends", { history: join(folder, "kept") });
    expect(status).toBe(0);
    expect(output).toContain("1 cell, 5 commits, change points not computed");
    const page = await readFile(join(folder, "results/trends.html"), "utf8");
    expect(page).toContain("too few points (5 of 8)");
    expect(page).toContain('<script type="application/json" id="trends">');
  });

  test("that is not there is told with what to do", async () => {
    const { status, output } = await run("trends", { history: "origin/kept" }, { cwd: folder });
    expect(status).toBe(2);
    expect(output).toContain("history: origin/kept is not a folder, and there is no git repository here");
  });
});

describe("bad input", () => {
  const noStart = () => expect(existsSync(join(folder, "results"))).toBe(false);

  test("is told all at once, and nothing is started", async () => {
    const options = { workers: "1,,2", duration: "soon", endpoints: "items", seed: "missing.sql", app: "x" };
    const { status, output } = await run("run", { ...targetApp, ...options, nonsense: "1" });
    expect(status).toBe(2);
    expect(output.split("\n").filter((line) => line.startsWith("  - "))).toHaveLength(6);
    noStart();
  });

  test("an app that cannot be imported", async () => {
    const { status, output } = await run("run", { ...targetApp, app: "app.nothing:app" });
    expect(output).toMatch(/app: "app\.nothing:app" cannot be imported .*ModuleNotFoundError/);
    expect(status).toBe(2);
    expect(await leftovers()).toEqual([]);
  });

  test("T11: a token in the environment of what measures", async () => {
    const token = "ghs_0123456789abcdef";
    const inWorkflow = { GITHUB_ACTIONS: "true", DEPLOY_KEY: token };
    for (const verb of ["measure", "run"]) {
      const { status, output } = await run(verb, targetApp, { variables: inWorkflow });
      expect(output).toContain("environment: DEPLOY_KEY holds a token that the code under test could read");
      expect(output).not.toContain(token);
      expect(status).toBe(2);
    }
    noStart();
  });

  test("a port that is taken", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const { status, output } = await run("run", { ...targetApp, port });
    await new Promise((resolve) => server.close(resolve));
    expect(output).toMatch(new RegExp(`port: .*${port}`));
    expect(status).toBe(2);
  });
});

test("an app whose settings are wrong, in its own words", async () => {
  const { status, output } = await run("run", { ...targetApp, "app-env": "POOL_SIZE=0" });
  expect(output).toMatch(/app: .*pool_size.*greater than or equal to 1/i);
  expect(status).toBe(2);
});

test("T8: what an app prints before it fails commands the runner nothing", async () => {
  const hostile = [
    "::set-output name=x::y",
    "  ::add-mask::z",
    "##[error]e",
    "\\r::stop-commands::s",
    "\\ufeff::error::f",
  ];
  const shop = join(folder, "shop");
  await mkdir(shop);
  const lines = [
    "import contextlib, fastapi",
    `def say(): print(${hostile.map((text) => `"${text}"`).join(", ")}, sep="\\n", flush=True)`,
    "say()",
    "@contextlib.asynccontextmanager",
    "async def lifespan(app):",
    "    say()",
    `    raise RuntimeError("${hostile[0]}\\n${hostile[2]}")`,
    "    yield",
    "app = fastapi.FastAPI(lifespan=lifespan)",
  ];
  await writeFile(join(shop, "main.py"), `${lines.join("\n")}\n`);
  const { status, output } = await run(
    "run",
    {
      install: targetApp.install,
      app: "main:app",
      endpoints: "/",
      workers: "1",
      database: "none",
      duration: "1s",
      diagnose: "never",
    },
    { cwd: shop, variables: { GITHUB_ACTIONS: "true", CI: "true" } },
  );
  expect(status, output).toBe(3);
  expect(output).toContain("set-output"); // its words are shown, else there would be nothing to withstand
  const commands = output.split(/[\r\n]/).filter(isWorkflowCommand);
  expect(commands.filter((line) => !/^::(?:group::|endgroup::|error (?:title|file)=)/.test(line))).toEqual(
    [],
  );
  expect(commands.join("\n")).not.toMatch(/^(?:##\[|::(?:set-output|add-mask|stop-commands))/m);
});

describe("an environment that fails", () => {
  test("a database that does not answer, in the server's words", async () => {
    const url = "postgresql://u:hunter2@127.0.0.1:1/postgres";
    const { status, output } = await run("run", { ...targetApp, "database-url": url });
    expect(output).toMatch(/ECONNREFUSED/);
    expect(output).not.toContain("hunter2");
    expect(status).toBe(3);
    expect(await readFile(join(folder, "results", "report.md"), "utf8")).toContain("ECONNREFUSED");
  });
});

test("a run leaves a table, documents and nothing else", { tags: ["smoke"] }, async () => {
  const { status, output } = await run("run", { ...targetApp, endpoints: "/async_select?user_id=1" });
  expect(output).toContain("/async_select?user_id=1");
  expect(status).toBe(0);
  expect((await readdir(join(folder, "results"))).toSorted()).toEqual([
    ".gitignore",
    "cells",
    "figures.json",
    "junit.xml",
    "logs",
    "plan.json",
    "report.html",
    "report.md",
    "results.csv",
  ]);
  expect(await readdir(folder)).toEqual(["results"]);
  expect(await leftovers()).toEqual([]);
  const [first] = JSON.parse(await readFile(join(folder, "results", "figures.json"), "utf8")).cells;
  expect(first.throughputRequestsPerSecond).toBeGreaterThan(10);
  expect(first.statementsPerRequest).toBeCloseTo(3, 0); // BEGIN, SELECT, COMMIT
});

describe("Ctrl-C", () => {
  const moments = ["starting PostgreSQL", "seeding", "starting the app", "under load"];

  test.for(moments)(
    "while %s: children gone, results on disk, 130, within 7 s",
    { timeout: 180_000 },
    async (moment) => {
      const endpoints = "/health\n/async_select?user_id=1";
      const duration = moment === "under load" ? "30s" : "1s";
      // A slow machine keeps the seeded data for the next run, which then would not seed.
      const cache = await mkdtemp(join(tmpdir(), "cache-"));
      const running = start(
        "run",
        { ...targetApp, endpoints, duration },
        moment === "seeding" ? { variables: { XDG_CACHE_HOME: cache } } : {},
      );
      await said(running, moment);
      const asked = performance.now();
      running.child.kill("SIGINT");
      expect(await running.ended).toBe(130);
      expect(performance.now() - asked).toBeLessThan(7_000);
      expect(await leftovers()).toEqual([]);
      expect(existsSync(join(folder, "results", "plan.json"))).toBe(true);
      expect(await readdir(folder)).toEqual(["results"]);
      await rm(cache, { recursive: true });
    },
  );
});

async function said(
  { child, output }: { child: ChildProcess; output(): string },
  words: string,
): Promise<void> {
  while (!output().includes(words)) {
    if (child.exitCode !== null) throw new Error(`ended before "${words}":\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
