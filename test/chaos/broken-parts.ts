import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";

import type { Place, Prepared } from "./program.ts";

/** About as long as a run takes when nothing happens. */
export const spanMs = 9_500;

/** Ways in which a server's replies are none. */
export const brokenAppModes = ["101", "silent", "half", "nonsense", "ended", "endless", "flood"] as const;
export const brokenDatabaseModes = ["silent", "half", "nonsense", "ended"] as const;

/** A run against a server that begins to break some time after its start. */
export function withBrokenApp(
  { root }: Place,
  mode: (typeof brokenAppModes)[number],
  random: () => number,
): Prepared {
  const script = join(root, "test", "chaos", "broken_app.py");
  const seconds = (random() * spanMs) / 4_000; // its server lives for a part of the run
  const server = `python ${script} {port} ${mode} ${seconds.toFixed(2)}`;
  const options = { server, workers: "1", database: "none", seed: "", scale: "" };
  return { options: { ...options, "request-timeout": "3s", "ready-timeout": "15s" }, ...nothingToClose };
}

/** A run whose program's wall clock jumps at some moment. */
export function withClock({ root }: Place, seconds: number, random: () => number): Prepared {
  const variables = {
    NODE_OPTIONS: `--require=${join(root, "test", "chaos", "clock.cjs")}`,
    CHAOS_CLOCK: `${Math.floor(random() * spanMs)} ${seconds * 1_000}`,
  };
  return { variables, ...nothingToClose };
}

/** A run with a service in a container, whose engine is a stand-in: containers outlive their clients there, too. */
export function withContainer({ root, folder }: Place): Prepared {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const name of ["docker", "podman"]) {
    copyFileSync(join(root, "test", "chaos", "engine.mjs"), join(bin, name));
    chmodSync(join(bin, name), 0o755);
  }
  const post = `{ image: "post:1", port: 25, ready: { send: "", expect: "220" } }`;
  const options = { settings: `services: { post: ${post} }` };
  return { options, variables: { PATH: `${bin}:${process.env["PATH"]}` }, ...nothingToClose };
}

const nothingToClose = { [Symbol.asyncDispose]: async () => undefined };

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const welcome = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);
const last: Readonly<Record<(typeof brokenDatabaseModes)[number], Buffer>> = {
  silent: Buffer.alloc(0),
  half: Buffer.from("T\0\0\x01\0"),
  nonsense: Buffer.from("HTTP/1.1 200 OK\r\n\r\n".repeat(20)),
  ended: Buffer.from("T\0\0\x01\0"),
};

/** A run against a database server that lets it in, or not even that, and then breaks. */
export async function withBrokenDatabase(
  mode: (typeof brokenDatabaseModes)[number],
  random: () => number,
): Promise<Prepared> {
  const isWelcome = random() < 0.7;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    let isIn = !isWelcome;
    socket.on("data", () => {
      socket.write(isIn ? last[mode] : welcome);
      if (isIn && mode === "ended") socket.end();
      isIn = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    options: { "database-url": `postgresql://u:p@127.0.0.1:${address.port}/d` },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
