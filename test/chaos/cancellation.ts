import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { reportVariables } from "./commented.ts";
import { processesNaming } from "./processes.ts";
import { type Place, type Running, startProgram, startRun } from "./program.ts";

/** A part of a run in which it can be held. */
export interface Stage {
  readonly name: string;
  /** Starts the run to cancel, and tells how to see that it has got there. */
  start(place: Place, made: Made): Promise<Started> | Started;
}

export interface Started {
  readonly running: Running;
  /** Words of its output, or a file, that show that it has got there. */
  readonly reached: string | { readonly file: string };
}

/** The parts of a stage. */
interface Made {
  /** Holds the run's apps and programs. It is not checked afterwards. */
  readonly folder: string;
  /** Accepts everything and answers nothing. */
  readonly silentUrl: string;
}

export interface Cancellation {
  readonly stage: string;
  readonly signal: NodeJS.Signals;
  readonly seconds: number;
  readonly status: number | null;
  /** Its leftovers, and any other problem; nothing when all is well. */
  readonly broken: readonly string[];
  readonly output: string;
}

const statuses = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** GitHub's runner sends SIGTERM 7.5 s after SIGINT. */
const allowedSeconds = 7;

/** Cancels a run at one stage and checks its leftovers. */
export async function cancelAt(
  stage: Stage,
  signal: keyof typeof statuses,
  root: string,
): Promise<Cancellation> {
  const folder = mkdtempSync(join(tmpdir(), "cancel-"));
  const parts = mkdtempSync(join(tmpdir(), "cancel-parts-"));
  for (const each of [folder, parts]) chmodSync(each, 0o711);
  const silent = createServer(() => undefined);
  const silentUrl = await listening(silent);
  const port = Number(new URL(await freeAddress()).port);
  try {
    const place = { root, folder, port };
    const { running, reached } = await stage.start(place, { folder: parts, silentUrl });
    await until(running, reached);
    const began = performance.now();
    running.child.kill(signal);
    const status = await Promise.race([running.ended, sleep(30_000, undefined, { ref: false })]);
    const seconds = (performance.now() - began) / 1_000;
    if (status === undefined) running.child.kill("SIGKILL");
    const processes = [...processesNaming(folder), ...processesNaming(parts)];
    const files = (await readdir(folder)).filter((name) => name !== "results");
    const broken = [
      ...(seconds < allowedSeconds ? [] : [`it took ${seconds.toFixed(1)} s`]),
      ...(status === statuses[signal] ? [] : [`status ${status}`]),
      ...processes.map((words) => `left the process ${words}`),
      ...files.map((name) => `left ${name}`),
      ...((await isFree(port)) ? [] : ["the port is in use"]),
    ];
    return { stage: stage.name, signal, seconds, status: status ?? null, broken, output: running.output() };
  } finally {
    silent.closeAllConnections();
    silent.close();
    for (const each of [folder, parts]) await rm(each, { recursive: true, force: true });
  }
}

async function until({ child, output }: Running, reached: Started["reached"]): Promise<void> {
  const isThere = () => (typeof reached === "string" ? output().includes(reached) : existsSync(reached.file));
  while (!isThere()) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`it ended before that:\n${output()}`);
    await sleep(10);
  }
  await sleep(150); // not at its very start
}

