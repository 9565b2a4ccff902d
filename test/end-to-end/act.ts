import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import { promisify } from "node:util";

import { installerVariables } from "../../src/adapters/python/index.ts";
import type { ZipEntry } from "../stand-in/zip.ts";
import { withJobsAtOnce, withoutSelfReference } from "./self-reference.ts";

const run = promisify(execFile);
export const root = resolve(import.meta.dirname, "../..");
/** Stands for the workflow's token. */
export const token = "ghs_standInToken";
/** As last folder of PATH: a `sudo` of the machine's own comes first. */
const withoutSudo =
  process.getuid?.() === 0 ? `${delimiter}${join(root, "test", "end-to-end", "as-root")}` : "";
const act = join(root, ".tools", "python", "bin", "act");

/** How a team's workflow names the action. */
const releasedAction = (version: string) => `org/fastapi-loadtest-action@${version}`;

/** Actions that GitHub serves and this machine cannot fetch: name and version as our workflows pin them, stand-in. */
const standIns = [
  ["actions/upload-artifact@cf430e030ddbb5b0abf93d22962f4752f3646cd9", "upload-artifact"],
  ["actions/download-artifact@9000827ccba6bdab643e8b6fd33ac0654aef8333", "download-artifact"],
  ["actions/cache@55cc8345863c7cc4c66a329aec7e433d2d1c52a9", "cache"],
  ["grafana/setup-k6-action@db07bd9765aac508ef18982e52ab937fe633a065", "setup-k6"],
] as const;

/** A team's repository with one workflow, on a machine that has k6 and the app's Python environment already. */
export interface Repository extends AsyncDisposable {
  readonly folder: string;
  /** Runs git in the repository; resolves with its output. */
  git(...args: string[]): Promise<string>;
  /** Runs the workflow on an event; resolves with act's output, even when the workflow fails. */
  runWorkflow(options: {
    readonly event: string;
    readonly payload: unknown;
    readonly apiUrl: string;
    readonly runNumber: number;
    /** The workflow's token; by default one that may write. */
    readonly token?: string;
  }): Promise<{ readonly succeeded: boolean; readonly output: string }>;
  /** A run's artifacts: their names and the files in each. */
  artifactsOf(runNumber: number): Promise<ReadonlyMap<string, readonly ZipEntry[]>>;
}

export interface RepositoryOptions {
  /** Jobs of a matrix that run side by side; one after the other unless told. */
  readonly jobsAtOnce?: number;
  /** The only version of the action that there is: the commit that a workflow pins, or the tag. */
  readonly version?: string;
}

/** Our target app and its data. */
export async function copyTargetApp(folder: string): Promise<void> {
  await cp(join(root, "target-app", "app"), join(folder, "app"), { recursive: true });
  await cp(join(root, "sql"), join(folder, "sql"), { recursive: true });
}

/**
 * Makes a repository with an app, its data and a workflow.
 *
 * @param workflow YAML text of the workflow, or of several
 * @param copyApp puts the app into the repository's folder
 */
export async function makeRepository(
  workflow: string | readonly string[],
  copyApp = copyTargetApp,
  { jobsAtOnce = 1, version = "v1" }: RepositoryOptions = {},
): Promise<Repository> {
  const home = await mkdtemp(join(tmpdir(), "act-"));
  const folder = join(home, "app");
  await copyApp(folder);
  await mkdir(join(folder, ".github", "workflows"), { recursive: true });
  for (const [index, text] of [workflow].flat().entries())
    await writeFile(join(folder, ".github", "workflows", `workflow-${index}.yml`), text);
  const git = async (...args: string[]) => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
    return (await run("git", [...identity, ...args], { cwd: folder })).stdout.trim();
  };
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Start");
  const action = await copyAction(home, jobsAtOnce, version);
  const machinePath = join(home, "machine.env");
  await writeFile(machinePath, machineVariables(), { mode: 0o600 });
  return {
    folder,
    git,
    runWorkflow: async ({ event, payload, apiUrl, runNumber, token: given = token }) => {
      const eventPath = join(home, "event.json");
      await writeFile(eventPath, JSON.stringify(payload));
      const args = [
        ...[event, "--eventpath", eventPath, "--platform", "ubuntu-latest=-self-hosted"],
        ...["--no-cache-server", "--env-file", machinePath],
        ...["--local-repository", `${releasedAction(version)}=${action}`],
        ...standIns.flatMap(([name, standIn]) => [
          "--local-repository",
          `${name}=${join(root, "test", "end-to-end", "actions", standIn)}`,
        ]),
        ...["--env", `GITHUB_API_URL=${apiUrl}`, "--env", "GITHUB_REPOSITORY=octo/app"],
        ...[
          "--env",
          `GITHUB_RUN_NUMBER=${runNumber}`,
          "--env",
          `LOADTEST_K6=${join(root, ".tools", "bin", "k6")}`,
        ],
        ...["--env", "RUNNER_ENVIRONMENT=self-hosted"], // nothing is installed on the machine that runs the tests
        ...["--env", `STAND_IN_ARTIFACTS=${join(home, "artifacts", String(runNumber))}`],
        ...["--secret", `GITHUB_TOKEN=${given}`],
      ];
      const env = {
        PATH: `${process.env["PATH"]}${withoutSudo}`,
        HOME: home,
        XDG_CACHE_HOME: join(home, ".cache"),
      };
      return await run(act, args, { cwd: folder, env, timeout: 900_000, maxBuffer: 50_000_000 }).then(
        ({ stdout, stderr }) => ({ succeeded: true, output: stdout + stderr }),
        (error: { stdout?: string; stderr?: string; message: string }) => ({
          succeeded: false,
          output: `${error.stdout ?? ""}${error.stderr ?? ""}${error.message}`,
        }),
      );
    },
    artifactsOf: (runNumber) => readArtifacts(join(home, "artifacts", String(runNumber))),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** Mirrors, proxies and certificates, which a runner on this machine would have: in a file, because a URL may hold a password. */
function machineVariables(): string {
  const { XDG_CACHE_HOME: _, ...variables } = installerVariables();
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join("");
}

async function readArtifacts(store: string): Promise<ReadonlyMap<string, readonly ZipEntry[]>> {
  const artifacts = new Map<string, ZipEntry[]>();
  for (const name of await readdir(store)) {
    const files = await readdir(join(store, name), { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    const entries = paths.map(async (path) => ({
      name: relative(join(store, name), path),
      content: await readFile(path),
    }));
    artifacts.set(name, await Promise.all(entries));
  }
  return artifacts;
}

/** What the action needs beside the package that `npx` starts. */
const besideThePackage = [
  "action.yml",
  "package.json",
  "dist",
  ".github",
  "scripts/install-k6.mjs",
  "scripts/install-valgrind.sh",
  "scripts/lib",
  "scripts/preflight.sh",
  "scripts/print-results.sh",
  "scripts/setup",
];

/** The part of a release that a run needs. act copies all of it for each use, so tools and modules stay out. */
async function copyAction(home: string, jobsAtOnce: number, version: string): Promise<string> {
  const folder = join(home, "fastapi-loadtest-action");
  const { files } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const path of [...besideThePackage, ...files])
    await cp(join(root, path), join(folder, path), { recursive: true });
  for (const name of ["loadtest.yml", "post-report.yml"]) {
    const path = join(folder, ".github", "workflows", name);
    const workflow = withJobsAtOnce(await readFile(path, "utf8"), jobsAtOnce);
    await writeFile(path, withoutSelfReference(workflow, releasedAction(version)));
  }
  return folder;
}
