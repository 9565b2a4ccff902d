// Measures the pull request that the README's picture shows, and keeps its results in test/recordings/change.json.
// `npm run setup` comes before it; then `node scripts/pictures.mjs` draws. It takes five minutes of a quiet machine.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { root, toolsFolder } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";

const shop = join(root, "test", "end-to-end", "shop");
const folder = mkdtempSync(join(tmpdir(), "record-change-"));
const results = join(folder, "loadtest-results");

/** @param {...string} args */
function git(...args) {
  const who = ["-c", "user.name=octo", "-c", "user.email=octo@example.invalid"];
  execFileSync("git", [...who, ...args], { cwd: folder, stdio: "ignore" });
}

try {
  git("init", "--initial-branch=main");
  for (const name of ["main.py", "orders.py", "prices.py", "schema.sql"])
    copyFileSync(join(shop, name), join(folder, name));
  git("add", "--all");
  git("commit", "--message=Sell");
  for (const name of ["orders", "prices"])
    copyFileSync(join(shop, `${name}.head.py`), join(folder, `${name}.py`));
  git("commit", "--all", "--message=Change orders and prices");
  const status = await run([
    ...[
      process.execPath,
      join(root, "dist", "cli.js"),
      "run",
      "--app",
      "main:app",
      "--working-directory",
      folder,
    ],
    ...["--install", join(toolsFolder, "target-app"), "--seed", join(folder, "schema.sql")],
    ...["--ready-path", "/health", "--workers", "1", "--endpoints", "/orders\n/price\n/tax"],
    ...["--base-ref", "HEAD~1", "--max-minutes", "12", "--fail-on", "never", "--results-directory", results],
  ]);
  if (status !== 0) throw new Error(`the run ended with ${status}`);
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(results, path), "utf8"));
  const plan = read("plan.json");
  const measurements = plan.cells.map((/** @type {{ id: string }} */ { id }) => read(`cells/${id}.json`));
  writeFileSync(
    join(root, "test", "recordings", "change.json"),
    `${JSON.stringify({ plan, measurements })}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
