import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { root } from "../contract/files.ts";
import { expectedSeen, openPlanted, seenOf, servers } from "./planted.ts";

// The set-up says why where it cannot be had. `npm run versions` has the other servers and versions.
const folder = join(root, ".tools/python3.14/environment");

test.runIf(existsSync(folder))(
  "Python 3.14: each mistake is told with its line, the function, the memory and what does not run",
  { timeout: 200_000 },
  async () => {
    await using planted = await openPlanted(folder);
    expect(planted.environment.version).toMatch(/^3\.14\./);
    const command = servers[0]?.command ?? "";
    expect(await seenOf(planted, command)).toEqual(expectedSeen);
  },
);
