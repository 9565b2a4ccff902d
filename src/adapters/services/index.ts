export { type RunningCompanion, startCompanion } from "./companion.ts";
export { disposeAll } from "./dispose-all.ts";
export { openMysql } from "./mysql.ts";
export { prepareServices } from "./preparation.ts";
export { type RunningService, startService } from "./running-service.ts";
export { hasProgram, searchPath } from "./service-way.ts";
export { withBeside } from "./watched-server.ts";
