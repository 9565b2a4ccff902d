export { createTerminal, type Terminal } from "./terminal.ts";
