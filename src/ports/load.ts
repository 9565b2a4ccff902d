import type { Material } from "../endpoints/rows.ts";
import type { Requested } from "../model/endpoint/endpoint.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import type { ScriptResults } from "../model/measurement/script-results.ts";
import type { Load } from "../model/plan/cell.ts";
export interface LoadTarget {
  readonly arm: ArmName;
  readonly baseUrl: string;
  /** Sent with every request, over its own; may hold a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its host was named by the caller and may be any. Absent: nothing but loopback can be reached. */
  readonly isElsewhere?: true;
}

export interface LoadRequest {
  readonly targets: readonly [LoadTarget, ...LoadTarget[]];
  readonly endpoint: Requested;
  /** Of each step of the endpoint, in order, what is sent; `undefined`: nothing but its method and path. */
  readonly materials?: readonly (Material | undefined)[] | undefined;
  readonly load: Load;
  /**
   * Whether k6's own summary must be as that of an ordinary script: users finish what they began, nothing but the load
   * is an iteration, and failed requests are told apart. Absent: no.
   */
  readonly detailed?: boolean;
  /** Length of a slice in milliseconds. */
  readonly sliceMs: number;
  /** With two arms: cycles that begin this soon after the start of a slice, or this late, are not counted as such. */
  readonly guard?: { readonly startMs: number; readonly endMs: number };
  /** CPUs that k6 may use; `undefined`: all. */
  readonly cpus?: string | undefined;
  /** Decides the order of the arms within each pair of slices. */
  readonly seed: number;
  /** Names k6's files. */
  readonly name: string;
}

/** What k6 left behind. Both are parsed by `core/`. */
export interface LoadOutput {
  /** Text of the slice records, one JSON document a line; other lines are k6's own messages. */
  readonly records: string;
  /** Text of the end-of-test summary. */
  readonly summary: string;
  /** CPU time of k6, in seconds, start included; `undefined` where there is no procfs. */
  readonly cpuSeconds: number | undefined;
  /** Of a script of the user's own. */
  readonly script?: ScriptResults;
}

export interface LoadPorts {
  /** Version of k6, e.g. `2.2.0`. */
  findGenerator(): Promise<string>;
  generateLoad(request: LoadRequest, signal: AbortSignal): Promise<LoadOutput>;
}
