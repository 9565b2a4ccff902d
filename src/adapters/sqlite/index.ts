export { openDatabaseFiles } from "./database-files.ts";
