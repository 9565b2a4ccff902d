export { printedBy, runAppCommand } from "./app-command.ts";
export { startAppServer } from "./app-server.ts";
export { keepToCpus } from "./cpu-placement.ts";
export { findFreePort, portProblem } from "./listening-sockets.ts";
export { openProbe } from "./probe.ts";
export { sendRequest } from "./single-request.ts";
