export { preparePythonEnvironment } from "./environment.ts";
export { readOpenApi, tryImport } from "./imported-app.ts";
export { installerVariables } from "./installer.ts";
export { askOtava } from "./otava.ts";
export {
  findRepository,
  readRepository,
  readScripts,
  readSources,
  readVariables,
} from "./repository-files.ts";
export { findTests, recordTests } from "./test-run.ts";
