import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,mjs}"],
    // Adapters watch real servers by the clock; files side by side would take each other's processor.
    maxWorkers: 1,
    // Adapters start real servers and databases on a machine that may be busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    coverage: {
      include: ["src/core/**", "src/commands/**"],
      reporter: ["text-summary"],
      exclude: ["**/*.d.ts"],
      // Branches less: `?? 0` behind an index that is always in range is a branch that no test can take.
      thresholds: { lines: 100, functions: 100, statements: 100, branches: 90 },
    },
  },
});
