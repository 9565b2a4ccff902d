import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { root } from "./act.ts";

const run = promisify(execFile);
const users = 8;
let folder = "";
let bin = "";

/** Two minutes, and a package index: `npm run test:weekly`. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

/** Locust of a fixed version, as a team would install it beside an app that runs elsewhere. */
beforeAll(async () => {
  if (!isLong) return;
  folder = await mkdtemp(join(tmpdir(), "locust-test-"));
  await run("python3", ["-m", "venv", join(folder, "venv")]);
  bin = join(folder, "venv", "bin");
  const requirements = join(root, "tools/locust/requirements.txt");
  await run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
  await writeFile(
    join(folder, "locustfile.py"),
    'from locust import HttpUser, task\n\n\nclass Visitor(HttpUser):\n    @task\n    def look(self) -> None:\n        self.client.get("/")\n',
  );
}, 300_000);
afterAll(async () => {
  if (isLong) await rm(folder, { recursive: true, force: true });
});

/** Answers after a while, and counts what Locust asked for. */
async function serverThatWaits(ms: number) {
  let asked = 0;
  const server = createServer((request, response) => {
    if (/python-requests/.test(request.headers["user-agent"] ?? "")) asked += 1;
    setTimeout(() => response.end("ok"), ms);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${portOf(server)}`,
    asked: () => asked,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

test.runIf(isLong)("a Locust file compares two running apps", { timeout: 300_000 }, async () => {
  await using base = await serverThatWaits(20);
  await using head = await serverThatWaits(80);
  const results = join(folder, "results");
  const settings = [
    ...[`base-url: http://${base.host}`, `head-url: http://${head.host}`, "target-cap: false"],
    ...[`allow-target: [${base.host}, ${head.host}]`, "max-minutes: 1.5", "fail-on: never"],
  ].join("\n");
  const { stdout } = await run(
    process.execPath,
    [
      ...[join(root, "dist/cli.js"), "run", "--script", "locustfile.py", "--vus", `${users}`],
      ...["--duration", "4s", "--results-directory", results, "--settings", settings],
    ],
    { cwd: folder, env: { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` } },
  );

  const { cells } = JSON.parse(await readFile(join(results, "figures.json"), "utf8"));
  const [cell] = cells;
  expect(cells, stdout).toHaveLength(1);
  expect(cell.replicates).toBeGreaterThanOrEqual(2);
  expect(cell.throughputRequestsPerSecond).toBeLessThan(0.6 * cell.base.throughputRequestsPerSecond);
  // A run's end drops the requests that are under way: one of each user at most.
  for (const [server, counted] of [
    [base, cell.base.requests],
    [head, cell.requests],
  ] as const) {
    expect(counted).toBeLessThanOrEqual(server.asked());
    expect(counted).toBeGreaterThanOrEqual(server.asked() - users * cell.replicates);
  }
  const markdown = await readFile(join(results, "report.md"), "utf8");
  expect(markdown).toContain("8 Locust users for 4 s");
  expect(markdown).toContain("Locust 2.47.0");
});
