export { compareFunctions } from "./compared-functions.ts";
export { diagnose } from "./diagnose.ts";
export { countCells, countInstructions, secondsToCount } from "./instructions.ts";
export { findUnreached, type Reached } from "./not-reached.ts";
export { warnOfOutside } from "./outside-hosts.ts";
