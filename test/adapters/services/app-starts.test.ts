import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

import {
  findFreePort,
  printedBy,
  runAppCommand,
  startAppServer,
} from "../../../src/adapters/server/index.ts";
import { appStarts } from "../../../src/adapters/services/index.ts";
import type { Companion, Service } from "../../../src/model/workload/service.ts";
import type { ServerCommand } from "../../../src/ports/app.ts";
import type { ProgressEvent } from "../../../src/ports/progress.ts";

const folders: string[] = [];
let folder: string;
let events: ProgressEvent[] = [];
let hidden: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-starts-"));
  folders.push(folder);
  [events, hidden] = [[], []];
});
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true, force: true });
});

const environment = { binFolder: "/env/bin", interpreter: "python3", version: "", packages: {} };
const node = `'${process.execPath}'`;
const forever = "setInterval(() => {}, 1000)";

function starts() {
  return appStarts({
    workFolder: folder,
    logFolder: join(folder, "logs"),
    stubServer: "",
    signal: new AbortController().signal,
    progress: (event) => events.push(event),
    servers: { findFreePort, startAppServer, runAppCommand, printedBy },
    hideInFile: async (path) => void hidden.push(path.slice(folder.length + "/logs/".length)),
  });
}

/** Listens, and writes to `ends` when it is told to end. */
const service = (more: Partial<Service> = {}): Service => ({
  name: "store",
  programs: [
    {
      program: process.execPath,
      args: ["-e", `require("node:net").createServer().listen(+process.argv[1], "127.0.0.1")`, "{port}"],
    },
  ],
  address: { url: "x://{host}:{port}" },
  appVariables: { STORE: "{url}" },
  ready: { kind: "tcp" },
  readyWithinSeconds: 20,
  ...more,
});
const companion = (code: string, more: Partial<Companion> = {}): Companion => ({
  name: "worker",
  command: `${node} -e "${code}"`,
  variables: {},
  ...more,
});

async function command(more: Partial<ServerCommand> = {}): Promise<ServerCommand> {
  const port = await findFreePort();
  const code = `require("node:http").createServer((_, r) => r.end(JSON.stringify(process.env))).listen(${port}, "127.0.0.1")`;
  return {
    argv: [process.execPath, "-e", code],
    folder,
    variables: { OWN: "1" },
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: "/",
    readyWithinSeconds: 20,
    cpus: undefined,
    ...more,
  };
}

const answer = async (url: string) =>
  (await (await fetch(url, { headers: { connection: "close" } })).json()) as Record<string, string>;
const leftServices = async () => await readdir(join(folder, "services")).catch(() => []);

describe("an app", () => {
  test("finds its services, which are filled first, and so do its companions and commands", async () => {
    const seed = [`${node} -e "console.log('filled', process.env.STORE, process.env.OWN)"`];
    const wanted = { services: [service({ seed })], cpus: undefined };
    const code = `console.log(process.env.STORE, process.env.PATH.split(':')[0]); ${forever}`;
    const companions = {
      companions: [companion(code, { readyText: "/env/bin" })],
      variables: {},
      cpus: undefined,
    };
    const asked = await command({ wanted, companions });
    let address = "";
    {
      await using app = await starts().startApp(asked, environment, "head");
      const variables = await answer(asked.baseUrl);
      address = variables["STORE"] ?? "";
      expect(address).toMatch(/^x:\/\/127\.0\.0\.1:\d+$/);
      expect(variables["PATH"]).toMatch(/^\/env\/bin:/);
      expect(await readFile(join(folder, "logs/head-store-seed.log"), "utf8")).toBe(`filled ${address} 1\n`);
      expect(await readFile(join(folder, "logs/head-worker.log"), "utf8")).toBe(`${address} /env/bin\n`);
      const text = `${node} -p process.env.STORE`;
      expect(await app.printed?.({ input: "login: command", text, values: {} })).toBe(`${address}\n`);
      expect(await app.failureNow()).toBeUndefined();
    }
    await expect(fetch(asked.baseUrl)).rejects.toThrow("fetch failed");
    expect(await leftServices()).toEqual([]);
    expect(hidden).toEqual(["head.log", "head-login.log", "head-worker.log"]);
  });

  test("whose companion ends has failed", async () => {
    const ending = companion("setTimeout(() => process.exit(3), 1500)");
    const asked = await command({ companions: { companions: [ending], variables: {}, cpus: undefined } });
    await using app = await starts().startApp(asked, environment, "head");
    expect(await app.failure).toBe("process worker ended (code 3) while the app ran");
  });

  test.for<
    readonly [what: string, services: readonly Service[], companions: readonly Companion[], error: RegExp]
  >([
    [
      "one of its services",
      [service(), service({ name: "other", readyWithinSeconds: 0.3, ready: { kind: "http", path: "/" } })],
      [],
      /^services\.other was not ready within 0\.3 s/,
    ],
    [
      "the commands that fill one",
      [service({ seed: [`${node} -e "process.exit(4)"`] })],
      [],
      /^services\.store\.seed ".+" ended with code 4$/,
    ],
    [
      "a companion that is not there",
      [service()],
      [companion("", { command: "/no/such" })],
      /could not be started/,
    ],
    [
      "a companion that never works",
      [service()],
      [companion("process.exit(5)", { readyText: "ready" })],
      /^processes\.worker ended with code 5 while it started$/,
    ],
  ])("that lacks %s does not start, and nothing is left", async ([, services, companions, error]) => {
    const asked = await command({
      wanted: { services, cpus: undefined },
      companions: { companions, variables: {}, cpus: undefined },
    });
    await expect(starts().startApp(asked, environment, "head")).rejects.toThrow(error);
    expect(await leftServices()).toEqual([]);
    await expect(fetch(asked.baseUrl)).rejects.toThrow("fetch failed");
  });

  test("that does not start itself leaves none of its services", async () => {
    const wanted = { services: [service()], cpus: undefined };
    const asked = await command({ wanted, argv: [process.execPath, "-e", "process.exit(6)"] });
    await expect(starts().startApp(asked, environment, "head")).rejects.toThrow(/code 6/);
    expect(await leftServices()).toEqual([]);
  });
});

test("a command has services of its own, which end with it", async () => {
  const text = `${node} -e "console.log(process.env.STORE)"`;
  const asked = { input: "migrate-command", text, folder, variables: {} };
  const wanted = { services: [service()], cpus: undefined };
  await starts().runCommand({ ...asked, wanted }, environment, "migrate");
  expect(await readFile(join(folder, "logs/migrate.log"), "utf8")).toMatch(/^x:\/\/127\.0\.0\.1:\d+\n$/);
  expect(await leftServices()).toEqual([]);
});
