import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

import type { Reply } from "../../endpoints/dry-request.ts";
import { messageOf } from "../../errors/errors.ts";
import type { SingleRequest } from "../../ports/app.ts";

/** Of a longer body only the start is read. */
const mostBytes = 1_000_000;

/** Sends one request, follows no redirect, and returns what came back, or a sentence when nothing did. */
export async function sendRequest(
  { url, method, headers, body, withinSeconds }: SingleRequest,
  signal: AbortSignal,
): Promise<Reply | string> {
  const timeout = AbortSignal.timeout(Math.ceil(withinSeconds * 1_000));
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const startRequest = url.startsWith("https:") ? secureRequest : plainRequest;
      const sent = startRequest(url, {
        method,
        headers: { accept: "*/*", ...headers, ...(body !== undefined && lengthOf(body)) },
        agent: false, // a connection of its own, which no worker keeps under load
        signal: AbortSignal.any([signal, timeout]),
      });
      sent.once("response", resolve).once("error", reject).end(body);
    });
    return { status: response.statusCode ?? 0, body: await startOfBody(response) };
  } catch (error) {
    signal.throwIfAborted();
    return timeout.aborted
      ? `no reply came within ${withinSeconds} s`
      : `no reply came (${messageOf(error)})`;
  }
}

function lengthOf(body: string) {
  return { "content-length": Buffer.byteLength(body) };
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
