import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openRunner } from "../../../src/adapters/runner/runner.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runner-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const sha = "1".repeat(40);
const run = {
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "octo/app",
  GITHUB_RUN_ID: "1",
  GITHUB_RUN_NUMBER: "1",
  GITHUB_SHA: sha,
  GITHUB_EVENT_NAME: "pull_request",
};

async function fileWith(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Everything that is written to the standard output meanwhile: the runner would take commands from it. */
async function printed(action: () => Promise<void>): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await action();
  const text = write.mock.calls.map(([chunk]) => String(chunk)).join("");
  write.mockRestore();
  return text;
}

describe("the event file", () => {
  test("is read into the context", async () => {
    const repo = { full_name: "octo/app" };
    const payload = { pull_request: { number: 7, head: { sha, repo }, base: { sha, repo } } };
    const path = await fileWith("event.json", JSON.stringify(payload));
    const { context } = await openRunner({ ...run, GITHUB_EVENT_PATH: path });
    expect(context).toMatchObject({ kind: "github", pullRequest: { number: 7, isFork: false } });
  });

  test("may be missing", async () => {
    const reason = "there is no event file (GITHUB_EVENT_PATH is not set)";
    expect((await openRunner(run)).context).toMatchObject({ pullRequest: { kind: "none", reason } });
    const { context } = await openRunner({ ...run, GITHUB_EVENT_PATH: join(folder, "none.json") });
    expect(context).toMatchObject({
      pullRequest: { reason: "the event file does not exist" },
    });
  });

  test("T36: may be a folder or a pipe", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const path of [folder, pipe]) {
      const { context } = await openRunner({ ...run, GITHUB_EVENT_PATH: path });
      expect(context).toMatchObject({ pullRequest: { reason: "the event file is not a plain file" } });
    }
  });
});

test("outside of a workflow nothing is written or printed", async () => {
  const runner = await openRunner({});
  const text = await printed(async () => {
    await runner.setOutputs({ verdict: "complete" });
    await runner.addSummary("# Table");
    await runner.setSecret("s3cret");
  });
  expect(text).toBe("");
  expect(runner.context.kind).toBe("local");
});

describe("outputs", () => {
  test("cannot be broken out of", async () => {
    const path = await fileWith("output", "");
    vi.stubEnv("GITHUB_OUTPUT", path);
    const hostile = { figures: '{"a":1}\nEOF\nother=1\r\n\u2028x<<y', verdict: "complete" };
    const runner = await openRunner({ ...run, GITHUB_OUTPUT: path });
    expect(await printed(() => runner.setOutputs(hostile))).toBe("");
    expect(parseOutputs(await readFile(path, "utf8"))).toEqual(hostile);
  });
});

test("a secret is hidden by a command that cannot be broken out of", async () => {
  const runner = await openRunner(run);
  expect(await printed(() => runner.setSecret("a\n::set-output name=x::y"))).toBe(
    "::add-mask::a%0A::set-output name=x::y\n",
  );
  expect(await printed(() => runner.setSecret(""))).toBe("");
});

describe("the summary", () => {
  const row = `| ${"é".repeat(48)} |\n`; // 101 bytes

  test("is appended to what is there", async () => {
    const path = await fileWith("summary", "# Before");
    const runner = await openRunner({ GITHUB_STEP_SUMMARY: path });
    await runner.addSummary("# Ours");
    await runner.addSummary("# More\n");
    expect(await readFile(path, "utf8")).toBe("# Before\n# Ours\n\n# More\n");
  });

  test("is made when it is not there yet", async () => {
    const path = join(folder, "summary");
    await (await openRunner({ GITHUB_STEP_SUMMARY: path })).addSummary("# Ours");
    expect(await readFile(path, "utf8")).toBe("# Ours\n");
  });

  test.for([
    ["nothing", 0],
    ["almost all", 890_000],
  ] as const)("is cut at a line when it is too large for the room that %s leaves", async ([, bytesThere]) => {
    const path = await fileWith("summary", "x".repeat(bytesThere));
    await (await openRunner({ GITHUB_STEP_SUMMARY: path })).addSummary(row.repeat(20_000));
    const text = await readFile(path, "utf8");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(899_000);
    const lines = text.slice(bytesThere).trim().split("\n");
    expect(lines.at(-1)).toMatch(/^\*The rest is omitted, .+\*$/);
    expect(new Set(lines.slice(0, -2))).toEqual(new Set([row.trimEnd()]));
  });

  test("F18: that cannot be written is said so", async () => {
    const runner = await openRunner({ GITHUB_STEP_SUMMARY: folder });
    await expect(runner.addSummary("# Ours")).rejects.toThrow(
      /^the job summary \(GITHUB_STEP_SUMMARY\) cannot be written: EISDIR/,
    );
  });

  test("is left alone when nothing fits any more", async () => {
    const path = await fileWith("summary", "x".repeat(900_000));
    await (await openRunner({ GITHUB_STEP_SUMMARY: path })).addSummary("# Ours");
    expect(await readFile(path, "utf8")).toHaveLength(900_000);
  });
});

/** Reads an output file by the runner's own rules. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [, name = "", delimiter = ""] = /^([^=\n]+?)<<(.+)\n/.exec(rest) ?? [];
    const start = `${name}<<${delimiter}\n`.length;
    const end = rest.indexOf(`\n${delimiter}\n`, start);
    if (name === "" || end < 0) throw new Error(`no output: ${rest}`);
    outputs[name] = rest.slice(start, end);
    rest = rest.slice(end + delimiter.length + 2);
  }
  return outputs;
}

describe("annotations", () => {
  const annotation = { path: "app/a,b.py", line: 37, title: "Load test: x", message: "100%\n::error::y" };

  test("are warnings at their lines that cannot be broken out of", async () => {
    const runner = await openRunner(run);
    const text = await printed(() => runner.annotate([annotation]));
    expect(text).toBe("::warning title=Load test%3A x,file=app/a%2Cb.py,line=37::100%25%0A::error::y\n");
  });

  test("are nothing outside of a workflow", async () => {
    const runner = await openRunner({});
    expect(await printed(() => runner.annotate([annotation]))).toBe("");
  });
});
