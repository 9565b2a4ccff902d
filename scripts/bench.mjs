// Runs one benchmark of `bench/`: `npm run bench -- NAME [options]`. Without a name it lists them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { runTypeScript } from "./lib/bundle.mjs";
import { root } from "./lib/places.mjs";

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !/^[\w-]+$/.test(name) || !existsSync(join(root, "bench", `${name}.ts`))) {
  const known = readdirSync(join(root, "bench")).filter((file) => file.endsWith(".ts"));
  console.error(
    `usage: npm run bench -- NAME; known are ${known.map((file) => file.slice(0, -3)).join(", ") || "none yet"}`,
  );
  process.exitCode = 2;
} else {
  process.exitCode = await runTypeScript(`bench/${name}.ts`, args);
}
