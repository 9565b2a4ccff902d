export { cpuSetsOf } from "./cpu-sets.ts";
export { seedDiskProblem } from "./disk-space.ts";
export { describeMachine, openFilesLimit } from "./machine-facts.ts";
export { watchMachine } from "./machine-use.ts";
