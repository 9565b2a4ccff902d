import { execFile, spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./act.ts";

const run = promisify(execFile);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "floods-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Prints as fast as it can for as many seconds as it is told, and then what it is told. */
const flood = `import sys, time
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    sys.stdout.write("flood " * 20_000)
print(*sys.argv[2:], flush=True)
`;
const main = `import sys
import fastapi
from fastapi.responses import StreamingResponse

app = fastapi.FastAPI()

@app.get("/")
def home(): return {}

asked = 0

@app.get("/endless")
async def endless():
    global asked
    asked += 1
    if asked < 4: return {}  # those before the load
    async def reply():
        while True: yield b"x" * 1_000_000
    return StreamingResponse(reply())

@app.get("/talk")
def talk():
    sys.stdout.write("flood " * 2_000_000)
    return {}
`;
const service = `import http.server, sys, threading
def talk():
    while True: sys.stdout.write("flood " * 20_000)
threading.Thread(target=talk, daemon=True).start()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.BaseHTTPRequestHandler).serve_forever()
`;
const script = `import http from "k6/http";
export const options = { vus: 2, duration: "4s" };
export default () => {
  for (let line = 0; line < 2000; line++) console.log("flood ".repeat(2000));
  http.get(\`\${__ENV.BASE_URL}/\`);
};
`;

interface Flood {
  readonly what: string;
  /** Of the configuration file. */
  readonly settings: string;
  /** Exit statuses that say what happened. */
  readonly status: 0 | 2 | 3;
  /** Words of its end. */
  readonly words?: RegExp;
}

const floods: readonly Flood[] = [
  {
    what: "an installation",
    settings: "install-command: python3 flood.py 5",
    status: 2,
    words: /No module named .fastapi./,
  },
  {
    what: "a seed",
    settings:
      "database: sqlite\ndatabase-variable: DATABASE_URL\nseed-command: python3 flood.py 5\nendpoints: [/]",
    status: 0,
  },
  { what: "a login", settings: 'login: { command: "python3 flood.py 5 token" }\nendpoints: [/]', status: 3 },
  {
    what: "a service",
    settings: 'services: { talker: { command: "python3 service.py {port}" } }\nendpoints: [/]',
    status: 0,
  },
  { what: "the app", settings: "endpoints: [/talk]", status: 0 },
  { what: "a script's console", settings: "script: flood.js", status: 0 },
  {
    what: "a reply",
    settings: "vus: 64\nendpoints: [/endless]\nrequest-timeout: 20s",
    status: 0,
    words: /64 × timed out/,
  },
];

test.for(floods)(
  "what $what prints or sends without end is cut",
  { timeout: 300_000 },
  async ({ settings, status, words }) => {
    const app = join(folder, "app");
    await mkdir(join(app, ".github"), { recursive: true });
    const install = /^install/m.test(settings) ? "" : `install: ${join(root, ".tools", "target-app")}\n`;
    const database = /^database/m.test(settings) ? "" : "database: none\n";
    const common = `app: main:app\nworkers: 1\nready-path: /docs\nduration: 3s\nwarmup: 0s\ndiagnose: never\n`;
    const texts = { "main.py": main, "flood.py": flood, "service.py": service, "flood.js": script };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(app, name), text);
    await writeFile(join(app, ".github", "loadtest.yml"), `${common}${install}${database}${settings}\n`);
    await run("git", ["init", "--quiet"], { cwd: app });
    const results = join(folder, "results");
    const child = spawn(
      "node",
      [join(root, "dist/cli.js"), "run", "--base-ref", "none", "--results-directory", results],
      {
        cwd: app,
        env: { ...process.env, TMPDIR: folder, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") },
      },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const most = { diskBytes: 0, memoryBytes: 0 };
    const timer = setInterval(() => {
      most.diskBytes = Math.max(most.diskBytes, bytesBelow(folder));
      most.memoryBytes = Math.max(most.memoryBytes, memoryOfGenerators(folder));
    }, 50);
    const ended = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearInterval(timer);
    expect(ended, output).toBe(status);
    expect(output).toMatch(words ?? /./);
    expect(most.diskBytes - bytesBelow(results)).toBeLessThan(200e6);
    expect(most.memoryBytes).toBeLessThan(500e6);
  },
);

function bytesBelow(path: string): number {
  try {
    const about = lstatSync(path);
    if (!about.isDirectory()) return about.blocks * 512;
    return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
  } catch {
    return 0; // gone meanwhile
  }
}

/** Resident memory of the k6 that this run has started. */
function memoryOfGenerators(of: string): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return Math.max(
    0,
    ...pids.map((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        if (!/k6$/.test(words[0] ?? "") || !words.some((word) => word.includes(of))) return 0;
        return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
      } catch {
        return 0;
      }
    }),
  );
}
