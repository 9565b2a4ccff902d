import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,mjs}"],
    // Adapters start real servers and databases on a machine that may be busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    coverage: {
      include: ["src/core/**", "src/commands/**"],
      reporter: ["text-summary"],
      thresholds: { 100: true },
    },
  },
});
