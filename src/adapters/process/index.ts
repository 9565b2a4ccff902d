export { killAbandonedProcesses, killLeftovers, stopAbandonedServers } from "./abandoned-processes.ts";
export { type AppGuard, type GuardedApp, openAppGuard, withOwnStores } from "./app-guard.ts";
export {
  describeExit,
  type Exit,
  isCode,
  jobWithinMs,
  type ProcessOptions,
  type RunningProcess,
  readTail,
  runProcess,
  startProcess,
  withPrograms,
} from "./child-process.ts";
export { cpuClock, processesOf } from "./cpu-usage.ts";
export { startDeadline, TimeOver, untilAborted, within } from "./deadline.ts";
export {
  type Argv,
  argvOnCpus,
  isLaidOut,
  laidOut,
  laidOutIfThere,
  ownCpus,
  pinArgv,
  threadCpus,
} from "./placement.ts";
export {
  readPlainBytes,
  readPlainFile,
  streamPlainFile,
  textOfOwnFile,
  textOfPlainFile,
} from "./plain-file.ts";
export {
  abandonedProcesses,
  gentleOwnerVariable,
  isAlive,
  ownerMark,
  userHome,
  userName,
} from "./process-owner.ts";
export {
  cpuWaitMs,
  hasProcfs,
  isSameProcess,
  listNumbers,
  listProcesses,
  ownMemoryOfTree,
  type ProcessEntry,
  readLink,
  readProcess,
  readText,
  readVariable,
  residentMemory,
} from "./procfs.ts";
export { packageFolder, pythonAnswer, pythonTool } from "./python-answer.ts";
export { cancellation, catchFaults, openRunLifetime } from "./run-lifetime.ts";
export {
  abandonedMark,
  machineMark,
  makeCacheFolder,
  makeFolder,
  makeWorkFolder,
  ownMark,
  removeAbandonedFolders,
} from "./work-folder.ts";
