import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadLimited } from "../../src/adapters/forge/github/archive.ts";
import { createComments } from "../../src/adapters/forge/github/comments.ts";
import { createGitHubRun } from "../../src/adapters/forge/github/measured-run.ts";
import { createNotes } from "../../src/adapters/forge/gitlab/notes.ts";
import { generateLoad } from "../../src/adapters/k6/load-generator.ts";
import { runLocustFile } from "../../src/adapters/k6/locust-file.ts";
import { runScript } from "../../src/adapters/k6/user-script.ts";
import { startServer } from "../../src/adapters/postgres/server-start.ts";
import { openSession } from "../../src/adapters/postgres/session.ts";
import { readTail, runProcess, startProcess } from "../../src/adapters/process/child-process.ts";
import { startAppServer } from "../../src/adapters/server/app-server.ts";
import { findFreePort } from "../../src/adapters/server/listening-sockets.ts";
import { openProbe } from "../../src/adapters/server/probe.ts";
import { sendRequest } from "../../src/adapters/server/single-request.ts";
import { collectingGarbage } from "../collections.ts";
import { root } from "../contract/files.ts";

let folder: string;
/** By what they say to whoever connects; then they say nothing more, and never close. */
const servers = new Map<string, string>();
const sockets = new Set<Socket>();
const listening: ReturnType<typeof createServer>[] = [];
const replies = {
  silent: "",
  "half a reply": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n[",
  "half a head": "HTTP/1.1 200 OK\r\nContent-",
  "a switch of protocols": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
  "news of no end": "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
} as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waits-"));
  for (const script of ["script.js", "locustfile.py"]) await writeFile(join(folder, script), "");
  for (const [name, text] of Object.entries(replies)) {
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => undefined));
      socket.once("data", () => socket.write(text));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    servers.set(name, `127.0.0.1:${address.port}`);
    listening.push(server);
  }
  for (const name of ["postgres", "k6", "git"]) await idle(name);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of listening) server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A program that does not end by itself, and does not heed TERM. */
async function idle(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "#!/bin/sh\ntrap '' TERM INT\nwhile :; do sleep 1; done\n");
  await chmod(path, 0o755);
  return path;
}
const logPath = () => join(folder, "log");
const address = (name: keyof typeof replies) => servers.get(name) ?? "";
const github = (name: keyof typeof replies, signal: AbortSignal, timeoutMs = 60_000) => ({
  apiUrl: `http://${address(name)}`,
  token: "t",
  repository: { owner: "octo", name: "app" },
  signal,
  timeoutMs,
});
const request = (name: keyof typeof replies, withinSeconds: number) => ({
  url: `http://${address(name)}/`,
  method: "GET",
  headers: {},
  body: undefined,
  withinSeconds,
});
const target = { arm: "head", baseUrl: "http://127.0.0.1:1" } as const;
const load = { kind: "constant", virtualUsers: 1, durationSeconds: 60 } as const;

type Wait = (signal: AbortSignal) => Promise<unknown>;
type Reply = keyof typeof replies;
const all = ["silent", "half a reply", "half a head", "a switch of protocols", "news of no end"] as const;

/** A wait for each way in which a server can leave us waiting. */
function forEachReply(names: readonly Reply[], wait: (name: Reply, signal: AbortSignal) => Promise<unknown>) {
  return names.map((name): readonly [string, Wait] => [name, (signal) => wait(name, signal)]);
}

/**
 * Every file that waits for something outside: what is tried for it, or why its waits have an end. A file that begins to
 * wait fails the first test below until it stands here.
 */
