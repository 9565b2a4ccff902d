export { findPostgresBinaries } from "./binaries.ts";
export { openDatabaseServer } from "./database-server.ts";
export type { DatabaseServerOptions } from "./running-server.ts";
export { statementStart } from "./seed-file.ts";
export { makeServerFolder, reachableBinaries } from "./server-folder.ts";
export { serverUser } from "./server-user.ts";
