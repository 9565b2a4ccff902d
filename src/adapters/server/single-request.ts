import { randomBytes } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Duplex } from "node:stream";

import { isEventStream, type Reply } from "../../endpoints/dry-request.ts";
import { messageOf } from "../../errors/errors.ts";
import type { SingleRequest } from "../../ports/app.ts";
import { TimeOver, within } from "../process/index.ts";
import { countAnswers } from "./socket-answers.ts";

/** Only the start of a longer body is read. */
const mostBytes = 1_000_000;

/** Problem for a server that switches to another protocol: nothing more comes in HTTP from there on. */
const switched =
  "the server switched to another protocol (101), which is no reply; name an endpoint of plain HTTP";

/** Sends one request, follows no redirect, and returns the reply, or a sentence when there was none. */
export async function sendRequest(request: SingleRequest, signal: AbortSignal): Promise<Reply | string> {
  const { withinSeconds } = request;
  const seen: { isStream?: boolean } = {};
  try {
    return await within({ ms: withinSeconds * 1_000, signal }, (until) => exchange(request, seen, until));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeOver && seen.isStream)
      return request.takesEndless === true
        ? { status: 200, body: "", isEndless: true }
        : `the stream of events had no end within ${withinSeconds} s`;
    if (error instanceof TimeOver) return `no reply came within ${withinSeconds} s`;
    return error instanceof Switched ? switched : `no reply came (${messageOf(error)})`;
  }
}

class Switched extends Error {
  readonly socket: Duplex;
  /** What came with it. */
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
    headers: { accept: "*/*", ...headers, ...ofBody },
    agent: false, // a connection of its own, which no worker keeps under load
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
    return { status: 101, body: "", ...(answers !== undefined && { answers }) };
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

/** Asks for a WebSocket, which ends with the answer. */
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
