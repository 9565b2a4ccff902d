export { openGenerators } from "./generators.ts";
export { findK6, type K6 } from "./k6-program.ts";
export { generateLoad, memoryOfLoad } from "./load-generator.ts";
export { runScript } from "./user-script.ts";
