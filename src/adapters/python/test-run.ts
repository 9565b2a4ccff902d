import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import type { AppTests, TestRun } from "../../ports/trial.ts";
import { reasonIn } from "../../repository/install-failure.ts";
import { printable } from "../../text/visible.ts";
import {
  makeCacheFolder,
  makeFolder,
  makeWorkFolder,
  packageFolder,
  pythonTool,
  readPlainFile,
} from "../process/index.ts";
import type { PythonOptions } from "./environment.ts";
import { usableUv } from "./install.ts";
import { InstallerError, run } from "./installer.ts";
import { askPython, readPython } from "./interpreter-facts.ts";

const largestBytes = 30_000_000;

/** Runs tests, without anything of the user's in view, and returns the recorder's lines: foreign text. */
export async function recordTests(
  { environment, folder, needs, until, database, portVariables, only, start, ...limits }: TestRun,
  options: PythonOptions,
): Promise<string> {
  const site = needs.length === 0 ? undefined : await siteOf(environment, { needs, until }, options);
  const own = await makeWorkFolder();
  const [home, temporary, notes, settings] = ["home", "tmp", "notes", "settings.json"].map((each) =>
    join(own, each),
  );
  try {
    for (const each of [home, temporary]) await mkdir(String(each));
    const wanted = {
      ...{ notes, database: database ?? "", portVariables, ...limits },
      sites: site === undefined ? [] : [site],
      kept: [packageFolder, ...(site === undefined ? [] : [site])],
      writable: [own, folder],
      arguments: ["-q", "-p", "no:cacheprovider", "-o", "addopts=", ...only],
    };
    await writeFile(String(settings), JSON.stringify(wanted));
    const homes = [
      "HOME",
      "XDG_CACHE_HOME",
      "XDG_CONFIG_HOME",
      "XDG_DATA_HOME",
      "XDG_STATE_HOME",
      "XDG_RUNTIME_DIR",
    ];
    const variables = {
      ...Object.fromEntries(homes.map((name) => [name, String(home)])),
      TMPDIR: String(temporary),
    };
    await start([environment.interpreter, pythonTool("record_tests"), String(settings)], variables);
    const read = readPlainFile(String(notes), { largestBytes, followsLinks: false });
    return read.kind === "text" ? read.text : "";
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const testsSchema = z.object({
  folder: z.string(),
  files: z.array(z.string()),
  needs: z.array(z.string()),
  variables: z.record(z.string(), z.string()),
  to_sqlite: z.array(z.string()),
});

/** Tests that send requests, in the app's folder or else in the repository's; none of them is run. */
export async function findTests(
  { app, repository }: { readonly app: string; readonly repository: string },
  { interpreter, packages }: PythonEnvironment,
  missing: readonly string[],
  signal: AbortSignal,
): Promise<AppTests | undefined> {
  const answer = await askPython(
    interpreter,
    "find_tests",
    [app, repository, JSON.stringify(packages), JSON.stringify(missing)],
    signal,
  );
  const found = testsSchema.nullable().parse(JSON.parse(answer));
  if (found === null) return undefined;
  const { to_sqlite: onSqlite, ...tests } = found;
  return { ...tests, onSqlite };
}

/** A folder with the packages, made once; the app's keep their versions. */
async function siteOf(
  { interpreter, packages }: TestRun["environment"],
  { needs, until }: Pick<TestRun, "needs" | "until">,
  options: PythonOptions,
): Promise<string> {
  const { cacheFolder, logFolder, signal, onStep } = options;
  const root = join(cacheFolder, "tests");
  const key = createHash("sha256")
    .update(JSON.stringify([interpreter, packages, needs, until]))
    .digest("hex")
    .slice(0, 20);
  const finished = join(root, key);
  if (existsSync(finished)) return finished;
  onStep("installing the packages of the tests");
  for (const each of [cacheFolder, root]) await makeCacheFolder(each);
  await makeFolder(logFolder);
  const folder = `${finished}-${randomBytes(4).toString("hex")}`;
  const python = await readPython("python3", signal); // the environment may have no pip
  const requirements = {
    kind: "requirements.txt",
    dependencies: [],
    isPackage: false,
    fingerprint: "",
    ...defined({ until }),
  } as const;
  const place = { requirements, appFolder: logFolder, python, folder };
  const installation = {
    ...place,
    toolsFolder: join(cacheFolder, "tools"),
    logPath: join(logFolder, "install.log"),
    signal,
    onStep,
  };
  const limits = `${folder}.txt`;
  const others = new Set(needs.map((each) => /^[\w.-]+/.exec(each)?.[0]));
  const fixed = Object.entries(packages).flatMap(([name, version]) =>
    /^[\w.-]+$/.test(name) && !others.has(name) ? [`${name}==${version}`] : [],
  );
  try {
    await writeFile(limits, fixed.join("\n"));
    const found = await usableUv(installation);
    const installer =
      found === undefined
        ? ([
            python.interpreter,
            "-m",
            "pip",
            "--python",
            interpreter,
            "install",
            "--no-input",
            "--disable-pip-version-check",
          ] as const)
        : ([found.uv, "pip", "install", "--python", interpreter] as const);
    await run(
      installation,
      [...installer, "--target", folder, "--constraint", limits, ...needs],
      found?.variables,
    );
    await rename(folder, finished);
    return finished;
  } catch (error) {
    if (!(error instanceof InstallerError)) throw error;
    throw new EnvironmentError(
      "install",
      `their packages could not be installed: ${printable(reasonIn(error.log))}`,
    );
  } finally {
    await rm(limits, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
