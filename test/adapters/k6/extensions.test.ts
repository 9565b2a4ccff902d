import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findK6 } from "../../../src/adapters/k6/k6-program.ts";
import { runScript } from "../../../src/adapters/k6/user-script.ts";
import { type K6Bench, never, openK6, serving, toolsFolder } from "./k6-fixture.ts";

let bench: K6Bench;
beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

const scripts = {
  "an import": 'import sql from "k6/x/sql";\nexport default () => sql.open("x");\n',
  "a directive":
    '"use k6 with k6/x/sql";\nimport sql from "k6/x/sql";\nexport default () => sql.open("x");\n',
  "a require": 'const sql = require("k6/x/sql");\nexports.default = () => sql.open("x");\n',
} as const;

test.for(Object.entries(scripts))(
  "a script that asks for an extension by %s is told, and no other k6 is fetched",
  { timeout: 60_000 },
  async ([name, text]) => {
    const { folder } = bench;
    // Stands where k6 would ask for a k6 with that extension.
    await using builder = await serving((_, response) => {
      response.statusCode = 500;
      response.end("{}");
    });
    const scriptPath = join(folder, `${name.replaceAll(" ", "-")}.js`);
    await writeFile(scriptPath, text);
    const asking = join(folder, "k6-that-would-ask");
    const cache = join(folder, "cache");
    const variables = `K6_BUILD_SERVICE_URL='${builder.baseUrl}' XDG_CACHE_HOME='${cache}'`;
    await writeFile(asking, `#!/bin/sh\n${variables} exec '${bench.k6.path}' "$@"\n`, { mode: 0o755 });
    const k6 = await findK6({
      path: asking,
      toolsFolder,
      logPath: join(folder, "asking.log"),
      signal: never,
    });

    const target = { arm: "head", baseUrl: "http://127.0.0.1:1" } as const;
    const running = runScript(
      k6,
      { targets: [target], name: "x", cpus: undefined },
      { scriptPath, folder, signal: never, warn: () => undefined },
    );
    await expect(running).rejects.toThrow(
      `the script ${scriptPath} imports k6/x/sql, which this k6 does not have; build a k6 that has it with xk6, and set LOADTEST_K6 to its path`,
    );
    expect(builder.seen).toEqual([]);
    expect(await readdir(folder)).not.toContain("cache");

    if (name === "a require") return; // k6 alone asks nobody then
    // The same script, run as k6 would by itself: that there is nothing to see above is no want of looking.
    await promisify(execFile)(asking, ["run", scriptPath], { env: { HOME: folder } }).catch(() => undefined);
    expect(builder.seen).not.toEqual([]);
  },
);

test.for([
  [
    "in its text",
    'import a from "https://modules.invalid/a.js";\n',
    /imports https:\/\/modules\.invalid\/a\.js, which nobody/,
  ],
  ["put together", 'const a = require("https:" + "//modules.invalid/a.js");\n', /the script/],
] as const)("T42: a module of another host is not loaded, its address %s", async ([name, text, words]) => {
  const scriptPath = join(bench.folder, `remote-${name.replaceAll(" ", "-")}.js`);
  await writeFile(scriptPath, `${text}export default () => a();\n`);
  const target = { arm: "head", baseUrl: "http://127.0.0.1:1" } as const;
  const running = runScript(
    bench.k6,
    { targets: [target], name: "x", cpus: undefined },
    { scriptPath, folder: bench.folder, signal: never, warn: () => undefined },
  );
  const error: unknown = await running.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "EnvironmentError", message: expect.stringMatching(words) });
  // Nobody was asked where that host is.
  if (name === "put together")
    expect(error).toMatchObject({ logTail: expect.stringMatching(/proxyconnect.*127\.0\.0\.1:1/s) });
});
