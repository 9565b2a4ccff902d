import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";

import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { armRecordOf, parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { slicePairsOf } from "../../../src/model/load/slicing.ts";
import { sum } from "../../../src/statistics/estimate.ts";
import { type K6Bench, openK6, putLoad } from "./k6-fixture.ts";

let bench: K6Bench;
beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

const endpoint = { method: "WS", path: "/chat" } as const;
const load = { kind: "constant", virtualUsers: 3, durationSeconds: 2 } as const;

/** A server that takes connections and never says a word. */
async function hanging() {
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => void open.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () => {
    for (const socket of open) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { baseUrl: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: stop };
}

/** A server that answers each text through a WebSocket, or refuses to open one. */
async function talking(answer: ((text: string, say: (text: string) => void) => void) | undefined) {
  const seen: string[] = [];
  const open = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(403).end());
  if (answer !== undefined)
    server.on("upgrade", ({ headers, url = "" }, socket) => {
      open.add(socket.on("error", () => undefined));
      seen.push(`${url} ${headers["x-client"] ?? ""}`.trim());
      const accept = createHash("sha1")
        .update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest("base64");
      const upgrade = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`];
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${upgrade.join("\r\n")}\r\n\r\n`);
      let rest = Buffer.alloc(0);
      socket.on("data", (chunk: Buffer) => {
        rest = Buffer.concat([rest, chunk]);
        // Texts from a client are masked, and short ones have a head of six bytes.
        while (rest.length >= 6 && rest.length >= 6 + ((rest[1] ?? 0) & 0x7f)) {
          const length = (rest[1] ?? 0) & 0x7f;
          const [mask, body] = [rest.subarray(2, 6), rest.subarray(6, 6 + length)];
          const text = body.map((byte, index) => byte ^ (mask[index % 4] ?? 0)).toString();
          if (((rest[0] ?? 0) & 0x0f) === 1) {
            seen.push(text);
            answer(text, (said) => {
              if (!socket.destroyed)
                socket.write(Buffer.concat([Buffer.of(0x81, said.length), Buffer.from(said)]));
            });
          } else socket.end();
          rest = rest.subarray(6 + length);
        }
      });
    });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () => {
    for (const socket of open) socket.destroy();
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { seen, baseUrl: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: stop };
}

const after = (ms: number) => (text: string, say: (text: string) => void) =>
  void setTimeout(() => say(`${text} back`), ms);

test("two arms take turns, and each message is counted in its slice until it is answered", async () => {
  await using base = await talking(after(4));
  await using head = await talking(after(16));
  const { records, summary } = await putLoad(bench, {
    endpoint,
    load,
    targets: [
      { arm: "base", baseUrl: base.baseUrl },
      { arm: "head", baseUrl: head.baseUrl },
    ],
    guard: { startMs: 32, endMs: 20 },
    sliceMs: 200,
  });
  const slices = parseLoadRecords(records);
  const counted = sum(slices.flatMap(({ statuses }) => Object.values(statuses)));
  expect(parseK6Summary(summary)).toMatchObject({ requests: counted, failures: 0 });
  const messages = [...base.seen, ...head.seen].filter((text) => text === "ping");
  expect(messages).toHaveLength(counted);
  const { arms } = slicePairsOf(slices, 200, 2_000);
  const meanCycle = (arm: "base" | "head") => sum(arms[arm].cycleMs) / sum(arms[arm].cycles);
  expect(meanCycle("base")).toBeGreaterThan(3.5);
  expect(meanCycle("head")).toBeGreaterThan(15.5);
  // Late timers slow both arms, but not the quick one to where the slow one is at best.
  expect(meanCycle("base")).toBeLessThan(meanCycle("head"));
  expect(armRecordOf("head", slices, { sliceMs: 200, blockMs: 400, endMs: 2_000, arms: 2 }).statuses).toEqual(
    {
      "101": expect.any(Number),
    },
  );
});

test("messages have their bodies and headers, and end with the words that answer them", async () => {
  await using app = await talking((text, say) => {
    for (const part of ["one", "two", `${text} done`]) say(part);
  });
  const rows = [
    { path: "/chat?room=1", body: "hello 1" },
    { path: "/chat?room=1", body: "hello 2" },
  ];
  const { records, summary } = await putLoad(bench, {
    endpoint: { ...endpoint, form: "0123abcd" },
    load: { ...load, virtualUsers: 1, durationSeconds: 1 },
    targets: [{ arm: "head", baseUrl: app.baseUrl }],
    materials: [{ headers: { "X-Client": "k6", "Content-Type": "text/plain" }, rows, answeredBy: "done" }],
    sliceMs: 250,
  });
  const counted = sum(parseLoadRecords(records).map(({ requests }) => requests));
  expect(parseK6Summary(summary)).toMatchObject({ requests: counted, failures: 0 });
  const [opened, ...texts] = app.seen;
  expect(opened).toBe("/chat?room=1 k6");
  expect(texts.length).toBe(counted);
  expect(texts.slice(0, 4).every((text, index) => text === texts[index % 2])).toBe(true);
});

test("a connection that is refused, or never answers, is a failure each time", async () => {
  await using closed = await talking(undefined);
  const refused = await putLoad(bench, {
    endpoint,
    load: { ...load, durationSeconds: 1 },
    targets: [{ arm: "head", baseUrl: closed.baseUrl }],
    sliceMs: 250,
  });
  const requests = sum(parseLoadRecords(refused.records).map((slice) => slice.requests));
  expect(requests).toBeGreaterThanOrEqual(3);
  expect(requests).toBeLessThanOrEqual(3 * 12); // tried again ten times a second
  expect(parseK6Summary(refused.summary)).toMatchObject({ requests, failures: requests });

  await using silent = await talking(() => undefined);
  const late = await putLoad(bench, {
    endpoint,
    load: { ...load, durationSeconds: 1, timeoutSeconds: 0.3 },
    targets: [{ arm: "head", baseUrl: silent.baseUrl }],
    sliceMs: 250,
  });
  const slices = parseLoadRecords(late.records);
  expect(new Set(slices.flatMap(({ statuses }) => Object.keys(statuses)))).toEqual(new Set(["error 1050"]));
  expect(sum(slices.map((slice) => slice.requests))).toBe(parseK6Summary(late.summary).requests);
});

test("a connection that never opens is a failure of its arm, as long as its wait, and ends with the load", async () => {
  await using base = await talking(after(4));
  await using head = await hanging();
  const targets = [
    { arm: "base", baseUrl: base.baseUrl },
    { arm: "head", baseUrl: head.baseUrl },
  ] as const;
  const { records, summary } = await putLoad(bench, {
    endpoint,
    load: { ...load, durationSeconds: 1, timeoutSeconds: 0.4 },
    targets,
    sliceMs: 100,
  });
  const slices = parseLoadRecords(records);
  const of = (arm: string) => slices.filter((slice) => slice.arm === arm);
  const statusesOf = (arm: string) => new Set(of(arm).flatMap(({ statuses }) => Object.keys(statuses)));
  expect(statusesOf("base")).toContain("101");
  expect(statusesOf("head")).toEqual(new Set(["error 1050"]));
  const failures = sum(of("head").map((slice) => slice.failures));
  expect(failures).toBeGreaterThanOrEqual(1);
  expect(failures).toBeLessThanOrEqual(3 * 3); // tried for 0.4 s, and again 0.1 s later
  expect(parseK6Summary(summary)).toMatchObject({
    requests: sum(slices.map(({ requests }) => requests)),
    failures: sum(slices.map((slice) => slice.failures)),
  });
  // A user waits from its first slice of the arm on, until the time-out of the try that is under way.
  expect(sum(of("head").map(({ cycles }) => cycles))).toBe(failures);
  expect(Math.max(...of("head").map(({ latencyMaxMs }) => latencyMaxMs))).toBeGreaterThan(0);

  const cut = await putLoad(bench, {
    endpoint,
    load: { ...load, durationSeconds: 0.5, timeoutSeconds: 0.9, gracefulStopSeconds: 0.2 },
    targets: [{ arm: "head", baseUrl: head.baseUrl }],
    sliceMs: 200,
  });
  const last = parseLoadRecords(cut.records);
  expect(new Set(last.flatMap(({ statuses }) => Object.keys(statuses)))).toEqual(new Set(["cut off"]));
  const cutOff = sum(last.map((slice) => slice.failures));
  expect(cutOff).toBeGreaterThanOrEqual(1);
  expect(cutOff).toBeLessThanOrEqual(3); // one of each user
});
