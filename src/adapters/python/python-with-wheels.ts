import { rm, writeFile } from "node:fs/promises";

import { fitsPython } from "../../repository/python-version.ts";
import { textOfPlainFile } from "../process/index.ts";
import { usableUv } from "./install.ts";
import { type Installation, type Installer, InstallerError, run } from "./installer.ts";
import { findWish, pythonsOf } from "./interpreter-choice.ts";
import type { PythonFacts } from "./interpreter-facts.ts";

/** Packages with compiled parts, whose old versions can seldom be built for a new Python. */
const compiled = new Set([
  ...[
    "aiohttp",
    "asyncpg",
    "bcrypt",
    "cffi",
    "cryptography",
    "frozenlist",
    "greenlet",
    "grpcio",
    "httptools",
  ],
  ...["lxml", "markupsafe", "multidict", "numpy", "orjson", "pandas", "pillow", "psycopg2-binary", "pyyaml"],
  ...["scikit-learn", "scipy", "typed-ast", "ujson", "uvloop", "watchfiles", "yarl"],
]);
const oldestMinor = 9;

/**
 * The Python for a list of fixed versions: the newest one for which those that would have to be compiled have wheels, up
 * to the given one, which is taken when there is none. Lists of years ago need a Python of their time.
 */
export async function pythonWithWheels(installation: Installation): Promise<PythonFacts> {
  const { python, requirements, folder } = installation;
  const lines = requirements.file === undefined ? [] : fixedIn(requirements.file);
  if (lines.length === 0 || requirements.isLocked || process.env["pythonLocation"] !== undefined)
    return python;
  const found = await usableUv(installation);
  if (found === undefined) return python;
  // Next to the folder, which must still be empty.
  const [list, answer] = [`${folder}.compiled.txt`, `${folder}.compiled.out`];
  await writeFile(list, `${lines.join("\n")}\n`);
  try {
    return await newestOf(installation, [found.uv, ...question, "-o", answer, list], found.variables);
  } finally {
    for (const path of [list, answer]) await rm(path, { force: true });
  }
}

const question = ["pip", "compile", "--quiet", "--no-deps", "--only-binary", ":all:"] as const;

async function newestOf(
  installation: Installation,
  command: Installer,
  variables: Readonly<Record<string, string>>,
): Promise<PythonFacts> {
  const { appFolder, python, signal } = installation;
  const wish = findWish(appFolder);
  const own = Number(python.version.split(".")[1]);
  for (let minor = own; minor >= oldestMinor; minor -= 1) {
    const place = ["--python-version", `3.${minor}`, "--python", python.interpreter];
    const hasAll = await run(installation, [...command, ...place], variables).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof InstallerError)) throw error;
        return false;
      },
    );
    if (!hasAll) continue;
    const [other] = minor === own ? [python] : await pythonsOf(minor, signal);
    if (other !== undefined && (wish === undefined || fitsPython(other.version, wish.text))) return other;
  }
  return python;
}

/** Lines of a requirements file with a fixed version of such a package. */
function fixedIn(file: string): readonly string[] {
  const text = textOfPlainFile(file, { largestBytes: 1_000_000 }) ?? "";
  return text.split("\n").flatMap((line) => {
    const [whole, name = ""] = /^[ \t]*([A-Za-z][\w.-]*)(?:\[[\w, -]*\])?==[\w.!+]+/.exec(line) ?? [];
    return whole !== undefined && compiled.has(name.toLowerCase().replaceAll(/[_.]+/g, "-"))
      ? [whole.trim()]
      : [];
  });
}
