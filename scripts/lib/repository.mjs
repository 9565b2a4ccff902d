import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./places.mjs";

/** Owner and name of this repository by the one place that says it: `repository` of package.json. */
export function ourRepository(folder = root) {
  const { repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [owner, name] = repository.replace(/^github:/, "").split("/");
  return { owner, name };
}
