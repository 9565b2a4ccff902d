import { resolve } from "node:path";

import { watchFiles } from "../adapters/files/index.ts";
import type { Checking } from "../commands/arguments.ts";
import type { CheckPorts } from "../commands/check.ts";
import { configurationPaths } from "../config/file/keys.ts";
import { runPorts } from "./run.ts";
import type { Shared } from "./shared.ts";

/** Ports of `check`. With `isJson` nothing else is printed on standard output. */
export function checkPorts({ isJson }: Pick<Checking, "isJson">, shared: Shared): CheckPorts {
  const { terminal } = shared;
  const quiet = { ...shared, terminal: { ...terminal, progress: () => undefined } };
  const ports = runPorts(isJson ? quiet : shared);
  const paths = new Set(configurationPaths.map((path) => resolve(path)));
  return {
    ...ports,
    request: {
      ...ports.request,
      readConfigurationFile: async (name) => {
        paths.add(resolve(name || configurationPaths[0]));
        return await ports.request.readConfigurationFile(name);
      },
    },
    configurationChanged: () => watchFiles([...paths], shared.signal),
  };
}
