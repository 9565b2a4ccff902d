import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";

import { startAppServer } from "../../../src/adapters/server/app-server.ts";
import { findFreePort } from "../../../src/adapters/server/listening-sockets.ts";
import type { EnvironmentError } from "../../../src/errors/errors.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "failed-start-"));
  return () => rm(folder, { recursive: true, force: true });
});

const traceback = (raised: string) =>
  `Traceback (most recent call last):\n  File "/srv/main.py", line 3, in start\n    go()\n${raised}\n`;

/** What is said of a server that runs a line of JavaScript and ends, with files next to it. */
async function failure(
  script: string,
  files: Readonly<Record<string, string>> = {},
): Promise<EnvironmentError> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const command = {
    ...{ argv: [process.execPath, "-e", script] as const, folder, readyPath: "/", readyWithinSeconds: 20 },
    ...{ baseUrl: `http://127.0.0.1:${await findFreePort()}`, cpus: undefined },
    variables: { DATABASE_URL: "postgresql://a:secret-word@127.0.0.1:41000/x" },
  };
  const options = { logPath: join(folder, "ours.out"), signal: new AbortController().signal };
  return await startAppServer(command, options).then(
    () => expect.fail("it started"),
    (error: EnvironmentError) => error,
  );
}

const printing = (text: string) => `console.error(${JSON.stringify(text)}); process.exit(3)`;
const ended = "(server exited (code 3) before it became ready)";

test.for<readonly [what: string, script: string, files: Readonly<Record<string, string>>, message: string]>([
  ["its own log", printing(traceback("KeyError: 'GATE'")), {}, `KeyError: 'GATE' ${ended}`],
  [
    "a traceback before a long end",
    printing(`${traceback("struct.error: 4 bytes")}${"INFO: leaving\n".repeat(1_000)}`),
    {},
    `struct.error: 4 bytes ${ended}`,
  ],
  [
    "a log that it writes itself",
    `const fs = require("fs"); fs.mkdirSync("logs"); fs.writeFileSync("logs/app.log", ${JSON.stringify(traceback("ValueError: no gate, secret-word"))}); process.exit(3)`,
    { "logs-of-yesterday.txt": "" },
    `ValueError: no gate, ***, in logs/app.log ${ended}`,
  ],
  [
    "a file that overrules a variable",
    printing(traceback("socket.gaierror: [Errno -2] Name or service not known")),
    {
      ".env": "DATABASE_URL=postgresql://u:hidden-word@db:5432/x\n",
      ".venv/.env": "DATABASE_URL=postgresql://no/x",
    },
    `socket.gaierror: [Errno -2] Name or service not known; .env sets DATABASE_URL to db:5432, and the app uses that instead of the DATABASE_URL of this run; let existing variables take precedence, e.g. load_dotenv(override=False) ${ended}`,
  ],
  [
    "a line of code that names a server",
    printing(
      traceback(
        "redis.exceptions.ConnectionError: Error -2 connecting to redis:6379. No address associated.",
      ),
    ),
    { "app/cache.py": 'import redis\nclient = redis.from_url("redis://redis:6379/1")\n' },
    `redis.exceptions.ConnectionError: Error -2 connecting to redis:6379. No address associated.; app/cache.py:2 names redis:6379: let an environment variable set it, and give that in \`app-env\` or \`services\` ${ended}`,
  ],
  [
    "nothing",
    "process.exit(3)",
    { "old.txt": "KeyError: old" },
    `server exited (code 3) before it became ready`,
  ],
])("a failed start is explained by %s", async ([what, script, files, message]) => {
  const error = await failure(script, what === "nothing" ? {} : files);
  expect(error.message).toBe(message);
  expect(error.logTail).not.toContain("secret-word");
});

test("a log that was there before is not its own", async () => {
  await writeFile(join(folder, "old.log"), traceback("ValueError: old"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await failure("process.exit(3)")).message).toBe("server exited (code 3) before it became ready");
});
