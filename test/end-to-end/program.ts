import { spawn } from "node:child_process";
import { join } from "node:path";

import { root } from "./act.ts";

/** Runs the program in a folder, outside of any workflow; resolves with its exit status and all that it said. */
export async function runProgram(cwd: string, args: readonly string[]) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:GITHUB_|INPUT_|CI$)/.test(name)),
  );
  const child = spawn("node", [join(root, "dist/cli.js"), ...args], { env, cwd });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, output };
}
