export { discoverEndpoints } from "./discovered-endpoints.ts";
export { readFiles } from "./files.ts";
export { logIn, logInAll, readSecrets, readVariables } from "./log-in.ts";
export { materialsFor, prepareMaterials, sendingMaterials } from "./materials.ts";
export { inOwnFolder, lackOf, placeholderUrl, prepare } from "./prepare.ts";
export {
  anybody,
  BaseFailure,
  keyOf,
  locustIn,
  type OutsideByEndpoint,
  type Prepared,
  type PreparedArm,
  runningServer,
  topFolderOf,
} from "./prepared.ts";
export { seedCommands } from "./seed-commands.ts";
export { isWatchedOnce, refuseOtherStore, serverCommand, startSingleServer, variablesFor } from "./server.ts";
export { loginIn, queriedUsers } from "./users.ts";
