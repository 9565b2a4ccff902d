export { findK6, findLocust, type K6 } from "./k6-program.ts";
export { generateLoad } from "./load-generator.ts";
export { runLocustFile } from "./locust-file.ts";
export { loadFiles } from "./orders.ts";
export { runScript } from "./user-script.ts";
