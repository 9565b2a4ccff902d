export { readConfigurationFile, readLogs, readPageScript, readTable } from "./configuration-file.ts";
export { readHistoryFolder } from "./history-folder.ts";
export { watchFiles } from "./watched-files.ts";
