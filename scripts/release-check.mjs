// Checks that this commit can be released: a clean tree with an owner, whose package.json, dated CHANGELOG.md, examples
// and started tag agree.
// Writes the version as the output `version`.
import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./lib/places.mjs";
import { ourRepository } from "./lib/repository.mjs";

const textOf = (path) => readFileSync(join(root, path), "utf8");

/**
 * Reasons against releasing; empty when there are none. `ref` started the run, in the repository `runsIn`. `texts` are
 * those that name the action for others; `changes` are files that are not as they were committed.
 */
export function releaseProblems({ version, changelog, texts, ref, repository, runsIn, changes }) {
  const problems = [];
  const { owner, name } = repository;
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`package.json has version "${version}", not X.Y.Z`);
  // The tag that callers name is that of the major version, and 0.x promises nothing.
  else if (version.startsWith("0.")) problems.push(`the first version is 1.0.0, not ${version}`);
  if (owner === "org")
    problems.push("the owner is `org`, which is nobody; run `node scripts/owner.mjs NAME`");
  if (runsIn !== `${owner}/${name}`)
    problems.push(`package.json names ${owner}/${name}, but this run is in ${runsIn || "no repository"}`);
  if (changes !== "") problems.push(`the tree is not clean: ${changes.replaceAll("\n", ", ")}`);
  if (/^## Unreleased\n+(?!## |\n|$)/m.test(changelog))
    problems.push("CHANGELOG.md has changes under Unreleased; run `node scripts/version.mjs X.Y.Z`");
  const heading = changelog.split("\n").find((line) => /^## \[?\d/.test(line)) ?? "no heading with a version";
  if (!new RegExp(`^## \\[?${version.replaceAll(".", "\\.")}\\b`).test(heading)) {
    problems.push(`CHANGELOG.md starts with "${heading}", not with ${version}`);
  } else if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading))
    problems.push(`"${heading}" of CHANGELOG.md has no date`);
  const major = `v${version.split(".")[0]}`;
  const tags = texts.flatMap((text) => tagsOf(text, `${owner}/${name}`));
  if (tags.length === 0) problems.push(`nothing uses ${owner}/${name} at a tag: is that its name?`);
  for (const tag of new Set(tags))
    if (tag !== major) problems.push(`an example uses the action at ${tag}, not ${major}`);
  for (const [, other] of texts.join("\n").matchAll(/\/download\/v([\w.]+)\/fastapi-loadtest\.tgz/g))
    if (other !== version) problems.push(`a page has the package of version ${other}, not ${version}`);
  if (ref !== "refs/heads/main" && ref !== `refs/tags/v${version}`) {
    problems.push(`this run was started by ${ref}, not by refs/heads/main or refs/tags/v${version}`);
  }
  return [...new Set(problems)];
}

/** Tags at which a text uses the action or its workflows. A commit is as good, and says its version beside it. */
function tagsOf(text, ours) {
  return text
    .split(ours)
    .slice(1)
    .flatMap((rest) => /^(?:\/\.github\/workflows\/[\w-]+\.yml)?@(v[\w.]+)/.exec(rest)?.[1] ?? []);
}

if (process.argv[1]?.endsWith("release-check.mjs")) {
  const { version } = JSON.parse(textOf("package.json"));
  const problems = releaseProblems({
    version,
    changelog: textOf("CHANGELOG.md"),
    texts: [
      "README.md",
      "docs/gitlab.md",
      ...readdirSync(join(root, "examples")).map((name) => `examples/${name}`),
    ].map(textOf),
    ref: process.env.REF ?? "",
    repository: ourRepository(),
    runsIn: process.env.GITHUB_REPOSITORY ?? "",
    changes: execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trim(),
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `version=${version}\n`);
}
