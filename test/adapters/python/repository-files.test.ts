import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { readRepository } from "../../../src/adapters/python/index.ts";

test.for([
  { name: ".env", isRead: false },
  { name: ".env.local", isRead: false },
  { name: ".env.production", isRead: false },
  { name: ".env.example", isRead: true },
  { name: ".env.sample", isRead: true },
  { name: "docker-compose.yml", isRead: true },
])(
  "$name, whose values would stand in a file that is committed, is read: $isRead",
  async ({ name, isRead }) => {
    const folder = await mkdtemp(join(tmpdir(), "repository-files-"));
    try {
      await writeFile(join(folder, name), "STRIPE_KEY=sk_live_1\n");
      await writeFile(join(folder, "main.py"), 'import os\nkey = os.environ["STRIPE_KEY"]\n');
      const paths = readRepository(folder).map(({ path }) => path);
      expect(paths).toContain("main.py");
      expect(paths.includes(name)).toBe(isRead);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
