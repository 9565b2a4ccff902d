import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findFreePort } from "../../../src/adapters/server/index.ts";
import { prepareServices, searchPath, startService } from "../../../src/adapters/services/index.ts";
import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-stubs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const written = `stubs:
  prices:
    app-env: { PRICES_URL: "{url}/v1" }
    routes:
      - { path: /v1/prices/*, delay: 80ms, body: { price: 100 } }
      - { path: /v1/prices, method: POST, status: 201, body: made, headers: { x-from: stub } }
      - { path: "/v1/a.b(c)" }
      - { path: "/v1/many/*a*a*a*a!" }
`;

test("a stub answers its routes after their delay, and tells what else it was asked for", async () => {
  const [stub] = parseConfigurationFile("loadtest.yml", "/", written).services ?? [];
  if (stub === undefined) throw new Error("no stub");
  const logPath = join(folder, "stub.log");
  await prepareServices(
    [stub],
    { path: "", appFolder: folder },
    { logPath, signal: never, onStep: () => undefined },
  );
  const warnings: string[] = [];
  const started = await startService(stub, {
    appFolder: folder,
    workFolder: join(folder, "work"),
    path: searchPath(""),
    logPath,
    cpus: undefined,
    signal: never,
    freePort: findFreePort,
    stubServer: new URL("../../../tools/stubs/server.mjs", import.meta.url).pathname,
    warn: (text) => warnings.push(text),
  });
  const url = started.variables["PRICES_URL"] ?? "";
  const asked = async (path: string, method = "GET") => {
    const reply = await fetch(url + path, { method, ...(method === "POST" && { body: "x".repeat(9_999) }) });
    return [reply.status, await reply.text()] as const;
  };
  const beganAt = performance.now();
  expect(await asked("/prices/7?currency=eur")).toEqual([200, '{"price":100}']);
  expect(performance.now() - beganAt).toBeGreaterThan(75);
  expect(await asked("/prices", "POST")).toEqual([201, "made"]);
  expect(await asked("/a.b(c)")).toEqual([200, ""]);
  expect(await asked("/many/xaaaa!")).toEqual([200, ""]);
  const many = `/many/${"a".repeat(10_000)}`;
  expect(await asked(many)).toEqual([501, expect.stringContaining("the stub has no GET")]);
  expect(await asked("/aXb(c)")).toEqual([501, "the stub has no GET /v1/aXb(c)\n"]);
  for (const _ of [1, 2]) expect((await asked("/prices"))[0]).toBe(501);
  await started[Symbol.asyncDispose]();
  expect(warnings).toEqual(
    [`GET ${`/v1${many}`.slice(0, 200)}`, "GET /v1/aXb(c)", "GET /v1/prices"].map(
      (route) => `stubs.prices: the app requested ${route}, which the stub does not have (501)`,
    ),
  );
});
