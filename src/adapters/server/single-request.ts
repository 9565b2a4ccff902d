import { randomBytes } from "node:crypto";
import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

import { isEventStream, type Reply } from "../../endpoints/dry-request.ts";
import { messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { SingleRequest } from "../../ports/app.ts";
import { TimeOver, within } from "../process/index.ts";

/** Only the start of a longer body, or of a connection's messages, is read. */
const mostBytes = 1_000_000;

/** Problem for a server that switches to another protocol: nothing more comes in HTTP from there on. */
const switched = "the server switched to another protocol (101); choose a plain HTTP endpoint";

/** A server answers that it failed, and only then writes down why. */
const untilWrittenMs = 50;

/** An idle connection does not keep us from ending, and ends with its server. */
const kept = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends one request, follows no redirect, and returns the reply, or a sentence when there was none. */
export async function sendRequest(request: SingleRequest, signal: AbortSignal): Promise<Reply | string> {
  const reply = await replyTo(request, signal);
  if (typeof reply !== "string" && reply.status >= 500) await delay(untilWrittenMs, undefined, { signal });
  return reply;
}

async function replyTo(request: SingleRequest, signal: AbortSignal): Promise<Reply | string> {
  const { withinSeconds } = request;
  const seen: { isStream?: boolean } = {};
  try {
    return await within({ ms: withinSeconds * 1_000, signal }, (until) => exchange(request, seen, until));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeOver && seen.isStream)
      return request.takesEndless === true
        ? { status: 200, body: "", isEndless: true }
        : `the stream of events did not end within ${withinSeconds} s`;
    if (error instanceof TimeOver) return `no response came within ${withinSeconds} s`;
    return error instanceof Switched ? switched : `no response came (${messageOf(error)})`;
  }
}

class Switched extends Error {
  readonly socket: Duplex;
  readonly head: Buffer;

  constructor(socket: Duplex, head: Buffer) {
    super();
    this.socket = socket;
    this.head = head;
  }
}

/** @param seen gets what is known of a reply before its end */
async function exchange(
  request: SingleRequest,
  seen: { isStream?: boolean },
  signal: AbortSignal,
): Promise<Reply> {
  const { url, method, headers, body } = request;
  const startRequest = url.startsWith("https:") ? secureRequest : plainRequest;
  const isSocket = method === "WS";
  const ofBody = isSocket ? handshake() : body !== undefined && lengthOf(body);
  const sent = startRequest(url, {
    method: isSocket ? "GET" : method,
    // Apps keep who asks: every client says so.
    headers: { accept: "*/*", "user-agent": "fastapi-loadtest", ...headers, ...ofBody },
    // Usually a connection of its own, which no worker keeps under load.
    agent: request.keepsConnection === true ? kept : false,
    signal,
  });
  try {
    const response = await responseOf(sent, isSocket ? undefined : body);
    const status = response.statusCode ?? 0;
    seen.isStream = isEventStream(response.headers["content-type"]);
    return { status, body: await startOfBody(response), headers: headersOf(response) };
  } catch (error) {
    if (!(error instanceof Switched && isSocket)) throw error;
    const { messages } = request;
    const { socket, head } = error;
    const answers = messages && (await countAnswers(messages, socket, head, signal));
    return { status: 101, body: "", ...defined({ answers }) };
  } finally {
    sent.destroy();
  }
}

/** Listens for every end of a request: a switch of protocols is neither a response nor an error. */
function responseOf(sent: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent
      .once("response", resolve)
      .once("upgrade", (_, socket, head) => reject(new Switched(socket, head)))
      .on("error", reject) // one more may come when it is destroyed
      .once("close", () => reject(new Error("the connection was closed")))
      .end(body);
  });
}

function handshake() {
  return {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
  };
}

function lengthOf(body: string) {
  return { "content-length": Buffer.byteLength(body) };
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values]));
}

async function startOfBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= mostBytes) break; // which also ends the connection
  }
  return Buffer.concat(chunks).toString("utf8", 0, mostBytes);
}

/** Answers of a server that works come at once. */
const answerWithinMs = 2_000;

/**
 * Says texts through a WebSocket that has just been opened, each after a message that came back for the one before.
 *
 * @param head what came with the opening
 * @returns the number of texts that were answered; the first one without an answer is the last one said
 */
async function countAnswers(
  texts: readonly string[],
  socket: Duplex,
  head: Buffer,
  signal: AbortSignal,
): Promise<number> {
  let bytes = head;
  let wake: () => void = () => undefined;
  let isOpen = true;
  const end = () => {
    isOpen = false;
    wake();
  };
  socket.on("error", end).on("close", end);
  socket.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    wake();
  });
  const message = async (): Promise<boolean> => {
    for (;;) {
      const frame = firstFrame(bytes);
      if (frame !== undefined) bytes = bytes.subarray(frame.end);
      if (frame?.isMessage) return true;
      if (frame?.isEnd || !isOpen || bytes.length > mostBytes) return false;
      if (frame === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  for (const [index, text] of texts.entries()) {
    if (!isOpen) return index;
    socket.write(textFrame(text));
    try {
      if (!(await within({ ms: answerWithinMs, signal }, message))) return index;
    } catch (error) {
      if (error instanceof TimeOver) return index;
      throw error;
    }
  }
  return texts.length;
}

/** A whole text of at most 125 bytes, masked as those of clients have to be (RFC 6455). */
function textFrame(text: string): Buffer {
  const [mask, payload] = [randomBytes(4), Buffer.from(text)];
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked]);
}

interface Frame {
  /** True for the last part of a text or of bytes. */
  readonly isMessage: boolean;
  /** True when the server says that it closes the connection. */
  readonly isEnd: boolean;
  readonly end: number;
}

/** `undefined` until the whole frame has come. */
function firstFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [kind, size] = [bytes.readUInt8(0), bytes.readUInt8(1) & 0x7f];
  const start = size < 126 ? 2 : size === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = size < 126 ? size : size === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  const code = kind & 0x0f;
  return { isMessage: kind >= 0x80 && code <= 2, isEnd: code === 8, end };
}
