// Makes this tree ready to be released as a version: `node scripts/version.mjs 1.0.0`. Writes it into package.json and its
// lock file and the addresses of our package in the docs, gives the changelog's section its name and date, and builds. Commit that, then start the workflow Release.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";

/** The changelog with what is unreleased under a version and a day. */
export function dated(changelog, version, day) {
  const heading = /^## Unreleased\n+(?=###)/m;
  if (!heading.test(changelog)) throw new Error("CHANGELOG.md has nothing under `## Unreleased`");
  return changelog.replace(heading, `## Unreleased\n\n## ${version} - ${day}\n\n`);
}

/** package.json, or its lock file, with a version. */
export function versioned(text, version) {
  const own = { ...JSON.parse(text), version };
  const root = own.packages?.[""];
  const whole =
    root === undefined ? own : { ...own, packages: { ...own.packages, "": { ...root, version } } };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** A page with the addresses of our package for `npx` at a version. */
export function packageAt(page, version) {
  return page.replaceAll(
    /(\/releases\/download\/v)\d+\.\d+\.\d+(?=\/fastapi-loadtest\.tgz)/g,
    `$1${version}`,
  );
}

if (process.argv[1]?.endsWith("version.mjs")) {
  const [version = ""] = process.argv.slice(2);
  if (!/^[1-9]\d*\.\d+\.\d+$/.test(version)) {
    console.error(`${JSON.stringify(version)} is no version from 1.0.0 on`);
    process.exit(2);
  }
  const rewrite = (path, change) =>
    writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8")));
  rewrite("CHANGELOG.md", (text) => dated(text, version, new Date().toISOString().slice(0, 10)));
  for (const path of ["docs/gitlab.md", "llms.txt", "SKILL.md", "src/report/again.ts"])
    rewrite(path, (text) => packageAt(text, version));
  for (const path of ["package.json", "package-lock.json"]) rewrite(path, (text) => versioned(text, version));
  process.exitCode = await run([process.execPath, "scripts/build.mjs"]);
}
