// Gives the repository another owner: `node scripts/owner.mjs NAME`. `repository` of package.json says who it is now, and
// every file that git knows is rewritten, the bundle too. A fork runs it once; `org` stands for nobody.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./lib/places.mjs";
import { ourRepository } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";

const [wanted = ""] = process.argv.slice(2);
if (!/^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/.test(wanted)) {
  console.error(
    `${JSON.stringify(wanted)} is no name of an account; say, for example: node scripts/owner.mjs acme`,
  );
  process.exit(2);
}

const { owner, name } = ourRepository();
const listed = execFileSync("git", ["ls-files", "-z"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 50_000_000,
});
const paths = listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
let count = 0;
for (const path of paths) {
  const before = readFileSync(join(root, path));
  const text = before.toString("utf8");
  if (!Buffer.from(text).equals(before)) continue; // a picture
  // Not within another name, such as `my-org/`.
  const after = text.replaceAll(
    new RegExp(`(?<![\\w.-])${owner}/${name}(?![\\w-])`, "g"),
    () => `${wanted}/${name}`,
  );
  if (after === text) continue;
  writeFileSync(join(root, path), after);
  count++;
}
console.log(`${owner}/${name} is ${wanted}/${name} in ${count} files`);
// Longer names make longer lines.
const biome = join(root, "node_modules/.bin/biome");
if (existsSync(biome)) process.exitCode = await run([biome, "check", "--write", "--log-level=warn"]);
