// Checks that this commit can be released: package.json, CHANGELOG.md, the workflow's own tag and the started tag agree.
// Writes the version as the output `version`.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./lib/places.mjs";

const textOf = (path) => readFileSync(join(root, path), "utf8");

/** Reasons against releasing; empty when there are none. `ref` started the run. */
export function releaseProblems({ version, changelog, workflow, ref }) {
  const problems = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`package.json has version "${version}", not X.Y.Z`);
  const heading = changelog.split("\n").find((line) => /^## \[?\d/.test(line)) ?? "no heading with a version";
  if (!new RegExp(`^## \\[?${version.replaceAll(".", "\\.")}\\b`).test(heading)) {
    problems.push(`CHANGELOG.md starts with "${heading}", not with ${version}`);
  }
  const major = `v${version.split(".")[0]}`;
  for (const [, tag] of workflow.matchAll(/uses: org\/fastapi-loadtest-action@(\S+)/g)) {
    if (tag !== major) problems.push(`a workflow uses the action at ${tag}, not ${major}`);
  }
  if (ref !== "refs/heads/main" && ref !== `refs/tags/v${version}`) {
    problems.push(`this run was started by ${ref}, not by refs/heads/main or refs/tags/v${version}`);
  }
  return [...new Set(problems)];
}

if (process.argv[1]?.endsWith("release-check.mjs")) {
  const { version } = JSON.parse(textOf("package.json"));
  const problems = releaseProblems({
    version,
    changelog: textOf("CHANGELOG.md"),
    workflow: ["loadtest", "post-report"].map((name) => textOf(`.github/workflows/${name}.yml`)).join("\n"),
    ref: process.env.REF ?? "",
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `version=${version}\n`);
}
