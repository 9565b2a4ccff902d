import { join } from "node:path";
import { defineConfig } from "vitest/config";

import { rewordSentences } from "./plugin.ts";

const root = join(import.meta.dirname, "../..");

/** The pure tests of `init` and its trials, with each sentence of `src/` reworded. */
export default defineConfig({
  root,
  plugins: [rewordSentences(root)],
  test: {
    include: ["test/{init,trial}/**/*.test.ts"],
    isolate: false,
    maxWorkers: 1,
    setupFiles: ["test/seeded.ts"],
    testTimeout: 60_000,
  },
});
