export { cpuSetsOf } from "./cpu-sets.ts";
export { watchMachine } from "./cpu-use.ts";
export { seedDiskProblem } from "./disk-space.ts";
export { describeMachine, openFilesLimit } from "./machine.ts";
