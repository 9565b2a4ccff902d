// Our loads in the style of other tools, next to the tools themselves: `ab` without keep-alive, and Locust. The only
// endpoint waits, so the way of sending makes the difference, not the speed of the server.

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findK6 } from "../src/engine.ts";
import { abStyle } from "./load-styles/ab.ts";
import { locustStyle } from "./load-styles/locust.ts";
import { compareTools } from "./load-styles/rounds.ts";
import { printFigures } from "./parts/timing.ts";

const root = process.cwd();
const work = await mkdtemp(join(tmpdir(), "bench-load-styles-"));
const signal = new AbortController().signal;
try {
  const k6 = await findK6({
    path: process.env["LOADTEST_K6"],
    toolsFolder: join(root, ".tools"),
    logPath: join(work, "version.log"),
    signal,
  });
  const ours = { k6, scriptPath: join(root, "k6", "load.ts"), folder: work, signal };
  const figures: Record<string, number | boolean> = {};
  for (const style of [abStyle(work), locustStyle(work, join(root, ".tools"))]) {
    await using app = await waiting(style.answerMs);
    Object.assign(figures, await compareTools(style, app.baseUrl, ours));
  }
  printFigures(figures);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** A server that answers everything after so many milliseconds. */
async function waiting(answerMs: number) {
  const server: Server = createServer((_, response) => {
    setTimeout(() => response.end('{"ok":true}'), answerMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
