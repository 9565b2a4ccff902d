import { existsSync } from "node:fs";
import { join } from "node:path";

import { root, toolsFolder } from "../lib/places.mjs";
import { firstLine, runQuietly } from "../lib/run.mjs";
import { hashOf, hasStamp, writeStamp } from "./stamp.mjs";

const interpreter = process.env.PYTHON || "python3";
const oldest = [3, 11];

/** The step that makes a virtual environment below `.tools` from requirements with hashes. */
export function pythonStep(name, requirements) {
  const folder = join(toolsFolder, name);
  const program = join(folder, "bin", "python");
  const files = requirements.map((path) => join(root, path));
  const stamp = () => ({ path: join(folder, ".stamp"), content: hashOf(files) });
  return {
    name: `Python packages of ${requirements.join(" and ")}`,
    isDone: () => existsSync(program) && hasStamp(stamp()),
    missing: async () => missingPython(),
    install: async () => {
      await runQuietly([interpreter, "-m", "venv", "--clear", folder]);
      // Wheels only: a source package runs code of its own while it is built.
      const install = [
        program,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--no-deps",
      ];
      await runQuietly([...install, "--disable-pip-version-check", ...files.flatMap((path) => ["-r", path])]);
      writeStamp(stamp());
    },
  };
}

function missingPython() {
  const version = firstLine([interpreter, "-c", "import sys; print(*sys.version_info[:2])"]);
  const [major, minor] = (version ?? "").split(" ").map(Number);
  if (version === undefined || major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    const found = version === undefined ? "there is none" : `it is ${major}.${minor}`;
    return [
      `python3: ${oldest.join(".")} or newer as ${interpreter} (${found}); the variable PYTHON names another`,
    ];
  }
  const hasVenv = firstLine([interpreter, "-c", "import ensurepip, venv; print('yes')"]) === "yes";
  return hasVenv
    ? []
    : ["python3: its modules venv and ensurepip (Debian and Ubuntu: apt-get install python3-venv)"];
}
