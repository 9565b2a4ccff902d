import { join } from "node:path";

import {
  findK6,
  findLocust,
  generateLoad,
  loadFiles,
  runLocustFile,
  runScript,
} from "../adapters/k6/index.ts";
import { packageFolder } from "../adapters/process/index.ts";
import { isLocustFile } from "../model/endpoint/endpoint.ts";
import type { LoadPorts } from "../ports/load.ts";
import type { Shared } from "./shared.ts";

/** `scriptPath`: a script of the user's own that sends the load; `undefined`: our script. */
export function loadPorts(
  scriptPath: string | undefined,
  workFolder: string,
  { environment, signal, terminal }: Shared,
): LoadPorts {
  let found: ReturnType<typeof findK6> | undefined;
  const told = new Set<string>(); // the same in each of its runs
  const isLocust = scriptPath !== undefined && isLocustFile(scriptPath);
  const findGenerator = () => {
    found ??= findK6({
      path: environment["LOADTEST_K6"] || undefined,
      toolsFolder: join(packageFolder, ".tools"),
      logPath: join(workFolder, "k6-version.log"),
      signal,
    });
    return found;
  };
  return {
    findGenerator: async () => (isLocust ? "" : (await findGenerator()).version),
    findLocust: () => findLocust({ logPath: join(workFolder, "locust-version.log"), signal }),
    exportLoad: (request) => loadFiles(request, join(packageFolder, "k6")),
    generateLoad: async (request, stop) => {
      if (isLocust) {
        const beside = (name: string) => join(packageFolder, "probe", "loadtest_probe", name);
        return await runLocustFile(request, {
          ...{ scriptPath, runnerPath: beside("locust_run.py") },
          ...{ folder: workFolder, signal: stop },
          warn: (text) => {
            if (!told.has(text)) terminal.progress({ kind: "warning", text });
            told.add(text);
          },
        });
      }
      const k6 = await findGenerator();
      const ours = { scriptPath: join(packageFolder, "k6", "load.ts"), folder: workFolder, signal: stop };
      return scriptPath === undefined
        ? await generateLoad(k6, request, ours)
        : await runScript(k6, request, { ...ours, scriptPath });
    },
  };
}
