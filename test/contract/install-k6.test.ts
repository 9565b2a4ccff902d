import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { action, root } from "./files.ts";

const { k6 } = await import(`${root}/scripts/setup/programs.mjs`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "install-k6-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the action's step against a mirror on loopback that answers as told. */
async function install(answer: RequestListener, variables: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  await using server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const output = join(folder, "output");
  writeFileSync(output, "");
  const child = spawn(process.execPath, [join(root, "scripts/install-k6.mjs")], {
    env: {
      PATH: process.env["PATH"],
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: output,
      LOADTEST_K6_RELEASES: `http://127.0.0.1:${port}/`,
      ...variables,
    },
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const status = await new Promise((done) => child.once("close", done));
  const left = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith("/k6"));
  return { status, text, asked, left, outputs: readFileSync(output, "utf8") };
}

test("T24: what is not k6's release is refused at once, and nothing of it is kept", async () => {
  const { status, text, asked, left, outputs } = await install((_, response) => response.end("not k6"));
  expect(status).toBe(3);
  expect(text).toMatch(
    /^::error title=k6 cannot be installed::\S+ has SHA-256 \w{64}, expected \w{64}; it was not unpacked\n$/,
  );
  expect([asked.length, left, outputs]).toEqual([1, [], ""]);
});

test("T24: a server that does not have it is asked again, then named", async () => {
  const { status, text, asked, outputs } = await install((_, response) => {
    response.statusCode = 503;
    response.end();
  });
  expect(status).toBe(3);
  expect(text).toMatch(/^::error title=k6 cannot be installed::\S+ cannot be downloaded \(status 503\)\n$/);
  expect([asked.length, outputs]).toEqual([2, ""]);
});

test("T24: of what setup-k6-action left, nothing with another hash is run", async () => {
  const name = "0f0a1b2c-0000-4000-8000-0123456789ab";
  writeFileSync(join(folder, name), "not k6 either");
  const { status, text, asked, left, outputs } = await install((_, response) => response.end("not k6"), {
    SETUP_K6: "success",
  });
  expect(text).toMatch(
    /^::notice::grafana\/setup-k6-action left no k6 2\.2\.0 with our SHA-256; it is downloaded again\n::error title=k6/,
  );
  expect([status, asked.length, left, outputs]).toEqual([3, 1, [], ""]);
});

test("T24: grafana/setup-k6-action comes first, without a token, at the version whose hashes we have", () => {
  const step = action.runs.steps.find(({ uses }) => uses?.startsWith("grafana/"));
  expect(step).toMatchObject({
    id: "setup-k6",
    uses: expect.stringMatching(/^grafana\/setup-k6-action@[0-9a-f]{40}$/),
    with: { "k6-version": k6.version, "github-token": "" },
    "continue-on-error": true, // then our own download is the fallback
  });
  for (const { file, member } of Object.values<{ file: string; member: string }>(k6.archives))
    expect([file, member]).toEqual([
      expect.stringContaining(k6.version),
      expect.stringContaining(k6.version),
    ]);
});

test("T24: the action gets k6 by that step alone, and hands on where it is", () => {
  const { steps } = action.runs;
  const step = steps.find(({ id }) => id === "k6");
  expect(step?.run).toBe('node "$GITHUB_ACTION_PATH/scripts/install-k6.mjs"');
  expect(step?.if).toBe(`\${{ steps.preflight.outputs.k6 == 'wanted' }}`);
  expect(steps.find(({ id }) => id === "measure")?.env?.["LOADTEST_K6"]).toBe(
    `\${{ steps.k6.outputs.path || steps.preflight.outputs.k6-path }}`,
  );
  expect(step?.env?.["SETUP_K6"]).toBe(`\${{ steps.setup-k6.outcome }}`);
  const foreign = steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !uses.startsWith("actions/"));
  expect(foreign).toEqual([expect.stringMatching(/^grafana\/setup-k6-action@/)]);
});
