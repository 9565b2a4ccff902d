import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface PostingStep {
  readonly status: number | null;
  readonly output: string;
  /** The most memory that it ever had, in bytes. */
  readonly peakBytes: number;
}

/** Writes down the most memory that its process had. The figure of `getrusage` would begin with the parent's. */
const peakScript = `
process.on("exit", () => {
  const { readFileSync, writeFileSync } = require("node:fs");
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    kilobytes = Number(/^VmHWM:\\s*(\\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  } catch {}
  writeFileSync(__filename + ".peak", String(kilobytes));
});
`;

/** Runs the posting workflow's only step, the bundle's `post`, as GitHub does when a fork's run has ended. */
export async function runPostingStep(options: {
  readonly apiUrl: string;
  readonly token: string;
  readonly runId: number;
  readonly headSha: string;
}): Promise<PostingStep> {
  const { apiUrl, token, runId, headSha } = options;
  const folder = await mkdtemp(join(tmpdir(), "posting-"));
  try {
    const event = join(folder, "event.json");
    const peak = join(folder, "peak.cjs");
    const workflow_run = { id: runId, run_attempt: 1, event: "pull_request", head_sha: headSha };
    const repository = { full_name: "octo/app" };
    await writeFile(event, JSON.stringify({ action: "completed", repository, workflow_run }));
    await writeFile(peak, peakScript);
    const bundle = resolve(import.meta.dirname, "../dist/cli.js");
    const child = spawn(process.execPath, ["--require", peak, bundle, "post"], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        TMPDIR: folder,
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: apiUrl,
        GITHUB_REPOSITORY: "octo/app",
        GITHUB_RUN_ID: "90",
        GITHUB_RUN_NUMBER: "90",
        GITHUB_SHA: "c".repeat(40),
        GITHUB_EVENT_NAME: "workflow_run",
        GITHUB_EVENT_PATH: event,
        GITHUB_TOKEN: token,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    const status = await new Promise<number | null>((done) => child.once("close", done));
    return { status, output, peakBytes: Number(await readFile(`${peak}.peak`, "utf8")) * 1_024 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
