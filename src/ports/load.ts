import type { Material } from "../endpoints/rows.ts";
import type { Requested } from "../model/endpoint/endpoint.ts";
import type { ScriptResults } from "../model/measurement/generator.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import type { Load } from "../model/plan/cell.ts";

export interface LoadTarget {
  readonly arm: ArmName;
  readonly baseUrl: string;
  /** Headers of every request, which win over its own; may hold a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The same for each of several identities: virtual user n takes the nth, and so in every arm. Absent: there is one. */
  readonly users?: readonly Readonly<Record<string, string>>[];
  /** True when the caller named the host, which may be any. Absent: only loopback can be reached. */
  readonly isElsewhere?: true;
}

export interface LoadRequest {
  readonly targets: readonly [LoadTarget, ...LoadTarget[]];
  readonly endpoint: Requested;
  /** Requests of each step of the endpoint, in order; `undefined`: only its method and path are sent. */
  readonly materials?: readonly (Material | undefined)[] | undefined;
  readonly load: Load;
  /** True when k6's own summary must be that of an ordinary script: users finish what they began. */
  readonly detailed?: boolean;
  readonly sliceMs: number;
  /** With two arms: cycles that begin within these margins at the ends of a slice are not counted as such. */
  readonly guard?: { readonly startMs: number; readonly endMs: number };
  /** With two arms: time after which each user opens new connections, maybe to other workers. Absent: never. */
  readonly renewMs?: number;
  /** Python in which a Locust file of the user's own runs, and the app's folder. */
  readonly locust?: { readonly interpreter: string; readonly folder: string };
  /** Variables for a script of the user's own; may hold secrets. Absent: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** True when a script of the user's own runs against base and head in turns. Absent: false. */
  readonly isCompared?: true;
  /** CPUs that k6 may use; `undefined`: all. */
  readonly cpus?: string | undefined;
  /** Decides the order of the arms within each pair of slices. */
  readonly seed: number;
  readonly name: string;
}

export interface LoadOutput {
  /** Text of the slice records, one JSON document a line; other lines are k6's own messages. */
  readonly records: string;
  readonly summary: string;
  /** CPU time of k6, in seconds, start included; `undefined` where there is no procfs. */
  readonly cpuSeconds: number | undefined;
  readonly script?: ScriptResults;
}

export interface LoadPorts {
  /** Version of k6, e.g. `2.2.0`; empty where Locust sends the load. */
  findGenerator(): Promise<string>;
  /** The Locust of this machine's own Python, for an app that runs elsewhere. Throws an `InputError` without it. */
  findLocust(): Promise<{ readonly interpreter: string; readonly version: string }>;
  generateLoad(request: LoadRequest, signal: AbortSignal): Promise<LoadOutput>;
}
