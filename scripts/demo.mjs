// `npm run demo`: makes a pull request on our own target app, compares it with its base at one and two workers, and
// ends with the comment and the page that it would get. `npm run demo -- workers`: the app alone, without a base.
// Options of `fastapi-loadtest run` may follow, e.g. `npm run demo -- --vus 16`.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

import { demoChoice } from "./demo/choice.mjs";
import { renderedComment } from "./demo/rendered-comment.mjs";
import { plantedPatch, withPullRequest } from "./demo/repository.mjs";
import { root, toolsFolder } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";

const program = join(root, "dist", "cli.js");
const results = join(root, "loadtest-results", "demo");
const environment = join(toolsFolder, "target-app");

/** Four endpoints that tell sync from async: two that wait, and the same query in both styles. */
const matrix = [
  ...["--working-directory", "target-app"],
  ...["--app", "app.asgi:app"],
  ...["--ready-path", "/health"],
  ...["--workers", "1,2"],
  "--endpoints",
  [
    "/async_endpoint_async_processing?ms=100",
    "/async_endpoint_sync_processing?ms=100",
    "/async_select?user_id=1",
    "/sync_select?user_id=1",
  ].join("\n"),
  ...["--seed", seedFiles().join("\n")],
  ...["--duration", "5s"],
];

function seedFiles() {
  const names = readdirSync(join(root, "sql")).filter((name) => name.endsWith(".sql"));
  return names.toSorted().map((name) => join("sql", name));
}

async function main(words) {
  const { what, options, problem } = demoChoice(words);
  if (problem !== undefined) {
    console.error(`demo: ${problem}`);
    return 2;
  }
  const status = await run([process.execPath, join(root, "scripts", "setup.mjs"), "--for", "demo"]);
  if (status !== 0) return status;
  rmSync(results, { recursive: true, force: true }); // the report of an earlier run would pass for this one's
  // The program's own last line says where the report is; after the comment it is said again.
  return what === "workers" ? await load(root, [...matrix, ...options]) : await compare(options);
}

async function compare(options) {
  return await withPullRequest(async (folder) => {
    console.log(`The pull request: ${relative(root, plantedPatch)}`);
    const status = await load(folder, ["--base-ref", "main", ...options]);
    showComment();
    return status === 1 ? 0 : status; // 1: the check fails, as it should
  });
}

function showComment() {
  const path = join(results, "report.md");
  if (!existsSync(path)) return;
  const width = process.stdout.columns ?? 100;
  const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  console.log(`\nThe comment on the pull request:\n`);
  console.log(renderedComment(readFileSync(path, "utf8"), { width, isColoured }));
  console.log(`\nReport: ${join(results, "report.html")}`);
}

function load(folder, args) {
  const places = ["--install", environment, "--results-directory", results];
  return run([process.execPath, program, "run", ...places, ...args], { folder });
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(`demo: ${error.message}`);
  return 3;
});
