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

/** CPUs for the app and for everything else, in Linux's notation (`0-1,3`). */
export interface CpuSets {
  readonly app: string;
  readonly others: string;
}

/** CPU time of a whole machine over a stretch of time, in seconds over all its CPUs. */
export interface MachineUse {
  /** Elapsed time, times the number of CPUs. */
  readonly totalSeconds: number;
  readonly busySeconds: number;
  /** Time that the hypervisor gave to others. */
  readonly stealSeconds: number;
}

export interface MachinePorts {
  readonly machine: Machine;
  readonly openFilesLimit: number | undefined;
  /** How this machine's CPUs are shared out; `undefined` when nothing separates them. */
  readonly cpuSets: CpuSets | undefined;
  /** True when the servers of both arms can have the same address layout. */
  readonly canShareLayout: boolean;
  /** Starts watching the machine and returns a function that reads the use since then. `undefined` without procfs. */
  watchMachine(): (() => MachineUse) | undefined;
}

/** A signal that aborts when the time is over, or earlier when somebody cancels. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** True when the time was over before anybody cancelled. */
  readonly isOver: boolean;
  abort(reason?: unknown): void;
}

/** Sources of time and of chance, which differ from run to run. */
export interface ClockPorts {
  /** ISO 8601, UTC. */
  now(): string;
  /** Seconds of a steady clock. */
  clock(): number;
  /** Starts a time limit of so many seconds. The signal ends it, too; without a number only the signal does. */
  startDeadline(signal: AbortSignal, seconds?: number): Deadline;
  /** A number from 0 up to but not including 2^32. */
  random(): number;
}
