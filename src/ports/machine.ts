/** Facts about the machine and the run, gathered once. */
export interface Machine {
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly platform: string;
  readonly runner: string;
  readonly node: string;
}

/** CPUs as Linux writes lists (`0-1,3`), for the app and for everything else; both the whole machine when not apart. */
export interface CpuSets {
  readonly app: string;
  readonly others: string;
}

/** CPU time of a whole machine over a stretch of time, in seconds over all its CPUs. */
export interface MachineUse {
  /** Of the clock, times the number of CPUs. */
  readonly totalSeconds: number;
  readonly busySeconds: number;
  /** Given to others by the hypervisor. */
  readonly stealSeconds: number;
}

export interface MachinePorts {
  readonly machine: Machine;
  /** Files that one process may have open; `undefined` where that cannot be told. */
  readonly openFilesLimit: number | undefined;
  /** How this machine's CPUs are shared out; `undefined` when they are not kept apart. */
  readonly cpuSets: CpuSets | undefined;
  /** Starts watching the machine; the result says what happened since. `undefined` where there is no procfs. */
  watchMachine(): (() => MachineUse) | undefined;
}
