// The main job on our own app, as the README shows it: four endpoints that tell sync from async, at one and two
// workers, on a private Postgres. Further options go to the program, e.g. `npm run demo -- --duration 3s`.
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { root, toolsFolder } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";

const endpoints = [
  "/async_endpoint_async_processing?ms=100", // waits, and lets others run meanwhile
  "/async_endpoint_sync_processing?ms=100", // waits, and blocks the event loop: one request at a time and worker
  "/async_select?user_id=1",
  "/sync_select?user_id=1", // the same query from a thread of the pool
];

const seed = readdirSync(join(root, "sql"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => join("sql", name));

process.exitCode = await run([
  process.execPath,
  join(root, "dist", "cli.js"),
  "run",
  ...["--app", "app.asgi:app"],
  ...["--working-directory", "target-app"],
  ...["--install", join(toolsFolder, "target-app")],
  ...["--ready-path", "/health"],
  ...["--workers", "1,2"],
  ...["--endpoints", endpoints.join("\n")],
  ...["--seed", seed.join("\n")],
  ...["--duration", "5s"],
  ...process.argv.slice(2),
]);
