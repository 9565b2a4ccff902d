import { access, chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { ownMark } from "../../../src/adapters/process/index.ts";
import { findFreePort } from "../../../src/adapters/server/index.ts";
import {
  hasProgram,
  prepareServices,
  searchPath,
  startService,
  withSidePrograms,
} from "../../../src/adapters/services/index.ts";
import { runningServer } from "../../../src/measure/preparation/index.ts";
import type { Service, ServiceProgram } from "../../../src/model/workload/service.ts";
import { servicePresets } from "../../../src/model/workload/service-presets.ts";

let folder: string;
let bin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-services-"));
});
beforeEach(async () => {
  bin = await mkdtemp(join(folder, "bin-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const optionsOf = (signal = never) => ({
  appFolder: folder,
  workFolder: join(folder, "work"),
  path: `${bin}${delimiter}${searchPath("")}`,
  logPath: join(bin, "service.log"),
  cpus: undefined,
  signal,
  freePort: findFreePort,
});

const listening = `require("node:net").createServer((s) => s.on("error", () => {}).write("hello")).listen(+process.argv[1], "127.0.0.1")`;

/** A service that is one line of Node. */
const scripted = (code: string, more: Partial<Service> = {}): Service => ({
  name: "mine",
  programs: [{ program: process.execPath, args: ["-e", code, "{port}", "{folder}"] }],
  address: { url: "x://{host}:{port}" },
  appVariables: { ADDRESS: "{url}" },
  ready: { kind: "tcp" },
  readyWithinSeconds: 20,
  ...more,
});

const preset = (name: string): Service => {
  const found = servicePresets[name];
  if (found === undefined) throw new Error(`no preset ${name}`);
  return { name, ...found };
};

/** What a server at that address says first, after a line. */
const said = async (address: string, line: string): Promise<string> =>
  await new Promise((resolve, reject) => {
    const socket = createConnection(Number(address.split(":").at(-1)?.split("/")[0]), "127.0.0.1");
    socket.once("error", reject);
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.write(line);
  });

describe("a service", () => {
  test("is ready when it is there, with its address for the app, and gone afterwards with its data", async () => {
    const code = `require("node:fs").writeFileSync(process.argv[2] + "/data", ""); ${listening}`;
    let address = "";
    {
      await using service = await startService(scripted(code), optionsOf());
      address = service.variables["ADDRESS"] ?? "";
      expect(await said(address, "")).toBe("hello");
      expect(service.ended()).toBeUndefined();
    }
    await expect(said(address, "")).rejects.toThrow("ECONNREFUSED");
    expect(await readdir(join(folder, "work"))).toEqual([]);
  });

  test.for<readonly [what: string, ready: Service["ready"], code: string]>([
    ["a reply", { kind: "reply", send: "", expect: "hel" }, listening],
    [
      "a reply to what is sent",
      { kind: "reply", send: "a\0", expect: "b" },
      `require("node:net").createServer((s) => s.on("error", () => {}).on("data", (d) => s.write(d.length === 2 ? "b" : "c"))).listen(+process.argv[1], "127.0.0.1")`,
    ],
    [
      "a page that comes after others",
      { kind: "http", path: "/health" },
      `let n = 0; require("node:http").createServer((q, r) => { r.statusCode = q.url === "/health" && n++ > 2 ? 204 : 503; r.end(); }).listen(+process.argv[1], "127.0.0.1")`,
    ],
  ])("is ready by %s", async ([, ready, code]) => {
    await using service = await startService(scripted(code, { ready }), optionsOf());
    expect(service.ended()).toBeUndefined();
  });

  test.for<readonly [what: string, code: string, more: Partial<Service>, message: string, logTail: string]>([
    [
      "ends",
      "console.log('no memory'); process.exit(4)",
      {},
      "services.mine ended with code 4 while it started",
      "no memory",
    ],
    [
      "never listens",
      "console.log('thinking'); setInterval(() => {}, 1000)",
      { readyWithinSeconds: 0.5 },
      "services.mine was not ready within 0.5 s; ready-timeout sets the limit",
      "",
    ],
    [
      "says something else",
      listening,
      { readyWithinSeconds: 1, ready: { kind: "reply", send: "", expect: "+PONG" } },
      "services.mine was not ready within 1 s; ready-timeout sets the limit",
      "",
    ],
    [
      "closes each connection, as docker does for a container that does not listen",
      `require("node:net").createServer((s) => s.destroy()).listen(+process.argv[1], "127.0.0.1")`,
      { readyWithinSeconds: 1 },
      "services.mine was not ready within 1 s; ready-timeout sets the limit",
      "",
    ],
  ])(
    "that %s is told, with its last words, and nothing is left",
    async ([, code, more, message, logTail]) => {
      const failure = await startService(scripted(code, more), optionsOf()).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        phase: "start app",
        message,
        logTail: expect.stringContaining(logTail),
      });
      expect(await readdir(join(folder, "work"))).toEqual([]);
    },
  );

  test("whose data folder cannot be made is told", async () => {
    const program: ServiceProgram = {
      program: process.execPath,
      args: [],
      setup: [process.execPath, "-e", "console.log('disk full'); process.exit(3)"],
    };
    const failure = await startService(scripted("", { programs: [program] }), optionsOf()).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      message: `services.mine: ${process.execPath} ended with code 3`,
      logTail: expect.stringContaining("disk full"),
    });
  });

  test("whose data folder no program here can make is a mistake of the machine's set-up", async () => {
    const program: ServiceProgram = { program: process.execPath, args: [], setup: ["no-such-install-db"] };
    const service = { ...scripted("", { programs: [program] }), debianPackage: "a-server" };
    await expect(startService(service, optionsOf())).rejects.toThrow(
      `services.mine: ${process.execPath} was found, but no-such-install-db, which creates its data folder, is not on PATH; install it, e.g. sudo apt-get install --yes a-server`,
    );
    const both = [service, { programs: [{ ...program, setup: ["true"] as const }] }];
    expect(await Promise.all(both.map(hasProgram))).toEqual([false, true]);
  });

  test("can be cancelled while it starts", async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(new Error("cancelled by the user")), 300);
    const service = scripted("setInterval(() => {}, 1000)");
    await expect(startService(service, optionsOf(cancel.signal))).rejects.toThrow("cancelled by the user");
  });

  test("takes a daemon that it started with it", async () => {
    const daemon = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" })`;
    const code = `const child = ${daemon}; child.unref(); console.log(child.pid); ${listening}`;
    const service = await startService(scripted(code), optionsOf());
    const pid = Number((await readFile(join(bin, "service.log"), "utf8")).trim());
    expect(pid).toBeGreaterThan(1);
    await service[Symbol.asyncDispose]();
    const isGone = async () => (await access(`/proc/${pid}/cwd`).catch(() => "gone")) === "gone";
    await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
  });

  test("that ends while the app runs makes the app fail, in its words", async () => {
    const code = `${listening}; process.stdin.resume(); setTimeout(() => { console.log("too many keys"); process.exit(7); }, 1500)`;
    await using service = await startService(scripted(code), optionsOf());
    const server = withSidePrograms(runningServer("http://127.0.0.1:1"), [service]);
    expect(await server.failureNow()).toBeUndefined();
    expect(server.companionCpuSeconds?.()).toEqual({ mine: expect.any(Number) });
    const sentence = "service mine ended (code 7) while the app ran";
    expect(await server.failure).toBe(sentence);
    expect(await server.failureNow()).toBe(sentence);
    expect(server.logTail()).toContain("too many keys");
  });
});

