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
