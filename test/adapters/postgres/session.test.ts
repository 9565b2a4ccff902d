import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { openExistingPostgres } from "../../../src/adapters/postgres/existing-server.ts";
import { setAppUser } from "../../../src/adapters/postgres/private-server.ts";
import { runSeedFile } from "../../../src/adapters/postgres/seed-file.ts";
import { openSession, queryRow, serverWords, withSession } from "../../../src/adapters/postgres/session.ts";
import { startSilentServer } from "./silent-server.ts";

const never = new AbortController().signal;

test("a server that lets us in and never answers is given up, in words", async () => {
  await using server = await startSilentServer();
  const asking = withSession(server.url, never, (client) => client.query("SELECT 1"), { withinMs: 200 });
  const error = await Promise.race([asking.catch((each: unknown) => each), sleep(10_000, "hangs")]);
  expect(serverWords(error, server.url)).toBe("the server did not answer in time");
  expect(server.asked).toHaveLength(1);
});

test("so is each question of a connection that is kept", async () => {
  await using server = await startSilentServer(1);
  await using session = await openSession(server.url, never, { withinMs: 200 });
  await session.client.query("SET x = 1");
  for (let question = 0; question < 2; question++) {
    const asking = queryRow(session.client, z.object({}), "SELECT 1").catch((each: unknown) => each);
    const error = await Promise.race([asking, sleep(10_000, "hangs")]);
    expect(serverWords(error, server.url)).toBe("the server did not answer in time");
  }
});

test("a server that lets nobody in is a failed start, in words", async () => {
  await using server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const user = { name: "app", password: "secret-word", verb: "ALTER" } as const;
  const made = setAppUser(`postgresql://a:b-word@127.0.0.1:${port}/c`, user, never);
  const failed = expect(made).rejects.toMatchObject({
    phase: "start postgres",
    message: "setting up the app's user: the server did not answer in time",
  });
  const [socket] = await once(server, "connection");
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await failed;
  socket.destroy();
});

/** Our limits, as the driver sets its timers. */
async function limitsOf(use: (url: string, signal: AbortSignal) => Promise<unknown>): Promise<number[]> {
  await using server = await startSilentServer();
  const cancel = new AbortController();
  const timers = vi.spyOn(globalThis, "setTimeout");
  const using_ = use(server.url, cancel.signal).catch(() => undefined);
  await vi.waitUntil(() => server.asked.length > 0, 20_000);
  const limits = timers.mock.calls.map(([, ms = 0]) => ms);
  timers.mockRestore();
  cancel.abort(new Error("cancelled"));
  await using_;
  return limits;
}

test("every use of a server has a limit: half a minute for a question, hours for a seed file", async () => {
  expect(await limitsOf(openExistingPostgres)).toContain(30_000);
  const ground = {
    database: "",
    user: "",
    major: 15,
    isPrepared: true,
    schemas: [],
    roles: new Map(),
    extensions: new Map(),
  };
  const state = { ground, variables: new Map(), left: new Map(), include: () => "is not there" };
  const file = { path: "seed.sql", text: "SELECT 1;", scale: 1, state };
  expect(await limitsOf((url, signal) => runSeedFile({ ...file, url }, signal))).toContain(6 * 3_600_000);
});