const real: readonly (readonly [preset: string, line: string, answer: string])[] = [
  ["redis", "GET key\r\n", "$-1"],
  ["memcached", "version\r\n", "VERSION"],
  ["mariadb", "", ""],
  ["rabbitmq", "AMQP\0\0\u0009\u0001", "\u0001"],
];

describe("the real thing", () => {
  test.for(real)("%s: two of them are two", { timeout: 240_000 }, async ([name, line, answer], { skip }) => {
    const service = preset(name);
    skip(!(await hasProgram(service)), "is not on this machine");
    const wanted = { ...service, appVariables: { ADDRESS: "{host}:{port}" } };
    await using one = await startService(wanted, optionsOf());
    await using other = await startService(wanted, { ...optionsOf(), logPath: join(bin, "other.log") });
    const [first = "", second = ""] = [one, other].map(({ variables }) => variables["ADDRESS"]);
    expect(first).not.toBe(second);
    if (name === "redis") expect(await said(first, "SET key value\r\n")).toContain("+OK");
    expect((await said(second, line)).startsWith(answer)).toBe(true);
  });
});

/** A program of that name before all others. */
async function install(name: string, code: string): Promise<void> {
  await writeFile(join(bin, name), `#!${process.execPath}\n${code}\n`);
  await chmod(join(bin, name), 0o755);
}

/** Docker's words are kept; `run` listens on the port that it is to publish. */
const docker = (inspect: number, pull: number) => `
const [verb, ...rest] = process.argv.slice(2);
require("node:fs").appendFileSync(${JSON.stringify(join(bin, "said"))}, JSON.stringify([verb, ...rest]) + "\\n");
if (verb === "ps") console.log(process.env.DOCKER_HOST ?? "");
if (verb === "image") process.exit(${inspect});
if (verb === "pull") { console.log("manifest unknown"); process.exit(${pull}); }
if (verb === "run") {
  const port = rest[rest.indexOf("--publish") + 1].split(":")[1];
  require("node:net").createServer((s) => s.on("error", () => {}).write("220 here")).listen(+port, "127.0.0.1");
}
`;
const wordsOfDocker = async () =>
  (await readFile(join(bin, "said"), "utf8"))
    .trim()
    .split("\n")
    .map((line): string[] => JSON.parse(line));

