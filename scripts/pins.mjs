// Compares the pins of actions and the versions beside them with the actions' own repositories. Fails when a commit is
// not the version beside it; with `--newest` also when there is a newer release. Where the network does not reach the
// server, it says `not checked`. LOADTEST_PINS_SERVER may name another server than GitHub's.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { judgedPin, pinsIn, versionsIn } from "./lib/pins.mjs";
import { root } from "./lib/places.mjs";

const server = process.env["LOADTEST_PINS_SERVER"] ?? "https://github.com";
const withinMs = 15_000;
const folders = [".github/workflows", "examples", "docs"];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.(?:yml|md)$/.test(name))
    .map((name) => join(folder, name)),
);
const pins = pinsIn(
  ["action.yml", "README.md", ...files].map((path) => readFileSync(join(root, path), "utf8")),
);

const judged = await Promise.all(pins.map(async (pin) => ({ pin, ...(await judge(pin)) })));
const isStrict = process.argv.includes("--newest");
for (const { unreached } of judged.filter((each) => each.unreached)) console.log(`not checked: ${unreached}`);
for (const { news } of judged.filter((each) => each.news)) console.log(`newer: ${news}`);
for (const { problem } of judged.filter((each) => each.problem)) console.error(`wrong: ${problem}`);
const right = judged.filter(({ problem, news, unreached }) => !problem && !news && !unreached);
const unreached = judged.filter((each) => each.unreached).length;
console.log(
  `${right.length} of ${pins.length} actions are at their newest release, pinned by its commit; ${unreached} not checked`,
);
if (judged.some(({ problem, news }) => problem || (isStrict && news))) process.exitCode = 1;

async function judge(pin) {
  try {
    // What git asks first; it needs no account and counts for no limit of the API.
    const response = await fetch(`${server}/${pin.action}/info/refs?service=git-upload-pack`, {
      signal: AbortSignal.timeout(withinMs),
    });
    if (!response.ok) return { unreached: `${pin.action}: ${server} answers ${response.status}` };
    const text = await response.text();
    if (!text.includes("# service=git-upload-pack"))
      return { unreached: `${pin.action}: ${server} does not answer as git does` };
    return judgedPin(pin, versionsIn(text));
  } catch (error) {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return { unreached: `${pin.action}: ${server} cannot be reached (${reason})` };
  }
}
