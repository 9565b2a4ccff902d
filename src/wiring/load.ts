import { openGenerators } from "../adapters/k6/index.ts";
import type { LoadPorts } from "../ports/load.ts";
import type { Shared } from "./shared.ts";

/** `scriptPath`: a script of the user's own that sends the load; `undefined`: our script. */
export function loadPorts(
  scriptPath: string | undefined,
  workFolder: string,
  { environment, signal, terminal }: Shared,
): LoadPorts {
  const k6Path = environment["LOADTEST_K6"] || undefined;
  const warn = (text: string) => terminal.progress({ kind: "warning", text });
  return openGenerators({ scriptPath, k6Path, workFolder, signal, warn });
}
