import * as z from "zod";

/** A figure that is not known is `null`, never 0. */
export const figure = z.number().nullable();

/** What both `figures.json` and the history say of the speed of one arm. */
export const speedFigures = {
  throughputRequestsPerSecond: figure,
  throughputLowRequestsPerSecond: figure,
  throughputHighRequestsPerSecond: figure,
  p50Ms: figure,
  p95Ms: figure,
  p99Ms: figure,
  cpuPerRequestMs: figure,
  statementsPerRequest: figure,
};
