export { canLayOut, cpuSetsOf } from "./cpu-sets.ts";
export { describeMachine, openFilesLimit, seedDiskProblem, watchMachine } from "./machine-facts.ts";
