import { join } from "node:path";
import { defineConfig } from "vitest/config";

import { rewordSentences } from "./plugin.ts";

const root = join(import.meta.dirname, "../..");

/**
 * The pure tests of `init`, its trials and the report, with each sentence of `src/` reworded. Of the report without those
 * that compare whole texts of a format, and those that look up a row or a count by its words.
 */
export default defineConfig({
  root,
  plugins: [rewordSentences(root)],
  test: {
    include: ["test/{init,trial}/**/*.test.ts", "test/report/*/*.test.ts", "test/report/links.test.ts"],
    exclude: ["test/report/render/**", "test/report/facts/{environment,notes}.test.ts"],
    isolate: false,
    maxWorkers: 1,
    setupFiles: ["test/seeded.ts"],
    testTimeout: 60_000,
  },
});
