export { readConfigurationFile } from "./configuration-file.ts";
export { readHistoryFolder } from "./history-folder.ts";
export { readLogs } from "./log-texts.ts";
export { readPageScript } from "./page-script.ts";
export { readTable } from "./parameter-table.ts";