describe("without its program", () => {
  const mailpit = { ...preset("mailpit"), programs: [{ program: "no-such-program", args: [] }] };
  const onlyHere = () => ({ ...optionsOf(), path: bin });
  const prepare = (services: readonly Service[]) =>
    prepareServices(
      services,
      { path: bin, appFolder: folder },
      { logPath: join(bin, "log"), signal: never, onStep: () => undefined },
    );

  // There is no docker where this is tested: what it is told is all that can be seen.
  test("a container is run, and removed", async () => {
    await install("docker", docker(0, 0));
    await prepare([mailpit]);
    const service = await startService(mailpit, onlyHere());
    const port = service.variables["SMTP_PORT"];
    // Its CPU time is the container's, which nobody sees here.
    expect(withSidePrograms(runningServer(""), [service]).companionCpuSeconds?.()).toBeUndefined();
    await service[Symbol.asyncDispose]();
    const [listed, inspected, ran, removed] = await wordsOfDocker();
    expect(listed?.slice(0, 4)).toEqual(["ps", "--all", "--filter", "label=fastapi-loadtest.owner"]);
    expect(inspected).toEqual(["image", "inspect", "--format", "{{.Id}}", mailpit.image?.image]);
    expect(ran).toEqual([
      ...["run", "--rm", "--label", `fastapi-loadtest.owner=${ownMark()}`],
      ...["--name", expect.stringMatching(/^loadtest-mailpit-[0-9a-f]{12}$/)],
      ...[
        "--publish",
        `127.0.0.1:${port}:1025`,
        "--publish",
        expect.stringMatching(/^127\.0\.0\.1:\d+:8025$/),
      ],
      mailpit.image?.image,
    ]);
    expect(removed).toEqual(["rm", "--force", "--volumes", ran?.[5]]);
  });

  test("variables, CPUs and arguments are handed on", async () => {
    await install("docker", docker(0, 0));
    const image = { image: "x:1", port: 80, args: ["--quiet"], variables: { A: "b c" } };
    const wanted = scripted("", { programs: [], image, ready: { kind: "reply", send: "", expect: "220" } });
    const service = await startService(wanted, { ...onlyHere(), cpus: "0-1" });
    await service[Symbol.asyncDispose]();
    const words = (await wordsOfDocker())[0]?.slice(8);
    expect(words).toEqual(["--cpuset-cpus", "0-1", "--env", "A=b c", "x:1", "--quiet"]);
  });

  test.for(["docker", "podman"])(
    "what a killed run left is removed by %s, and nothing else",
    async (engine) => {
      await install(engine, docker(0, 0));
      const [machine] = ownMark().split("/");
      const listed = [
        `aaaaaaaaaaaa ${machine}/4194304.1`,
        `bbbbbbbbbbbb ${ownMark()}`,
        `cccccccccccc another-machine/4194304.1`,
        `dddddddddddd ${machine}/--all`,
        `--all ${machine}/4194304.1`,
      ].join("\n");
      vi.stubEnv("DOCKER_HOST", listed);
      await prepare([mailpit]);
      vi.unstubAllEnvs();
      await rm(join(bin, engine));
      const removed = (await wordsOfDocker()).filter(([verb]) => verb === "rm");
      expect(removed).toEqual([["rm", "--force", "--volumes", "aaaaaaaaaaaa"]]);
    },
  );

  test("a program of the app's own folder is found there", async () => {
    const relative = { ...scripted(""), programs: [{ program: "./rel.sh", args: [] }] };
    await expect(prepare([relative])).rejects.toMatchObject({
      problems: ["services.mine: there is no program ./rel.sh; a path begins at the app's folder"],
    });
    await writeFile(join(folder, "rel.sh"), "#!/bin/sh\n", { mode: 0o755 });
    await prepare([relative]);
  });

  test("an image is fetched where it is not there", async () => {
    await install("docker", docker(1, 0));
    await prepare([mailpit]);
    expect((await wordsOfDocker()).at(-1)).toEqual(["pull", "--quiet", mailpit.image?.image]);
  });

  test("an image that cannot be had is told, in docker's words", async () => {
    await install("docker", docker(1, 1));
    await expect(prepare([mailpit])).rejects.toMatchObject({
      message: `services.mailpit: the image ${mailpit.image?.image} could not be pulled (docker pull ended with code 1); check its name and that docker is running, or put no-such-program on PATH`,
      logTail: expect.stringContaining("manifest unknown"),
    });
  });

  test("without docker all are told, each with its remedies", async () => {
    const image = { image: "x:1", port: 80, args: [], variables: {} };
    await expect(
      prepare(
        [
          preset("redis"),
          mailpit,
          { ...scripted(""), programs: [], image },
          { ...mailpit, image: undefined },
        ].map(withoutUndefined),
      ),
    ).rejects.toMatchObject({
      problems: [
        "services.redis: neither redis-server nor valkey-server is on PATH, and neither is docker; install one of them first, e.g. sudo apt-get install --yes redis-server",
        "services.mailpit: no-such-program is not on PATH, and neither is docker; install one of them first",
        "services.mine: the image x:1 needs docker or podman, but neither is on PATH; install one, or set a command",
        "services.mailpit: no-such-program is not on PATH or in the app's environment; install it first, or set an image",
      ],
    });
  });
});

function withoutUndefined({
  image,
  ...service
}: Omit<Service, "image"> & { image?: Service["image"] | undefined }): Service {
  return image === undefined ? service : { ...service, image };
}
