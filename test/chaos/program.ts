import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

/** Places of the program and of its work. */
export interface Place {
  /** The repository: its bundle, tools and target app are used. */
  readonly root: string;
  /** Folder for all of the program's files: results, temporary files. */
  readonly folder: string;
  readonly port: number;
}

/** Parts of a run that are faulty, from some moment on. */
export interface Prepared extends AsyncDisposable {
  readonly options?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly child: ChildProcess;
  /** The exit status in a shell's form: for a process that a signal ended, 128 and the signal's number. */
  readonly ended: Promise<number>;
  output(): string;
}

export const endpoints: readonly string[] = ["/health", "/async_select?user_id=1"];

/** A short run of two cells with two workers on a database. */
export function startRun(
  place: Place,
  changes: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
): Running {
  const { root, port } = place;
  const options = {
    app: "app.asgi:app",
    "working-directory": join(root, "target-app"),
    install: join(root, ".tools", "target-app"),
    "ready-path": "/health",
    seed: ["01-schema", "02-seed", "03-indexes"].map((name) => join(root, "sql", `${name}.sql`)).join("\n"),
    scale: "0.01",
    endpoints: endpoints.join("\n"),
    workers: "2",
    port: String(port),
    duration: "1s",
    warmup: "0s",
    diagnose: "never",
    ...changes,
  };
  return startProgram(place, "run", options, variables);
}

/** Starts the bundle like a user, with its temporary files in the folder. */
export function startProgram(
  { root, folder }: Place,
  verb: string,
  options: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Running {
  const given = { ...options, "results-directory": join(folder, "results") };
  const argv = Object.entries(given).flatMap(([name, value]) =>
    value === "true" ? [`--${name}`] : [`--${name}`, value],
  );
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: folder,
    LOADTEST_K6: process.env["LOADTEST_K6"],
    RUNNER_DEBUG: "1", // the moments of a cell are shown, too
    ...variables,
  };
  const child = spawn(process.execPath, [join(root, "dist", "cli.js"), verb, ...argv], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = new Promise<number>((done) => {
    // A signal may come before Node has loaded the program, and then there is no handler for it.
    child.once("exit", (code, signal) =>
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  return { child, ended, output: () => output };
}

/** The cells' documents so far, by name. */
export function cellsIn(folder: string): Map<string, string> {
  const cells = join(folder, "results", "cells");
  const names = existsSync(cells) ? readdirSync(cells).filter((name) => name.endsWith(".json")) : [];
  return new Map(names.map((name) => [`cells/${name}`, readFileSync(join(cells, name), "utf8")]));
}

/** Text of a file in the results folder. */
export function textIn(folder: string, name: string): string | undefined {
  const path = join(folder, "results", name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
