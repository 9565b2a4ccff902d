export { findK6, type K6 } from "./k6-program.ts";
export { loadFiles } from "./load-files.ts";
export { generateLoad } from "./load-generator.ts";
export { runLocustFile } from "./locust-file.ts";
export { findLocust } from "./locust-program.ts";
export { runScript } from "./user-script.ts";
