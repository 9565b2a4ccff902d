export {
  canLayOut,
  cpuSetsOf,
  describeMachine,
  openFilesLimit,
  seedDiskProblem,
  watchMachine,
} from "./machine-facts.ts";