/** A program that announces its start and then does nothing for long. */
function idleProgram(folder: string, name: string): { readonly path: string; readonly file: string } {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const file = join(folder, "reached");
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\ntouch '${file}'\nsleep 60\n`, { mode: 0o755 });
  return { path, file };
}

/** The folder of an app whose module holds these lines. */
function appOf(folder: string, lines: readonly string[]): string {
  const app = join(folder, "app-of-stage");
  mkdirSync(app);
  const all = ["import contextlib, signal, time", "import fastapi", ...lines];
  writeFileSync(join(app, "main.py"), `${all.join("\n")}\n`);
  return app;
}

const plainApp = ["app = fastapi.FastAPI()", "@app.get('/')", "def root() -> dict: return {}"];

/** A run of an app of one module, without a database. */
function runOf(place: Place, made: Made, lines: readonly string[], changes: Record<string, string> = {}) {
  return runIn(place, appOf(made.folder, lines), changes);
}

function runIn(
  place: Place,
  app: string,
  changes: Record<string, string>,
  variables: Record<string, string> = {},
) {
  const usual = { app: "main:app", "working-directory": app, database: "none", seed: "", scale: "" };
  return startRun(place, { ...usual, endpoints: "/", "ready-path": "/", ...changes }, variables);
}

/** A run of an app with one path that takes a minute, and announces its request. */
function slowly(place: Place, made: Made, changes: Record<string, string>): Started {
  const file = join(made.folder, "reached");
  const lines = [
    "import asyncio",
    ...plainApp,
    "@app.api_route('/slow', methods=['GET', 'POST'])",
    "async def slow() -> dict:",
    `    open(${JSON.stringify(file)}, "w").close()`,
    "    await asyncio.sleep(60)",
    "    return {}",
  ];
  return { running: runOf(place, made, lines, changes), reached: { file } };
}

export const stages: readonly Stage[] = [
  {
    name: "asking git for the base",
    start: (place, { folder }) => {
      const { path, file } = idleProgram(folder, "git");
      const PATH = `${join(path, "..")}:${process.env["PATH"]}`;
      return { running: startRun(place, { "base-ref": "main" }, { PATH }), reached: { file } };
    },
  },
  {
    name: "looking for k6",
    start: (place, { folder }) => {
      const { path, file } = idleProgram(folder, "k6");
      return { running: startRun(place, {}, { LOADTEST_K6: path }), reached: { file } };
    },
  },
  {
    name: "looking for Python",
    start: (place, { folder }) => {
      const { path, file } = idleProgram(folder, "python3");
      return { running: startRun(place, { install: "auto", python: path }), reached: { file } };
    },
  },
  {
    name: "installing the app",
    start: (place, made) => {
      const { path, file } = idleProgram(made.folder, "install-it");
      const cache = { XDG_CACHE_HOME: join(made.folder, "cache") };
      const app = appOf(made.folder, plainApp);
      const changes = { "working-directory": app, install: "auto", "install-command": path };
      return { running: startRun(place, changes, cache), reached: { file } };
    },
  },
  {
    name: "importing the app",
    start: (place, made) => {
      const file = join(made.folder, "reached");
      const lines = [`open(${JSON.stringify(file)}, "w").close()`, "time.sleep(60)"];
      return { running: runOf(place, made, lines), reached: { file } };
    },
  },
  {
    name: "starting Postgres",
    start: (place) => ({ running: startRun(place), reached: "starting PostgreSQL" }),
  },
  {
    name: "seeding",
    start: (place, { folder }) => {
      const seed = join(folder, "long.sql");
      writeFileSync(seed, "SELECT pg_sleep(60);\n");
      return { running: startRun(place, { seed, scale: "" }), reached: "seeding" };
    },
  },
  {
    name: "waiting for the app",
    start: (place, made) => {
      const file = join(made.folder, "reached");
      const lines = [
        "@contextlib.asynccontextmanager",
        "async def lifespan(app):",
        `    open(${JSON.stringify(file)}, "w").close()`,
        "    time.sleep(60)",
        "    yield",
        "app = fastapi.FastAPI(lifespan=lifespan)",
      ];
      return { running: runOf(place, made, lines), reached: { file } };
    },
  },
  {
    name: "reading the app's endpoints",
    start: (place, made) => {
      const file = join(made.folder, "reached");
      const lines = [
        ...plainApp,
        "def openapi() -> dict:",
        `    open(${JSON.stringify(file)}, "w").close()`,
        "    time.sleep(60)",
        "app.openapi = openapi",
      ];
      return { running: runOf(place, made, lines, { endpoints: "auto" }), reached: { file } };
    },
  },
  ...(["migrate-command", "seed-command"] as const).map((option): Stage => {
    const start: Stage["start"] = (place, { folder }) => {
      const { path, file } = idleProgram(folder, "fill-it");
      return { running: startRun(place, { seed: "", scale: "", [option]: path }), reached: { file } };
    };
    return { name: `filling the database by a ${option}`, start };
  }),
  {
    name: "checking out the base",
    start: (place, made) => {
      const { path, file } = idleProgram(made.folder, "git");
      const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
      const idle = readFileSync(path, "utf8");
      writeFileSync(
        path,
        idle.replace("\n", `\ncase "$*" in *"worktree add"*) ;; *) exec '${real}' "$@" ;; esac\n`),
      );
      const PATH = `${join(path, "..")}:${process.env["PATH"]}`;
      const app = appOf(made.folder, plainApp);
      const git = (...words: string[]) =>
        execFileSync(real, ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: app });
      git("init", "--quiet", "--initial-branch=main");
      git("add", ".");
      for (const name of ["base", "head"]) git("commit", "--quiet", "--allow-empty", `--message=${name}`);
      const changes = { "working-directory": app, "base-ref": "HEAD~1", "max-minutes": "5", port: "" };
      return { running: runIn(place, app, changes, { PATH }), reached: { file } };
    },
  },
  {
    name: "logging in",
    start: (place, made) => {
      const config = join(made.folder, "loadtest.yml");
      writeFileSync(config, "login:\n  path: /slow\n  form: { user: u }\n");
      return slowly(place, made, { config, endpoints: "/" });
    },
  },
  {
    name: "trying an endpoint before the load",
    start: (place, made) => slowly(place, made, { endpoints: "/slow", warmup: "1s" }),
  },
  {
    name: "warming up",
    start: (place) => ({ running: startRun(place, { warmup: "30s" }), reached: "warming up" }),
  },
  {
    name: "under load",
    start: (place) => ({ running: startRun(place, { duration: "30s" }), reached: "under load" }),
  },
  {
    name: "under load, and the app ignores all that",
    start: (place, made) => {
      const lines = [
        ...plainApp,
        "@app.get('/deaf')",
        "async def deaf() -> dict:", // on the loop's thread: signals can be set nowhere else
        "    for each in (signal.SIGTERM, signal.SIGINT): signal.signal(each, signal.SIG_IGN)",
        "    return {}",
      ];
      const changes = { duration: "30s", endpoints: "/deaf", workers: "1" };
      return { running: runOf(place, made, lines, changes), reached: "under load" };
    },
  },
  {
    name: "base and head under load",
    start: (place) => {
      const changes = { control: "true", "max-minutes": "5", port: "", warmup: "1s" };
      return { running: startRun(place, changes), reached: "under load" };
    },
  },
  {
    name: "diagnosing",
    start: (place) => ({
      running: startRun(place, { diagnose: "always", endpoints: "/async_select?user_id=1" }),
      reached: "diagnosing",
    }),
  },
  {
    name: "commenting, and GitHub is silent",
    start: async (place, { folder, silentUrl }) => {
      await startRun(place, {
        database: "none",
        seed: "",
        scale: "",
        endpoints: "/health",
        app: "app.asgi:app",
      }).ended;
      const variables = await reportVariables(join(folder, "event"), silentUrl);
      return { running: startProgram(place, "report", {}, variables), reached: "Load test" };
    },
  },
];

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

async function freeAddress(): Promise<string> {
  const server = createServer();
  const address = await listening(server);
  await new Promise((done) => server.close(done));
  return address;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}
