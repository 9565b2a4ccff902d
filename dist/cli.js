#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);
await import("./main.js").catch(error=>{let[reason]=String(error).split(`
`,1);process.stderr.write(`a file of this program is missing or broken: ${reason}
Install it again.
`),process.exitCode=3});
