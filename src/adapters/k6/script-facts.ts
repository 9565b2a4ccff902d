import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import packageJson from "../../../package.json" with { type: "json" };
import { parseScriptLength } from "../../model/load/script-length.ts";
import type { LoadRequest, ScriptFacts } from "../../ports/load.ts";
import { fingerprint } from "../../text/fingerprint.ts";
import { readTail, runProcess, textOfPlainFile } from "../process/index.ts";
import { noDownloads } from "./k6-process.ts";
import type { K6 } from "./k6-program.ts";
import { scriptVariables } from "./user-script.ts";

/** Most files that count as a script's own. */
const mostFiles = 200;
/** A path beside the script, in quotes, as `import`, `require` and `open` have it. */
const pathPattern = /["'`](\.{1,2}\/[^"'`\n]{1,500})["'`]/g;

/** Asks k6 for the length of a user's own script, which it reads and does not run. */
export async function inspectScript(
  k6: K6,
  { name, targets: [target], isCompared }: Pick<LoadRequest, "name" | "targets" | "isCompared">,
  {
    scriptPath,
    folder,
    signal,
  }: { readonly scriptPath: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<ScriptFacts> {
  const logPath = join(folder, `${name}.inspect.log`);
  const outputPath = join(folder, `${name}.inspect.json`);
  for (const path of [logPath, outputPath]) await rm(path, { force: true });
  const options = ["--execution-requirements", "--include-system-env-vars=false", "--no-color"];
  const argv = [k6.path, "inspect", ...options, ...scriptVariables(target, isCompared), scriptPath] as const;
  const ofProcess = { argv, logPath, outputPath, variables: noDownloads, folder: dirname(scriptPath) };
  const { code } = await runProcess({ ...ofProcess, phase: "load" }, signal);
  const text = textOfPlainFile(outputPath, { largestBytes: 10_000_000 }) ?? "";
  const seconds = code === 0 ? parseScriptLength(text) : undefined;
  return {
    ...(seconds !== undefined && { seconds }),
    logTail: await readTail(logPath),
    mark: fingerprint(JSON.stringify(await textsOf(scriptPath))),
    version: packageJson.version,
  };
}

/** The script's text, and that of all files that it names by a path beside it, directly or not. */
async function textsOf(scriptPath: string): Promise<string[]> {
  const texts = new Map<string, string>();
  const paths = [scriptPath];
  for (const path of paths) {
    if (texts.has(path) || texts.size >= mostFiles) continue;
    const text = await readFile(path, "utf8").catch(() => undefined); // any text may look like a path
    if (text === undefined) continue;
    texts.set(path, text);
    for (const [, beside = ""] of text.matchAll(pathPattern)) paths.push(join(dirname(path), beside));
  }
  return [...texts.values()];
}