const waits: Readonly<Record<string, readonly (readonly [string, Wait])[] | string>> = {
  "src/adapters/git/command.ts": "waits for git by runProcess, for a minute unless told",
  "src/adapters/forge/github/archive.ts": forEachReply(
    ["silent", "half a reply", "half a head"],
    (name, signal) =>
      downloadLimited(async () => `http://${address(name)}/`, {
        fetch,
        mostBytes: 1_000,
        timeoutMs: 60_000,
        signal,
        pause: () => Promise.resolve(),
      }),
  ),
  "src/adapters/forge/github/comments.ts": forEachReply(["silent"], (name, signal) =>
    createComments(github(name, signal)).listComments(1),
  ),
  "src/adapters/forge/github/measured-run.ts": forEachReply(
    ["silent", "half a reply"],
    async (name, signal) => {
      const answer = await createGitHubRun(github(name, signal)).readRun(1);
      if (answer.kind === "no answer") throw new Error("ended");
    },
  ),
  "src/adapters/forge/github/remarks.ts": "asks by client.ts",
  "src/adapters/forge/github/review.ts": "asks as requests.ts does",
  "src/adapters/forge/requests.ts": [
    ...forEachReply(all, (name, signal) => createComments(github(name, signal)).listComments(1)),
    ...forEachReply(all, (name, signal) =>
      createNotes({ projectId: 1, projectUrl: "" }, 1, github(name, signal)).findLogin(),
    ),
  ],
  "src/adapters/k6/k6-process.ts": [
    [
      "k6 that hangs",
      (signal) =>
        generateLoad(
          { path: join(folder, "k6"), version: "2.2.0" },
          {
            targets: [target],
            endpoint: { method: "GET", path: "/" },
            load,
            sliceMs: 50,
            seed: 1,
            name: "x",
          },
          { scriptPath: join(folder, "script.js"), folder, signal },
        ),
    ],
    [
      "a Python that hangs",
      (signal) =>
        runLocustFile(
          {
            targets: [target],
            endpoint: { script: "locustfile.py" },
            load: { kind: "script", locust: { users: 1, durationSeconds: 60 } },
            locust: { interpreter: join(folder, "k6"), folder },
            sliceMs: 50,
            seed: 1,
            name: "x",
          },
          {
            ...{ scriptPath: join(folder, "locustfile.py"), runnerPath: "runner.py", folder, signal },
            warn: () => undefined,
          },
        ),
    ],
  ],
  "src/adapters/k6/user-script.ts": [
    [
      "k6 that hangs",
      (signal) =>
        runScript(
          { path: join(folder, "k6"), version: "2.2.0" },
          { targets: [target], name: "x", cpus: undefined },
          { scriptPath: join(folder, "script.js"), folder, signal, warn: () => undefined },
        ),
    ],
  ],
  "src/adapters/postgres/archive.ts": "waits for pg_restore by runProcess, with a deadline of its own",
  "src/adapters/postgres/binaries.ts":
    "waits for programs by runProcess, which heeds the signal and has a limit",
  "src/adapters/postgres/databases.ts": "queries by session.ts; a drop has five seconds",
  "src/adapters/postgres/orphaned-databases.ts": "ten seconds, whatever the server says",
  "src/adapters/postgres/seed-file.ts": "queries by session.ts",
  "src/adapters/postgres/template.ts": "a timer that nothing waits for, ended with the seeding",
  "src/adapters/postgres/session.ts": forEachReply(["silent", "half a head"], (name, signal) =>
    openSession(`postgresql://u:p@${address(name)}/d`, signal),
  ),
  "src/adapters/postgres/server-start.ts": [
    [
      "postgres that never gets ready",
      (signal) =>
        startServer({
          programs: folder,
          major: 18,
          folder,
          logPath: join(folder, "postgres.log"),
          user: undefined,
          signal,
        }),
    ],
  ],
  "src/adapters/postgres/database-watch.ts":
    "its look is a query by session.ts, and its pause is ended by the disposal",
  "src/adapters/process/run-lifetime.ts":
    "a timer that ends the program when a cancellation is stuck: cancellation.test.ts",
  "src/adapters/process/app-guard.ts": "a watch that ends with the work that it is given",
  "src/adapters/process/child-process.ts": [
    [
      "a program that ignores TERM",
      (signal) => runProcess({ argv: [join(folder, "git")], logPath: logPath() }, signal),
    ],
  ],
  "src/adapters/process/disk-watch.ts":
    "a timer that nothing waits for, ended with the run: run-lifetime.test.ts",
  "src/adapters/git/commit-range.ts": "waits for git by runProcess, within its limit, or the signal",
  "src/adapters/process/deadline.ts": "what ends the others: deadline.test.ts",
  "src/adapters/python/imported-app.ts": "waits for Python by runProcess, for a minute",
  "src/adapters/python/repository-files.ts": "waits for Python by runProcess, for half a minute",
  "src/adapters/python/uv-python.ts": "waits for uv by runProcess, for a minute and a half",
  "src/adapters/process/output-log.ts": "a timer that nothing waits for, ended with the process",
  "src/adapters/server/listening-sockets.ts": "the system answers at once whether a port is free",
  "src/adapters/server/probe.ts": [
    [
      "a probe that writes nothing",
      async (signal) => {
        const probe = await openProbe({ packageFolder: folder, workFolder: folder, signal });
        await probe.openWindow("w");
        await probe.readFiles();
        throw new Error("ended");
      },
    ],
  ],
  // The head of a reply is an answer already, so half a reply may end the wait before it is cancelled.
  "src/adapters/server/readiness.ts": forEachReply(
    ["silent", "half a head", "a switch of protocols", "news of no end"],
    async (name, signal) => {
      const text = JSON.stringify(replies[name]);
      const port = await findFreePort();
      const script = `require("node:net").createServer((s) => s.on("error", () => {}).write(${text})).listen(${port}, "127.0.0.1")`;
      return await startAppServer(
        {
          argv: [process.execPath, "-e", script],
          folder,
          variables: {},
          baseUrl: `http://127.0.0.1:${port}`,
          readyPath: "/",
          readyWithinSeconds: 60,
          cpus: undefined,
        },
        { logPath: join(folder, `${name}.log`), signal },
      );
    },
  ),
  "src/adapters/server/single-request.ts": forEachReply(
    ["silent", "half a reply", "half a head", "news of no end"],
    (name, signal) => sendRequest(request(name, 60), signal),
  ),
  "src/adapters/python/own-code.ts": "reads plain files to their end",
  "src/adapters/services/running-service.ts": "the service's ready-timeout, or the signal: service.test.ts",
  "src/adapters/services/service-readiness.ts": "a second for each look",
  "src/adapters/services/side-process.ts":
    "a minute, or the signal (companion.test.ts); what races with an exit is heard no more after it",
  "src/adapters/server/server-stop.ts": "three seconds, then KILL: app-server.test.ts",
  "src/adapters/server/app-server.ts": "a timer that nothing waits for, ended with the server",
  "src/adapters/terminal/terminal.ts": "a timer that nothing waits for, ended with the view",
  "src/adapters/valgrind/counter.ts": "its pause ends with the run, its programs are awaited by runProcess",
  "src/measure/causes/instructions.ts":
    "a limit for its starts and for each endpoint: causes/instructions.test.ts",
  "src/measure/causes/compared-functions.ts": "its limit is the phase's: causes/compared-functions.test.ts",
  "src/measure/causes/diagnose.ts": "its limit is the phase's: causes/diagnose.test.ts",
  "src/measure/causes/added-lines.ts": "its limit is the phase's: causes/growing-memory.test.ts",
  "src/measure/causes/watched-servers.ts": "its limit is its caller's number of seconds",
  "src/measure/causes/not-reached.ts": "its limit is the phase's: causes/not-reached.test.ts",
  "src/measure/causes/outside-hosts.ts": "its limit is its own: causes/outside-hosts.test.ts",
  "src/measure/causes/request-cpu.ts": "its limit is the phase's: causes/request-cpu.test.ts",
  "src/measure/pair/load.ts": "waits for k6 by load-generator.ts, whose limit is the load's",
  "src/measure/preparation/prepared.ts": "nobody else's server is watched; what races it has an end",
  "src/wiring/shared.ts": "a timer that ends the program should anything else keep it",
  "src/wiring/announce.ts": "its limit is a request to GitHub's, which client.ts heeds",
  "src/wiring/measure.ts": "hands limits on",
};

