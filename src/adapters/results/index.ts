export { openResultsFolder } from "./results-directory.ts";
