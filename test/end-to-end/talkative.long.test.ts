import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { root } from "./act.ts";

vi.setConfig({ testTimeout: 600_000 });

const run = promisify(execFile);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "talkative-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const configuration = `app: main:app
install: requirements.txt
database: none
workers: 1
vus: 4
ready-path: /docs
only-affected: false
diagnose: never
max-minutes: 2
soak: 0s
stubs:
  prices:
    app-env: { PRICES_URL: "{url}" }
    routes: [{ path: /prices/*, delay: 5ms, body: { price: 100 } }]
endpoints:
  - /events
  - /price
  - { method: WS, path: /chat, body: hello, expect: { contains: done } }
`;

test("a stream, a WebSocket and a service outside are compared", async () => {
  const app = join(folder, "app");
  await cp(join(root, "test/end-to-end/talkative"), app, { recursive: true });
  await writeFile(join(app, "requirements.txt"), "fastapi==0.165.0\nuvicorn[standard]\n");
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: app });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "main.py", "pace.py", "requirements.txt");
  await git("commit", "--quiet", "--message=base");
  await cp(join(app, "pace.head.py"), join(app, "pace.py"));
  await git("commit", "--quiet", "--all", "--message=head");
  await mkdir(join(app, ".github"), { recursive: true });
  await writeFile(join(app, ".github", "loadtest.yml"), configuration);
  const results = join(folder, "results");
  const options = { "results-directory": results, "base-ref": "HEAD~1", "fail-on": "never" };
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout } = await run("node", [join(root, "dist", "cli.js"), "run", ...argv], {
    cwd: app,
    env: { ...process.env, TMPDIR: folder },
  });
  const { cells } = JSON.parse(await readFile(join(results, "figures.json"), "utf8"));
  const [events, price, chat] = cells;
  // How soon it is certain is up to the machine; that the head answers less is not.
  for (const cell of [events, price, chat]) {
    expect(["slower", "inconclusive", "invalid"], stdout).toContain(cell.verdict);
    expect(cell.throughputRequestsPerSecond, stdout).toBeLessThan(
      0.9 * cell.base.throughputRequestsPerSecond,
    );
    expect(cell.failures).toBe(0);
  }
  expect(events.firstByteMs).toBeGreaterThan(0);
  expect(events.bytesPerSecond).toBeLessThan(events.base.bytesPerSecond);
  expect(chat.endpoint).toBe("WS /chat");
  expect(chat.p50Ms).toBeGreaterThan(chat.base.p50Ms + 10);
});
