export { openResultsFolder } from "./results-folder.ts";
