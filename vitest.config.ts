import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Every test file belongs to exactly one project; `test/contract/test-projects.test.ts` proves it. */
const all = "{test,bench/test,reproduce/test}/**/*.test.{ts,mjs}";
/** Folders whose tests start real programs: servers, databases, browsers, runners. Any other folder is pure. */
const programs = ["test/**/{adapters,chaos,end-to-end}/**/*.test.{ts,mjs}", "test/page/**/*.test.{ts,mjs}"];
/** Many random cases each. What they reach the pure ones reach, so nothing counts their coverage, which costs time. */
const fuzz = "test/fuzz/**/*.test.ts";
/** Long for its own sake: `npm run test:long` has them, `npm test` has not. */
const long = "test/**/*.long.test.ts";
/** Asks a real machine for the time, but hardly uses it: several wait side by side, away from those that do use it. */
const timed = "test/**/*.timed.test.ts";
/** Judges how much a machine can do, so it gets that machine to itself. */
const alone = "test/**/*.alone.test.ts";
/** Both: a whole comparison of two commits. */
const longAlone = "test/**/*.alone.long.test.ts";
const real = {
  // Adapters start real servers and databases on a machine that may be busy.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // What asks a real machine for the time may meet a moment in which a neighbour has its processors. Another try tells
  // that from a defect, which fails each time; the run names each test that needed one.
  retry: 2,
};
/** Files keep nothing between tests, and to load all modules for each takes longer than the tests. */
const calculations = {
  isolate: false,
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
  setupFiles: ["test/seeded.ts"],
  testTimeout: 60_000,
};

/** Whole programs and runners first: what takes longest must not begin last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWhole = ({ moduleId }: TestSpecification) => Number(moduleId.includes("/end-to-end/"));
    return (await super.sort(files)).toSorted((a, b) => isWhole(b) - isWhole(a));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [{ name: "smoke", description: "Stands for a family that no change touches (test-families.mjs)" }],
    projects: [
      {
        test: {
          name: "pure",
          include: [all],
          exclude: [...programs, fuzz, long, timed, alone],
          ...calculations,
        },
      },
      {
        test: {
          name: "fuzz",
          include: [fuzz],
          exclude: [long, timed, alone],
          ...calculations,
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: "programs",
          include: programs,
          exclude: [long, timed, alone],
          // To load all modules for each file takes a fifth of the time.
          isolate: false,
          // One more than processors, because they wait for each other's start much of the time.
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { groupOrder: 1 },
          ...real,
        },
      },
      {
        test: {
          name: "long",
          include: [long],
          exclude: [longAlone],
          maxWorkers: 2,
          maxConcurrency: 3,
          sequence: { groupOrder: 2 },
          ...real,
        },
      },
      {
        test: {
          name: "timed",
          include: [timed],
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { groupOrder: 3 },
          ...real,
        },
      },
      {
        test: { name: "alone", include: [alone], maxWorkers: 1, sequence: { groupOrder: 4 }, ...real },
      },
      {
        test: {
          name: "long-alone",
          include: [longAlone],
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
          ...real,
        },
      },
    ],
    coverage: {
      include: ["src/*/**/*.ts", "reproduce/**/*.ts"],
      reporter: ["text-summary"],
      exclude: [
        "{test,reproduce/test}/**",
        "src/adapters/**",
        "src/wiring/**",
        "src/ports/**",
        "reproduce/{cli,wiring,ports}.ts",
      ],
      // Branches less: `?? 0` behind an index that is always in range is a branch that no test can take.
      thresholds: { lines: 100, functions: 100, statements: 100, branches: 90 },
    },
  },
});
