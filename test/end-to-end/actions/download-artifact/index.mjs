// Takes files from the folder that stands for GitHub's artifact store.
import { cpSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const prefix = process.env.INPUT_PATTERN.replace(/\*$/, "");
const store = process.env.STAND_IN_ARTIFACTS;
for (const name of readdirSync(store).filter((each) => each.startsWith(prefix))) {
  const path = resolve(process.env.INPUT_PATH);
  const target = process.env["INPUT_MERGE-MULTIPLE"] === "true" ? path : join(path, name);
  cpSync(join(store, name), target, { recursive: true });
  process.stdout.write(`downloaded ${name}\n`);
}
