// Pictures for the docs, from recordings of real runs: the page, and the comment as GitHub renders it in each state.
// Usage: node scripts/pictures.mjs [FOLDER], by default docs/images
import { runTypeScript } from "./lib/bundle.mjs";

process.exitCode = await runTypeScript("scripts/pictures.ts", process.argv.slice(2));
