export { cpuSetsOf } from "./cpu-sets.ts";
export { seedDiskProblem } from "./disk-space.ts";
export { canLayOut } from "./layouts.ts";
export { describeMachine, openFilesLimit } from "./machine-facts.ts";
export { watchMachine } from "./machine-use.ts";
