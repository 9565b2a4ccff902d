import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { describe, expect, test } from "vitest";

import { root } from "./files.ts";

const { judgedPin, pinsIn, versionsIn } = await import(`${root}/scripts/lib/pins.mjs`);

const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40));
const line = (commit: string | undefined, ref: string) => `003f${commit} ${ref}\n`;
/** As GitHub's server says it: lines with their length before them, annotated tags with their commit. */
const advertisement = [
  "001e# service=git-upload-pack\n0000",
  `0155${one} HEAD\0multi_ack symref=HEAD:refs/heads/main\n`,
  line(one, "refs/heads/main"),
  line(one, "refs/tags/v6.9.0"),
  line(two, "refs/tags/v6.10.0"),
  line(three, "refs/tags/v6.10.0^{}"),
  line(one, "refs/tags/v6"),
  line(two, "refs/tags/v7.0.0-beta.1"),
  "0000",
].join("");

describe("pins of actions", () => {
  test("are read with their versions, each once", () => {
    const text = [
      `- uses: actions/cache/save@${one} # v6.1.0`,
      `  uses: "actions/cache/restore@${one}" # v6.1.0 and why`,
      `- uses: actions/cache@${two} # v6.1.0`,
      "- uses: $/",
      "- uses: org/fastapi-loadtest-action@v1",
    ].join("\n");
    expect(pinsIn([text, text])).toEqual([
      { action: "actions/cache", commit: one, version: "v6.1.0" },
      { action: "actions/cache", commit: two, version: "v6.1.0" },
    ]);
  });

  test("are compared with the commits of whole versions, also of annotated tags", () => {
    expect([...versionsIn(advertisement)]).toEqual([
      ["v6.9.0", one],
      ["v6.10.0", three],
    ]);
  });

  test.for([
    ["the newest", three, "v6.10.0", {}],
    ["an older release", one, "v6.9.0", { news: `a/b is at v6.9.0; v6.10.0 is ${three}` }],
    [
      "a comment that is not true",
      one,
      "v6.10.0",
      { problem: `a/b is pinned at ${one}, but v6.10.0 is ${three}` },
    ],
    ["a version that does not exist", one, "v9.0.0", { problem: "a/b has no version v9.0.0" }],
  ] as const)("%s", ([, commit, version, judgement]) => {
    expect(judgedPin({ action: "a/b", commit, version }, versionsIn(advertisement))).toEqual(judgement);
  });
});

/** Runs the check against a server on loopback. */
async function checkAgainst(answer: string, ...args: readonly string[]) {
  await using server = createServer((_, response) => response.end(answer));
  return await check(await portOf(server), ...args);
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

async function check(port: number, ...args: readonly string[]) {
  const child = spawn(process.execPath, [`${root}/scripts/pins.mjs`, ...args], {
    env: { PATH: process.env["PATH"], LOADTEST_PINS_SERVER: `http://127.0.0.1:${port}` },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
    });
  const status = await new Promise((done) => child.once("close", done));
  return { status, text };
}

describe("T23: the check of all pins", () => {
  test("says `not checked` where nobody answers, and fails nothing", async () => {
    const { status, text } = await check(1, "--newest");
    expect(status).toBe(0);
    expect(text).toMatch(/^not checked: actions\/checkout: http:\/\/\S+ cannot be reached \(.+\)$/m);
    expect(text).toMatch(
      /^0 of \d+ actions are at their newest release, pinned by its commit; \d+ not checked$/m,
    );
  });

  test("says `not checked` of a proxy's page", async () => {
    const { status, text } = await checkAgainst("<html>sorry</html>");
    expect(status).toBe(0);
    expect(text).toMatch(/^not checked: .* does not answer as git does$/m);
  });

  test("fails for a commit that is not the version beside it", async () => {
    const { status, text } = await checkAgainst(
      `# service=git-upload-pack\n${line(one, "refs/tags/v7.0.1")}`,
    );
    expect(status).toBe(1);
    expect(text).toMatch(/^wrong: actions\/checkout is pinned at [0-9a-f]{40}, but v7\.0\.1 is 1{40}$/m);
  });
});
