export {
  readConfigurationFile,
  readPageScript,
  readTable,
  watchFiles,
} from "./configuration-file.ts";
export { readHistoryFolder } from "./history-folder.ts";
