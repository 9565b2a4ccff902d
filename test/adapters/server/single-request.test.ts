import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { readTable } from "../../../src/adapters/files/index.ts";
import { sendRequest } from "../../../src/adapters/server/single-request.ts";
import { never } from "../k6/k6-fixture.ts";

async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/x`,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
const request = { method: "GET", headers: {}, body: undefined, withinSeconds: 5 };

test("a request is sent whole, and its reply read, redirects and all", async () => {
  await using server = await serving(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    const { method, headers } = incoming;
    response.writeHead(307, { location: "/elsewhere" });
    response.end(`${method} ${headers["x-a"]} ${headers["content-length"]} ${body}`);
  });
  const sent = { ...request, url: server.url, method: "DELETE", headers: { "X-A": "b" }, body: "ü" };
  expect(await sendRequest(sent, never)).toEqual({
    status: 307,
    body: "DELETE b 2 ü",
    headers: expect.objectContaining({ location: ["/elsewhere"] }),
  });
});

test("requests have connections of their own, or one together", async () => {
  const ports: (number | undefined)[] = [];
  await using server = await serving(({ socket }, response) => {
    ports.push(socket.remotePort);
    response.end("fine");
  });
  const plain = { ...request, url: server.url };
  for (const keepsConnection of [undefined, undefined, true, true, true] as const)
    await sendRequest({ ...plain, ...(keepsConnection && { keepsConnection }) }, never);
  const [first, second, third, ...others] = ports;
  expect(first).not.toBe(second);
  expect(others).toEqual([third, third]);
});

test("a WebSocket is opened and left, or its refusal told", async () => {
  await using refusing = await serving((_, response) => response.writeHead(403).end("no"));
  const asked = { ...request, method: "WS", url: refusing.url, body: "hello" };
  expect(await sendRequest(asked, never)).toMatchObject({ status: 403, body: "no" });
  const server = createServer().on("upgrade", ({ method, headers }, socket) => {
    const isRight = method === "GET" && headers.upgrade === "websocket" && headers["sec-websocket-key"];
    socket.end(
      `HTTP/1.1 ${isRight ? "101 Switching Protocols" : "400 Bad"}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  expect(await sendRequest({ ...asked, url: `http://127.0.0.1:${port}/` }, never)).toEqual({
    status: 101,
    body: "",
  });
  server.close();
});

/** The address of a WebSocket that greets, then answers what it is sent so many times. */
async function answering(times: number, { greeting = "", end = false } = {}) {
  const server = createServer().on("upgrade", (_, socket) => {
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    const frame = (text: string) => {
      const payload = Buffer.from(text);
      const size = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255];
      return Buffer.concat([Buffer.from([0x81, ...size]), payload]);
    };
    if (greeting) socket.write(frame(greeting));
    let left = times;
    socket.on("data", (bytes: Buffer) => {
      // One frame each time: head, mask, four letters.
      const mask = bytes.subarray(2, 6);
      const said = bytes.subarray(6).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      if (left-- > 0) {
        const whole = frame(Buffer.from(said).toString().repeat(100));
        socket.write(whole.subarray(0, 5));
        setImmediate(() => socket.write(whole.subarray(5)));
      } else if (end) socket.end(Buffer.from([0x88, 0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test.for<readonly [times: number, options: Parameters<typeof answering>[1], answers: number]>([
  [2, {}, 2],
  [1, {}, 1],
  [0, {}, 0],
  // A greeting alone is no answer to what is said afterwards.
  [0, { greeting: "hello" }, 1],
  [0, { end: true }, 0],
])(
  "what is said through a WebSocket has %d answers, %j: %d are counted",
  async ([times, options, answers]) => {
    await using server = await answering(times, options);
    const asked = {
      ...request,
      method: "WS",
      url: server.url,
      messages: ["ping", "ping"],
      withinSeconds: 20,
    };
    expect(await sendRequest(asked, never)).toEqual({ status: 101, body: "", answers });
  },
);

test("a stream of events without an end is told as such", async () => {
  await using server = await serving((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write("data: 1\n\n");
  });
  expect(await sendRequest({ ...request, url: server.url, withinSeconds: 1 }, never)).toBe(
    "the stream of events did not end within 1 s",
  );
});

test("a body without end is left at its start", async () => {
  await using server = await serving((_, response) => {
    const more = () => response.write("x".repeat(65_536), () => setImmediate(more));
    more();
  });
  const reply = await sendRequest({ ...request, url: server.url }, never);
  expect(typeof reply === "string" ? reply : reply.body.length).toBe(1_000_000);
});

test("no reply is told", async () => {
  await using silent = await serving(() => undefined);
  expect(await sendRequest({ ...request, url: silent.url, withinSeconds: 0.1 }, never)).toBe(
    "no response came within 0.1 s",
  );
  expect(await sendRequest({ ...request, url: "http://127.0.0.1:1/" }, never)).toMatch(
    /^no response came \(connect ECONNREFUSED/,
  );
  const stop = AbortSignal.timeout(50);
  await expect(sendRequest({ ...request, url: silent.url }, stop)).rejects.toThrow();
});

test("a table is read, or not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "table-test-"));
  const path = join(folder, "a.csv");
  await writeFile(path, "id\n1\n");
  expect(await readTable(path)).toEqual({ text: "id\n1\n" });
  expect(await readTable(join(folder, "b.csv"))).toEqual({ problem: "is not there" });
  await rm(folder, { recursive: true });
});
