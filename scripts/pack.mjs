// Packs the command line for those who have Node and nothing else: `npx` takes the address of a release's package
// (docs/gitlab.md). The bundle holds its packages, so the package asks for none. `node scripts/pack.mjs FOLDER` writes it there and prints its size.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { root } from "./lib/places.mjs";
import { capture } from "./lib/run.mjs";

const folder = resolve(process.argv[2] ?? ".");
const {
  private: _private,
  dependencies: _dependencies,
  devDependencies: _devDependencies,
  scripts: _scripts,
  ...described
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const staging = mkdtempSync(join(tmpdir(), "loadtest-pack-"));
try {
  for (const path of [...described.files, "README.md", "LICENSE"])
    cpSync(join(root, path), join(staging, path), {
      recursive: true,
      filter: (source) => !/__pycache__|\.pyc$/.test(source),
    });
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  mkdirSync(folder, { recursive: true });
  const packing = await capture(["npm", "pack", "--json", "--silent"], { folder: staging });
  if (packing.code !== 0) throw new Error(`npm pack failed: ${packing.text.trim()}`);
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(packing.text);
  const target = join(folder, "fastapi-loadtest.tgz"); // the same name in every version, for an address that stays
  cpSync(join(staging, filename), `${target}.part`);
  renameSync(`${target}.part`, target);
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  console.log(
    `${target}: version ${described.version}, ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}, ${entryCount} files`,
  );
} finally {
  rmSync(staging, { recursive: true, force: true });
}
