import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./places.mjs";

/** Name, version and licence text of every package in a bundle: their licences ask that copies carry them. */
export function licencesOf(metafile) {
  const folders = Object.values(metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .toSorted()
    .map(licenceOf)
    .join("\n");
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const file = readdirSync(join(root, folder))
    .toSorted()
    .find((each) => /^licen[cs]e/i.test(each));
  const text =
    file !== undefined && existsSync(join(root, folder, file))
      ? readFileSync(join(root, folder, file), "utf8").trim()
      : "";
  return `${name} ${version}${license === undefined ? "" : ` (${license})`}\n\n${text}\n\n${"-".repeat(78)}\n`;
}
