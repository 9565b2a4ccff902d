import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findK6, type K6 } from "../../../src/adapters/k6/k6-program.ts";
import { generateLoad } from "../../../src/adapters/k6/load-generator.ts";
import type { LoadOutput, LoadRequest } from "../../../src/ports/load.ts";

export const toolsFolder = new URL("../../../.tools", import.meta.url).pathname;
export const scriptPath = new URL("../../../k6/load.ts", import.meta.url).pathname;

/** A signal that nobody aborts. */
export const never = new AbortController().signal;

/** The real k6 and a folder for its files, gone on disposal. */
export interface K6Bench extends AsyncDisposable {
  readonly k6: K6;
  readonly folder: string;
}

export async function openK6(): Promise<K6Bench> {
  const folder = await mkdtemp(join(tmpdir(), "k6-test-"));
  const logPath = join(folder, "version.log");
  const k6 = await findK6({ path: process.env["LOADTEST_K6"], toolsFolder, logPath, signal: never });
  return { k6, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Puts a load on the targets with the real script. */
export function putLoad(
  { k6, folder }: K6Bench,
  request: Pick<LoadRequest, "targets" | "load"> & Partial<LoadRequest>,
  signal = never,
): Promise<LoadOutput> {
  const endpoint = { method: "GET", path: "/x?y=1" } as const;
  const whole = { endpoint, sliceMs: 100, seed: 7, name: "load", ...request };
  return generateLoad(k6, whole, { scriptPath, folder, signal });
}

/** A real server on loopback that counts its requests and connections. */
export async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: string[] = [];
  const connections: number[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.on("connection", ({ remotePort = 0 }) => void connections.push(remotePort));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { seen, connections, baseUrl: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: stop };
}

export const ok = (_: IncomingMessage, response: ServerResponse) => response.end("hello");

/** Answers after a while, and records its real length. */
export const after =
  (milliseconds: number, tookMs: number[] = []) =>
  (_: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    setTimeout(() => {
      response.end("hello");
      tookMs.push(performance.now() - began);
    }, milliseconds);
  };
