import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Service } from "../../src/model/workload/service.ts";
import type { AppPorts, ServerCommand } from "../../src/ports/app.ts";
import { appPorts } from "../../src/wiring/measure.ts";

let folder = "";
let ports: AppPorts;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "companions-test-"));
  ports = appPorts({
    workFolder: join(folder, "work"),
    logFolder: join(folder, "logs"),
    signal: new AbortController().signal,
    progress: () => undefined,
    hideInFile: async () => undefined,
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const python = { binFolder: "/nowhere", interpreter: "python3", version: "3.11", packages: {} };
const node = (code: string, ...args: string[]) => [process.execPath, "-e", code, ...args] as const;

/** A store of one text: what is sent stays, and the last one is answered. */
const store: Service = {
  name: "store",
  programs: [
    {
      program: process.execPath,
      args: [
        "-e",
        `let kept = ""; require("node:http").createServer((q, r) => { if (q.url !== "/") kept += q.url; r.end(kept || "nothing"); }).listen(+process.argv[1], "127.0.0.1")`,
        "{port}",
      ],
    },
  ],
  address: { url: "http://{host}:{port}" },
  appVariables: { STORE: "{url}" },
  ready: { kind: "http", path: "/" },
  readyWithinSeconds: 20,
};

/** An app whose page is what its store holds. */
const app = `require("node:http").createServer(async (q, r) => r.end(await (await fetch(process.env.STORE)).text())).listen(+process.argv[1], "127.0.0.1")`;
const worker = `fetch(process.env.STORE + '/' + process.env.WHO).then(() => console.log('wrote')); setInterval(() => {}, 1000)`;

async function commandOf(who: string, more: Partial<ServerCommand> = {}): Promise<ServerCommand> {
  const port = await ports.freePort();
  const variables = { WHO: who };
  return {
    argv: node(app, String(port)),
    folder,
    variables,
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: "/",
    readyWithinSeconds: 30,
    cpus: undefined,
    wanted: { services: [store], cpus: undefined },
    companions: {
      companions: [
        {
          name: "worker",
          command: `'${process.execPath}' -e "${worker}"`,
          variables: {},
          readyText: "wrote",
        },
      ],
      variables,
      cpus: undefined,
    },
    ...more,
  };
}

const pageOf = async (baseUrl: string) => (await fetch(baseUrl)).text();

test("each server has a store and a worker of its own, and nothing stays", async () => {
  {
    await using base = await ports.startApp(await commandOf("base"), python, "a-base");
    await using head = await ports.startApp(await commandOf("head"), python, "a-head");
    expect([await pageOf(base.baseUrl), await pageOf(head.baseUrl)]).toEqual(["/base", "/head"]);
    expect(Object.keys(base.companionCpuSeconds?.() ?? {})).toEqual(["store", "worker"]);
    expect(await readdir(join(folder, "work", "services"))).toHaveLength(2);
  }
  expect(await readdir(join(folder, "work", "services"))).toEqual([]);
  const logs = await readdir(join(folder, "logs"));
  expect(logs.filter((name) => name.startsWith("a-base")).toSorted()).toEqual([
    "a-base-store.log",
    "a-base-worker.log",
    "a-base.log",
  ]);
});

test("what an app writes about its failure right after the answer is in its log", async () => {
  const failing = `require("node:http").createServer((q, r) => { r.statusCode = q.url === "/" ? 200 : 500; r.end(); if (q.url !== "/") setTimeout(() => console.log("ValueError: why"), 10); }).listen(+process.argv[1], "127.0.0.1")`;
  const { wanted: _, companions: __, ...plain } = await commandOf("head");
  const port = new URL(plain.baseUrl).port;
  await using server = await ports.startApp({ ...plain, argv: node(failing, port) }, python, "w");
  const request = { url: `${server.baseUrl}/fails`, method: "GET", headers: {}, body: undefined };
  expect(await ports.sendRequest({ ...request, withinSeconds: 5 })).toMatchObject({ status: 500 });
  expect(server.logTail()).toContain("ValueError: why");
});

const filling = (code: string): Partial<ServerCommand> => ({
  wanted: { services: [{ ...store, seed: [`'${process.execPath}' -e "${code}"`] }], cpus: undefined },
});

test("a store is filled by the app's commands before the app starts", async () => {
  const filled = filling("fetch(process.env.STORE + '/rows-of-' + process.env.WHO)");
  await using base = await ports.startApp(await commandOf("base", filled), python, "f-base");
  await using head = await ports.startApp(await commandOf("head", filled), python, "f-head");
  expect([await pageOf(base.baseUrl), await pageOf(head.baseUrl)]).toEqual([
    "/rows-of-base/base",
    "/rows-of-head/head",
  ]);
});

test.for<readonly [what: string, more: Partial<ServerCommand>, message: string | RegExp]>([
  [
    "a service",
    {
      wanted: {
        services: [
          store,
          {
            ...store,
            name: "other",
            programs: [{ program: process.execPath, args: ["-e", "process.exit(3)"] }],
          },
        ],
        cpus: undefined,
      },
    },
    "services.other ended with code 3",
  ],
  [
    "a process",
    {
      companions: {
        companions: [{ name: "worker", command: "false", variables: {}, readyText: "x" }],
        variables: {},
        cpus: undefined,
      },
    },
    "processes.worker ended with code 1",
  ],
  ["its filling", filling("process.exit(5)"), /^services\.store\.seed ".*" ended with code 5/],
  ["the server", { argv: node("process.exit(4)") }, "server exited"],
])("what runs beside it ends when %s does not start", async ([, more, message]) => {
  await expect(ports.startApp(await commandOf("base", more), python, "b")).rejects.toThrow(message);
  expect(await readdir(join(folder, "work", "services"))).toEqual([]);
});

test("a command that prints a token finds what the server has", async () => {
  await using base = await ports.startApp(await commandOf("base"), python, "t-base");
  await using head = await ports.startApp(await commandOf("head"), python, "t-head");
  const text = `'${process.execPath}' -e "fetch(process.env.STORE).then((r) => r.text()).then(console.log)"`;
  const ask = { input: "login (l.yml:1:1): command", text, values: {} };
  expect([await base.printed?.(ask), await head.printed?.(ask)]).toEqual(["/base\n", "/head\n"]);
});

test("a command gets a service of its own, too", async () => {
  const command = {
    input: "seed-command",
    text: `'${process.execPath}' -e "fetch(process.env.STORE).then((r) => r.text()).then(console.log)"`,
    folder,
    variables: {},
    wanted: { services: [store], cpus: undefined },
  };
  await ports.runCommand(command, python, "seed");
  expect(await readFile(join(folder, "logs", "seed.log"), "utf8")).toBe("nothing\n");
  expect(await readdir(join(folder, "work", "services"))).toEqual([]);
});
