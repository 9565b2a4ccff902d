export { openCounters } from "./counter.ts";
