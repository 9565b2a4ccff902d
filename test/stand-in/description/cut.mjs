// Cuts the operations that we use out of GitHub's own description of its API.
//   npm ci --prefix test/stand-in/description
//   node test/stand-in/description/cut.mjs           writes test/stand-in/fixtures/github-api.json
//   node test/stand-in/description/cut.mjs --check   fails when that file is not what would be written
import { readFileSync, writeFileSync } from "node:fs";
import { cutDescription } from "./cut-description.mjs";

const source = new URL("node_modules/@octokit/openapi/generated/api.github.com.json", import.meta.url);
const target = new URL("../fixtures/github-api.json", import.meta.url);

const text = `${JSON.stringify(cutDescription(JSON.parse(readFileSync(source, "utf8"))), null, 1)}\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  process.stderr.write(
    "test/stand-in/fixtures/github-api.json differs from GitHub's description: run cut.mjs\n",
  );
  process.exitCode = 1;
}
