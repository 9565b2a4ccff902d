// Runs `configuration-schema.ts`, which Node 20 cannot read itself.
import { runTypeScript } from "./lib/bundle.mjs";

process.exitCode = await runTypeScript("scripts/configuration-schema.ts");
