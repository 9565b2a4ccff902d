export { createTerminal, openTerminal, type Terminal } from "./terminal.ts";
