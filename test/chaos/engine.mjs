#!/usr/bin/env node
// A container engine on loopback: what it runs outlives the client that started it, as with Docker and Podman.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

const [verb, ...rest] = process.argv.slice(2);
const folder = join(dirname(process.argv[1]), "..", "engine");
mkdirSync(folder, { recursive: true });
const idOf = (name) => createHash("sha256").update(name).digest("hex").slice(0, 12);
const after = (word) => rest[rest.indexOf(word) + 1] ?? "";
const containers = () =>
  readdirSync(folder).map((id) => ({ id, ...JSON.parse(readFileSync(join(folder, id), "utf8")) }));

if (verb === "serve")
  createServer((socket) => socket.on("error", () => undefined).write("220 here\r\n")).listen(
    Number(rest[0]),
    "127.0.0.1",
  );
else if (verb === "run") {
  const [, port] = after("--publish").split(":");
  const words = [process.argv[1], "serve", port, folder];
  const child = spawn(process.execPath, words, { detached: true, stdio: "ignore", env: {} });
  const [, mark] = after("--label").split("=");
  const file = join(folder, idOf(after("--name")));
  writeFileSync(file, JSON.stringify({ pid: child.pid, mark }));
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
  child.once("exit", () => {
    rmSync(file, { force: true });
    process.exit(0);
  });
} else if (verb === "ps") for (const { id, mark } of containers()) process.stdout.write(`${id} ${mark}\n`);
else if (verb === "rm")
  for (const { id, pid } of containers().filter((each) =>
    rest.some((name) => name === each.id || idOf(name) === each.id),
  )) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    rmSync(join(folder, id), { force: true });
  }
