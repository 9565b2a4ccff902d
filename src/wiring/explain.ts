import { resolve } from "node:path";
import type { Explaining, ExplainPorts } from "../commands/explain.ts";
import { reportPorts } from "./report.ts";
import type { Shared } from "./shared.ts";

/** Ports of `explain` for a folder with results. */
export function explainPorts({ resultsDirectory }: Explaining, shared: Shared): ExplainPorts {
  return {
    ...reportPorts({ resultsDirectory: resolve(resultsDirectory) }, shared),
    answer: shared.answer,
  };
}
