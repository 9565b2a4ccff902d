import { rm } from "node:fs/promises";
import { join } from "node:path";

import { makeWorkFolder, runProcess, textOfPlainFile } from "../process/index.ts";
import { installerVariables } from "./installer.ts";
import type { PythonFacts } from "./interpreter-facts.ts";

/** Settings that change nothing about which packages pip takes, or from where. */
const harmless =
  /^(?:cert|(?:default-)?timeout|retries|progress-bar|disable-pip-version-check|no-color|root-user-action|no-input|(?:no-)?cache-dir|break-system-packages|no-warn-script-location|require-virtualenv|quiet|verbose|no-compile|exists-action)$/;

/** Settings with the same meaning for uv. */
const alike: Readonly<Record<string, string>> = {
  "index-url": "UV_DEFAULT_INDEX",
  "find-links": "UV_FIND_LINKS",
};

/** uv's variables for the indexes of pip's settings; `undefined` when uv could take other packages. */
export async function variablesForUv(
  { interpreter }: PythonFacts,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const folder = await makeWorkFolder();
  try {
    const logPath = join(folder, "settings");
    const argv = [interpreter, "-I", "-m", "pip", "config", "list"] as const;
    const exit = await runProcess({ argv, folder, variables: installerVariables(), logPath }, signal);
    const text = textOfPlainFile(logPath, { largestBytes: 1_000_000, followsLinks: false });
    return exit.code === 0 && text !== undefined ? uvVariables(text) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads what `pip config list` prints: `global.index-url='https://...'` */
export function uvVariables(settings: string): Readonly<Record<string, string>> | undefined {
  const variables: Record<string, string> = {};
  for (const line of settings.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", value = ""] = /^[^.\s]*\.([\w-]+)=["'](.*)["']$/.exec(line.trim()) ?? [];
    if (harmless.test(name)) continue;
    const same = alike[name];
    // Several values are one word each.
    if (same === undefined || /\s|\\/.test(value)) return undefined;
    variables[same] = value;
  }
  return variables;
}
