/**
 * Tests that take long. Where a change touches what they test (`of`, or themselves) `npm test` runs them whole; else it
 * runs the smoke case: of Vitest the test with the tag `smoke` in that file, of pytest that file. CI runs all whole.
 * Of `fuzz` every test stays, with fewer cases. A path that ends in a slash is a folder.
 */
export const families = [
  {
    name: "loads",
    tests: ["test/adapters/k6/"],
    smoke: "test/adapters/k6/arms.timed.test.ts",
    of: ["k6/", "src/adapters/k6/", "src/model/load/"],
  },
  {
    name: "servers",
    tests: ["test/adapters/server/app-server.timed.test.ts", "test/adapters/server/servers.test.ts"],
    smoke: "test/adapters/server/app-server.timed.test.ts",
    of: ["src/adapters/server/", "src/adapters/process/"],
  },
  {
    name: "Python environments",
    tests: ["test/adapters/python/"],
    smoke: "test/adapters/python/install.test.ts",
    of: ["src/adapters/python/", "probe/tools/", "tools/python/", "tools/otava/"],
  },
  {
    name: "Postgres",
    tests: ["test/adapters/postgres/"],
    smoke: "test/adapters/postgres/database-server.test.ts",
    of: ["src/adapters/postgres/", "tools/postgres/"],
  },
  {
    name: "forges",
    tests: ["test/adapters/forge/"],
    smoke: "test/adapters/forge/pull-request-comment.test.ts",
    of: ["src/adapters/forge/", "src/forge/", "test/stand-in/"],
  },
  {
    name: "pages",
    tests: ["test/page/"],
    smoke: "test/page/page.test.ts",
    of: ["page/", "src/report/", "src/history/"],
  },
  {
    name: "workflows",
    tests: ["test/end-to-end/fork.test.ts", "test/end-to-end/runner-commands.test.ts"],
    smoke: "test/end-to-end/runner-commands.test.ts",
    of: ["action.yml", ".github/workflows/", "scripts/preflight.sh", "src/adapters/runner/"],
  },
  {
    name: "command line",
    tests: ["test/end-to-end/cli.test.ts", "test/end-to-end/apps.test.ts", "test/end-to-end/waits.test.ts"],
    smoke: "test/end-to-end/cli.test.ts",
    of: ["src/main.ts", "src/commands/", "src/wiring/", "src/adapters/process/"],
  },
  {
    name: "diagnosis",
    tests: ["test/end-to-end/diagnosis.alone.test.ts"],
    smoke: "test/end-to-end/diagnosis.alone.test.ts",
    of: ["probe/", "src/diagnosis/"],
  },
  {
    name: "fuzz",
    tests: ["test/fuzz/"],
    of: ["src/config/", "src/model/", "src/endpoints/", "src/forge/", "src/adapters/k6/", "src/diagnosis/"],
  },
  {
    name: "target app",
    tests: ["target-app/tests/"],
    smoke: "target-app/tests/test_health.py",
    of: ["target-app/", "sql/"],
  },
  {
    name: "probe",
    tests: ["probe/tests/"],
    smoke: "probe/tests/test_start.py",
    of: ["probe/"],
  },
];

export const isBelow = (path, prefix) => path === prefix || (prefix.endsWith("/") && path.startsWith(prefix));
