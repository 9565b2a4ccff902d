import type { Workload } from "../model/workload/workload.ts";
import type { Progress } from "./progress.ts";
/** Ports that fill endpoints in, before anything is planned. */
export interface EndpointPorts {
  readonly progress: Progress;
  /** The app's OpenAPI document, evaluated in its own environment, or a sentence when there is none. Runs the app's code. */
  readOpenApi(workload: Workload): Promise<{ readonly document: unknown } | { readonly problem: string }>;
  /** Text of a file, or a sentence without a subject when it cannot be read. */
  readTable(path: string): Promise<{ readonly text: string } | { readonly problem: string }>;
}
