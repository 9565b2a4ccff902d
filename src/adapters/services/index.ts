export { type AppStartOptions, appStarts } from "./app-starts.ts";
export { openMysql } from "./mysql.ts";
export { prepareServices } from "./preparation.ts";
export { type RunningService, startService } from "./running-service.ts";
export { hasProgram, searchPath } from "./service-way.ts";
export { type RunningCompanion, startCompanion, withSidePrograms } from "./side-process.ts";
