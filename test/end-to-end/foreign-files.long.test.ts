import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";

import { root } from "./act.ts";

const cli = join(root, "dist", "cli.js");
const environment = join(root, ".tools", "target-app");
const main = `from fastapi import FastAPI
app = FastAPI()
@app.get("/nets")
def nets(): return [1]
`;
const ofRun = {
  ...{ app: "main:app", "base-ref": "none", workers: "1", database: "none", diagnose: "never" },
  ...{ duration: "1s", warmup: "0s", "ready-path": "/docs", "results-directory": "results" },
};
const run = (options: Readonly<Record<string, string>>) =>
  ["run", Object.entries({ ...ofRun, endpoints: "/nets", ...options })].flatMap((each) =>
    typeof each === "string" ? each : each.flatMap(([name, value]) => [`--${name}`, value]),
  );
const installed = (options: Readonly<Record<string, string>>) => run({ install: environment, ...options });
const csv = "endpoints: [{ path: '/nets?x={x}', params: { x: { csv: a.csv, column: x } } }]";

/** What takes a file's place. */
const kinds = {
  "a pipe": (path: string) => void execFileSync("mkfifo", [path]),
  "an endless device": (path: string) => symlinkSync("/dev/zero", path),
  "10 GB": (path: string) => {
    writeFileSync(path, "");
    truncateSync(path, 10e9);
  },
  "a folder": (path: string) => void mkdirSync(path),
  "a link to nothing": (path: string) => symlinkSync("nowhere", path),
} as const;
type Kind = keyof typeof kinds;

interface Foreign {
  readonly path: string;
  readonly argv: readonly string[];
  /** Others, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Kinds in whose place the file is as if it were not there, or that mean something else, e.g. an environment. */
  readonly notAsked?: readonly Kind[];
  readonly variables?: Readonly<Record<string, string>>;
}

const project = "[project]\nname = 'x'\nversion = '1'\ndependencies = []\n";
const link = ["a link to nothing"] as const;
const foreign: readonly Foreign[] = [
  { path: ".github/loadtest.yml", argv: installed({}), notAsked: link },
  { path: "own.yml", argv: installed({ config: "own.yml" }) },
  {
    path: "a.csv",
    argv: installed({ settings: csv, endpoints: "auto" }).filter(
      (each) => each !== "--endpoints" && each !== "auto",
    ),
  },
  { path: "s.js", argv: run({ install: environment, script: "s.js" }).filter(notEndpoints) },
  { path: "l.py", argv: run({ install: environment, script: "l.py" }).filter(notEndpoints) },
  { path: "seed.sql", argv: installed({ database: "postgres", seed: "seed.sql" }) },
  {
    path: "more.sql",
    argv: installed({ database: "postgres", seed: "seed.sql" }),
    files: { "seed.sql": "\\i more.sql\n" },
  },
  { path: "requirements.txt", argv: run({}), notAsked: link },
  { path: "own.txt", argv: run({ install: "own.txt" }), notAsked: ["a folder"] },
  { path: "more.txt", argv: run({}), files: { "requirements.txt": "-r more.txt\n" }, notAsked: link },
  { path: "bounds.txt", argv: run({}), files: { "requirements.txt": "-c bounds.txt\n" }, notAsked: link },
  { path: "pyproject.toml", argv: run({}), notAsked: link },
  { path: "uv.lock", argv: run({}), files: { "pyproject.toml": project }, notAsked: link },
  {
    path: "poetry.lock",
    argv: run({}),
    files: { "pyproject.toml": "[tool.poetry]\nname = 'x'\n" },
    notAsked: link,
  },
  { path: "pdm.lock", argv: run({}), files: { "pyproject.toml": `${project}[tool.pdm]\n` }, notAsked: link },
  { path: "Pipfile.lock", argv: run({}), notAsked: link },
  { path: "own/pyvenv.cfg", argv: run({ install: "own" }), notAsked: link },
  { path: "results/plan.json", argv: ["report", "--results-directory", "results"], notAsked: link },
  { path: "results/plan.json", argv: ["explain", "results"], notAsked: link },
  {
    path: "kept/cells/r/0123456789abcdef0123456789abcdef01234567.jsonl",
    argv: ["trends", "--history", "kept"],
  },
  { path: "k6", argv: installed({}), variables: { LOADTEST_K6: "./k6" } },
  { path: "py", argv: run({ python: "./py" }), files: { "requirements.txt": "" } },
];
function notEndpoints(each: string): boolean {
  return each !== "--endpoints" && each !== "/nets";
}

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

async function made(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "foreign-files-"));
  folders.push(folder);
  await chmod(folder, 0o755); // Postgres runs as another user
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  return folder;
}

async function ended(folder: string, argv: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const PATH = `${process.env["PATH"]}:${join(root, ".tools", "bin")}`;
  const child = spawn(process.execPath, [cli, ...argv], {
    cwd: folder,
    env: { PATH, HOME: folder, ...more },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (each: string) => (text += each));
  const beganAt = performance.now();
  const timer = setTimeout(() => child.kill("SIGTERM"), 20_000);
  const exit = await new Promise<number | string | null>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal)),
  );
  clearTimeout(timer);
  return { exit, text, seconds: (performance.now() - beganAt) / 1_000 };
}

const cases = foreign.flatMap((each) =>
  Object.entries(kinds)
    .filter(([kind]) => !each.notAsked?.some((other) => other === kind))
    .map(([kind, make]) => ({ ...each, kind, make })),
);

test.for(cases)(
  "T36: $argv.0: $kind as $path is named within five seconds",
  { timeout: 60_000 },
  async ({ path, argv, files = {}, variables, make }) => {
    const folder = await made();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (path.endsWith("pyvenv.cfg")) {
      mkdirSync(join(folder, "own", "bin"));
      symlinkSync(join(environment, "bin", "python"), join(folder, "own", "bin", "python"));
    }
    for (const [name, text] of Object.entries({ "main.py": main, ...files }))
      writeFileSync(join(folder, name), text);
    make(join(folder, path));
    const { exit, text, seconds } = await ended(folder, argv, variables);
    expect([2, 3], text).toContain(exit);
    expect(text).toContain(basename(path));
    expect(seconds).toBeLessThan(5);
  },
);
