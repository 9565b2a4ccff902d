// Moves files to the folder that stands for GitHub's artifact store, in the tree that the real action would make.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

/** Files that a pattern means. Only a `*` in the last part is supported: our workflows use no more. */
function filesOf(pattern) {
  const folder = resolve(dirname(pattern));
  const words = pattern
    .split("/")
    .at(-1)
    .replaceAll(/[.+()[\]{}^$|?\\]/g, "\\$&");
  const last = new RegExp(`^${words.replaceAll("*", "[^/]*")}$`);
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return names.filter((name) => last.test(name)).map((name) => join(folder, name));
}

/** Paths in the artifact start below the files' common folder, as in the real action. */
function commonFolder(paths) {
  let folder = dirname(paths[0]);
  while (!paths.every((path) => path.startsWith(`${folder}/`))) folder = dirname(folder);
  return folder;
}

const patterns = process.env.INPUT_PATH.split("\n")
  .map((line) => line.trim())
  .filter(Boolean);
const files = patterns.flatMap(filesOf);
const isAlone = process.env.INPUT_ARCHIVE === "false";
if (isAlone && files.length > 1) {
  process.stdout.write(`without an archive only a single file can be uploaded, not ${files.length}\n`);
  process.exit(1);
}
const name = isAlone ? basename(files[0] ?? "") : process.env.INPUT_NAME;
const target = join(process.env.STAND_IN_ARTIFACTS, name);
if (statSync(target, { throwIfNoEntry: false }) && process.env.INPUT_OVERWRITE !== "true") {
  process.stdout.write("an artifact with this name already exists on the workflow run\n");
  process.exit(1);
}
rmSync(target, { recursive: true, force: true });
for (const file of files) {
  const path = join(target, relative(commonFolder(files), file));
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(file, path);
}
process.stdout.write(`uploaded ${files.length} files as ${name}\n`);
