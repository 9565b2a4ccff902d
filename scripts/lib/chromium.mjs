import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { toolsFolder } from "./places.mjs";
import { firstLine } from "./run.mjs";

/** Folder in which the set-up unpacks Debian's packages. */
export const unpackedFolder = join(toolsFolder, "chromium", "root");
const unpackedProgram = join(unpackedFolder, "usr/lib/chromium/chromium");

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Folders of an unpacked tree in which its programs find their libraries. */
function libraryFolders() {
  const machine = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  return [`usr/lib/${machine}`, `lib/${machine}`, `usr/lib/${machine}/pulseaudio`, "usr/lib/chromium"]
    .map((folder) => join(unpackedFolder, folder))
    .join(":");
}

/** The machine's own Chromium, or the unpacked one; `undefined` when there is none that starts. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const own = names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync);
  for (const program of [process.env.LOADTEST_CHROMIUM || [], own].flat()) {
    if (firstLine([program, "--version"]) !== undefined) return { program, variables: {} };
  }
  return existsSync(unpackedProgram)
    ? { program: unpackedProgram, variables: { LD_LIBRARY_PATH: libraryFolders() } }
    : undefined;
}

/** The message for a missing browser. */
export const chromiumWanted =
  "Chromium: put `chromium` or `google-chrome` on PATH, or name one in LOADTEST_CHROMIUM";