/** What waits, in a line of code: a promise that somebody else settles, a stream, a child, a time. */
const waiting =
  /new Promise|for await|\bsleep\(|\.exited\b|\bfetch\(|pipeline\(|Promise\.race|withResolvers|setInterval|setTimeout\(|startDeadline\(|within\(|untilAborted\(/;

test("every file that waits is listed with what ends it", async () => {
  const names = (await readdir(join(root, "src"), { recursive: true })).filter((name) =>
    name.endsWith(".ts"),
  );
  const found: string[] = [];
  for (const name of names) {
    const text = await readFile(join(root, "src", name), "utf8");
    const lines = text.split("\n").filter((line) => !/^\s*(\*|\/\/|\/\*|import )/.test(line));
    if (lines.some((line) => waiting.test(line)) && !/^(diagnosis|ports)\//.test(name))
      found.push(`src/${name}`);
  }
  expect(found.toSorted()).toEqual(Object.keys(waits).toSorted());
});

const tried = Object.entries(waits).flatMap(([file, tries]) =>
  typeof tries === "string" ? [] : tries.map(([name, wait]) => [file, name, wait] as const),
);

test.for(tried)("%s is cancelled while it waits for: %s", { timeout: 20_000 }, async ([, , wait]) => {
  using _ = collectingGarbage();
  const cancel = new AbortController();
  const reason = new Error("cancelled by the user");
  const waited = wait(cancel.signal).then(
    () => "was not cancelled",
    () => "ended",
  );
  expect(await Promise.race([waited, sleep(500, "waits")])).toBe("waits");
  cancel.abort(reason);
  expect(await Promise.race([waited, sleep(8_000, "hangs")])).toBe("ended");
});

test.for(forEachReply(all, async (name) => sendRequest(request(name, 0.3), new AbortController().signal)))(
  "a request ends within its time: %s",
  async ([name, wait]) => {
    using _ = collectingGarbage();
    expect(await Promise.race([wait(new AbortController().signal), sleep(5_000, "hangs")])).toMatch(
      name === "a switch of protocols"
        ? /^the server switched to another protocol/
        : /^no response came within 0.3 s$/,
    );
  },
);

test.for(all)("a request to GitHub ends within its time: %s", { timeout: 40_000 }, async (name) => {
  using _ = collectingGarbage();
  const never = new AbortController().signal;
  const asked = createComments({ ...github(name, never, 300), pause: () => Promise.resolve() }).listComments(
    1,
  );
  const ended = asked.then(
    () => "answered",
    () => "failed",
  );
  expect(await Promise.race([ended, sleep(10_000, "hangs")])).toBe("failed");
});

test("a log in whose place the app has put a pipe has no text, at once", async () => {
  const pipe = join(folder, "pipe.log");
  const made = await runProcess({ argv: ["mkfifo", pipe], logPath: logPath() });
  expect(made.code).toBe(0);
  expect(await Promise.race([readTail(pipe), sleep(3_000, "hangs")])).toBe("");
});

test("a child that closes nothing and does not die of TERM is stopped within its grace", async () => {
  const running = await startProcess({ argv: [join(folder, "k6")], logPath: logPath() });
  await sleep(200);
  const began = performance.now();
  await running.stop(300);
  expect(performance.now() - began).toBeLessThan(3_000);
});
