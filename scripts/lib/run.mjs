import { spawn, spawnSync } from "node:child_process";

import { root } from "./places.mjs";

/** Runs a program to its end with our own output; resolves with its exit status (a signal counts as 1). */
export function run(argv, { folder = root, variables = {} } = {}) {
  const [program, ...args] = argv;
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "inherit", "inherit"],
    });
    // Ctrl-C reaches the child too; it cleans up and ends, and only then do we.
    const wait = () => {};
    process.on("SIGINT", wait);
    child.once("error", fail);
    child.once("close", (code) => {
      process.off("SIGINT", wait);
      done(code ?? 1);
    });
  });
}

/** Runs a program and keeps its output; resolves with its exit status and the text, never rejects. */
export function capture(argv, { folder = root, variables = {} } = {}) {
  const [program, ...args] = argv;
  return new Promise((done) => {
    const chunks = [];
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    const finish = (code, text) => done({ code, text: Buffer.concat(chunks).toString("utf8") + text });
    child.once("error", (error) => finish(1, error.message));
    child.once("close", (code) => finish(code ?? 1, ""));
  });
}

/** Runs a program without showing its output. Throws with its last lines when it fails. */
export async function runQuietly(argv, options = {}) {
  const { code, text } = await capture(argv, options);
  if (code === 0) return;
  const lastLines = text.trimEnd().split("\n").slice(-15).join("\n");
  throw new Error(`\`${argv.slice(0, 4).join(" ")}\` failed with exit status ${code}:\n${lastLines}`);
}

/** First line that a program prints; `undefined` when it cannot be run or fails. */
export function firstLine(argv) {
  const [program, ...args] = argv;
  const { status, stdout } = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 20_000,
  });
  return status === 0 ? stdout.split("\n")[0].trim() : undefined;
}
