/** Verbs that no workflow runs, with their ports: a bundle of their own, which a job never loads. */
export { again } from "./commands/again.ts";
export { bisect } from "./commands/bisect.ts";
export { check } from "./commands/check.ts";
export { explain } from "./commands/explain.ts";
export { init } from "./commands/init.ts";
export { trends } from "./commands/trends.ts";
export { bisectPorts } from "./wiring/bisect.ts";
export { checkPorts } from "./wiring/check.ts";
export { initPorts } from "./wiring/init.ts";
export { explainPorts } from "./wiring/report.ts";
export { trendsPorts } from "./wiring/trends.ts";
