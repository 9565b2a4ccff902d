export { guardCommandFiles } from "./command-files.ts";
export { packPlan, unpackPlan } from "./handed-plan.ts";
export { endTeller, takeHandedVariables } from "./handed-variables.ts";
export { openRunner, type Runner } from "./runner.ts";
export { openSecrets } from "./secrets.ts";
