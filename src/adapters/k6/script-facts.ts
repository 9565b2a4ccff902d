import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import packageJson from "../../../package.json" with { type: "json" };
import { EnvironmentError } from "../../errors/errors.ts";
import { parseScriptLength } from "../../model/load/script-length.ts";
import type { LoadRequest, ScriptFacts } from "../../ports/load.ts";
import { fingerprint } from "../../text/fingerprint.ts";
import { readTail, runProcess, startDeadline, textOfPlainFile } from "../process/index.ts";
import { noDownloads } from "./k6-process.ts";
import type { K6 } from "./k6-program.ts";
import { scriptVariables } from "./user-script.ts";

/** Most files that count as a script's own. */
const mostFiles = 200;
/** A larger one is no script. */
const largestBytes = 10_000_000;
/** Reading a script runs what stands outside of its functions, which may never end. */
const usualLimitSeconds = 60;
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
    limitSeconds = usualLimitSeconds,
  }: {
    readonly scriptPath: string;
    readonly folder: string;
    readonly signal: AbortSignal;
    /** Tests give less. */
    readonly limitSeconds?: number;
  },
): Promise<ScriptFacts> {
  const logPath = join(folder, `${name}.inspect.log`);
  const outputPath = join(folder, `${name}.inspect.json`);
  for (const path of [logPath, outputPath]) await rm(path, { force: true });
  const options = ["--execution-requirements", "--include-system-env-vars=false", "--no-color"];
  const argv = [k6.path, "inspect", ...options, ...scriptVariables(target, isCompared), scriptPath] as const;
  const ofProcess = { argv, logPath, outputPath, variables: noDownloads, folder: dirname(scriptPath) };
  using deadline = startDeadline({ ms: limitSeconds * 1_000, signal });
  const { code } = await runProcess({ ...ofProcess, phase: "load" }, deadline.signal).catch(
    (error: unknown) => {
      if (!deadline.isOver) throw error;
      throw new EnvironmentError(
        "load",
        `k6 inspect was still reading ${scriptPath} after ${limitSeconds} s`,
      );
    },
  );
  const text = textOfPlainFile(outputPath, { largestBytes }) ?? "";
  const seconds = code === 0 ? parseScriptLength(text) : undefined;
  return {
    ...(seconds !== undefined && { seconds }),
    logTail: await readTail(logPath),
    mark: fingerprint(JSON.stringify(textsOf(scriptPath))),
    version: packageJson.version,
  };
}

/**
 * The script's text, and that of all files that it names by a path beside it, directly or not. Any text may look like a
 * path, and what is there may be a pipe, or have no end.
 */
function textsOf(scriptPath: string): string[] {
  const texts = new Map<string, string>();
  const paths = [scriptPath];
  for (const path of paths) {
    if (texts.has(path) || texts.size >= mostFiles) continue;
    const text = textOfPlainFile(path, { largestBytes });
    if (text === undefined) continue;
    texts.set(path, text);
    for (const [, beside = ""] of text.matchAll(pathPattern)) paths.push(join(dirname(path), beside));
  }
  return [...texts.values()];
}
