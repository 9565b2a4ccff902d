export { sendMetrics } from "./sending.ts";
