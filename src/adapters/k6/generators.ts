import { join } from "node:path";

import { isLocustFile } from "../../model/endpoint/endpoint.ts";
import type { LoadPorts } from "../../ports/load.ts";
import { packageFolder } from "../process/index.ts";
import { findK6, findLocust, type K6 } from "./k6-program.ts";
import { generateLoad } from "./load-generator.ts";
import { runLocustFile } from "./locust-file.ts";
import { runScript } from "./user-script.ts";

interface GeneratorOptions {
  /** A script of the user's own that sends the load; `undefined`: our script. */
  readonly scriptPath: string | undefined;
  /** True when it may import modules from other hosts. */
  readonly loadsRemoteModules?: true | undefined;
  /** A k6 that the user names; `undefined`: found or downloaded. */
  readonly k6Path: string | undefined;
  readonly workFolder: string;
  readonly signal: AbortSignal;
  warn(text: string): void;
}

/** What sends the load: k6 with our script or the user's, or Locust. k6 is located once. */
export function openGenerators(options: GeneratorOptions): LoadPorts {
  const { scriptPath, loadsRemoteModules, k6Path, workFolder, signal } = options;
  const isLocust = scriptPath !== undefined && isLocustFile(scriptPath);
  let found: Promise<K6> | undefined;
  const k6 = () => {
    const [toolsFolder, logPath] = [join(packageFolder, ".tools"), join(workFolder, "k6-version.log")];
    found ??= findK6({ path: k6Path, toolsFolder, logPath, signal });
    return found;
  };
  const warned = new Set<string>(); // each run has the same words
  const warn = (text: string) => {
    if (!warned.has(text)) options.warn(text);
    warned.add(text);
  };
  return {
    findGenerator: async () => (isLocust ? "" : (await k6()).version),
    findLocust: () => findLocust({ logPath: join(workFolder, "locust-version.log"), signal }),
    generateLoad: async (request, stop) => {
      const place = { folder: workFolder, signal: stop };
      if (isLocust)
        return await runLocustFile(request, {
          ...{ ...place, scriptPath, warn },
          runnerPath: join(packageFolder, "probe", "loadtest_probe", "locust_run.py"),
        });
      const ours = { ...place, scriptPath: join(packageFolder, "k6", "load.ts") };
      return scriptPath === undefined
        ? await generateLoad(await k6(), request, ours)
        : await runScript(await k6(), request, { ...ours, scriptPath, loadsRemoteModules, warn });
    },
  };
}
