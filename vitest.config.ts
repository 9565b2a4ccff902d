import { defineConfig } from "vitest/config";

const all = "test/**/*.test.{ts,mjs}";
/** What needs no clock, no server and no processor of its own. */
const pure =
  "test/{lists,errors,statistics,text,model,repository,endpoints,config,compare,diagnosis,init,report,history,github,measure,commands,reproduce,contract,stand-in}/**/*.test.{ts,mjs}";
/** Ten thousand cases each. What they reach the pure ones reach, so nothing counts their coverage, which costs time. */
const fuzz = "test/fuzz/**/*.test.ts";
/** What starts real programs, and asks what they did but not how fast. */
const patient = [
  "test/adapters/{git,github,postgres,python}/*.test.ts",
  "test/adapters/server/{app-command,servers}.test.ts",
  "test/end-to-end/{apps,blind-diagnosis,cancellation,causes,chaos,cli,endpoints,fork,own-migrations,pull-request,reproduce,runner-commands,samples,trends}.test.ts",
  "test/page/*.test.ts",
];
// Adapters start real servers and databases on a machine that may be busy.
const patience = { testTimeout: 60_000, hookTimeout: 120_000 };
// What asks a real machine for the time may meet a moment in which a neighbour has its processors. A second try tells
// that from a defect, which fails twice; the run names each test that needed one.
const secondTry = { retry: 1 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "pure",
          include: [pure],
          // Files keep nothing between tests, and to load all modules for each takes longer than the tests.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        test: {
          name: "fuzz",
          include: [fuzz],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        test: {
          name: "patient",
          include: patient,
          maxWorkers: 2,
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
          ...patience,
          ...secondTry,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: "real",
          include: [all],
          exclude: [pure, fuzz, ...patient],
          // Adapters watch real servers by the clock; files side by side would take each other's processor.
          maxWorkers: 1,
          maxConcurrency: 3,
          sequence: { groupOrder: 2 },
          ...patience,
          ...secondTry,
        },
      },
    ],
    coverage: {
      include: ["src/*/**/*.ts", "reproduce/**/*.ts"],
      reporter: ["text-summary"],
      exclude: ["src/adapters/**", "src/wiring/**", "src/ports/**", "reproduce/{cli,wiring,ports}.ts"],
      // Branches less: `?? 0` behind an index that is always in range is a branch that no test can take.
      thresholds: { lines: 100, functions: 100, statements: 100, branches: 90 },
    },
  },
});
