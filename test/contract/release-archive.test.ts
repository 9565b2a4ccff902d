import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { root } from "./files.ts";

const { installFromArchive, installFromBytes, leftArchive, Unreachable } = await import(
  `${root}/scripts/setup/archive.mjs`
);

let folder: string;
let archive: Buffer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "release-archive-"));
  mkdirSync(join(folder, "made/k6-v0"), { recursive: true });
  writeFileSync(join(folder, "made/k6-v0/k6"), "#!/bin/sh\necho k6\n");
  execFileSync("tar", ["-czf", join(folder, "made.tar.gz"), "-C", join(folder, "made"), "k6-v0/k6"]);
  archive = readFileSync(join(folder, "made.tar.gz"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs from a server on loopback that answers as told; the target's folder is what is left behind. */
async function install(answer: RequestListener, sha256 = sha256Of(archive)) {
  await using server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const target = join(folder, "bin/k6");
  await installFromArchive({ url: `http://127.0.0.1:${port}/k6.tar.gz`, sha256, member: "k6-v0/k6", target });
  return target;
}

const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const leftBehind = () =>
  readdirSync(folder).flatMap((name) => (name === "bin" ? readdirSync(join(folder, "bin")) : []));

test("a release with the right hash is unpacked and can be run", async () => {
  const target = await install((_, response) => response.end(archive));
  expect(execFileSync(target, { encoding: "utf8" })).toBe("k6\n");
  expect(statSync(target).mode & 0o777).toBe(0o755);
  expect(leftBehind()).toEqual(["k6"]);
});

const flipped = () => Buffer.from(archive).fill((archive[100] ?? 0) ^ 1, 100, 101);

test.for<[string, () => Buffer | string]>([
  ["a flipped byte", flipped],
  ["half a file", () => archive.subarray(0, archive.length / 2)],
  ["a page that says sorry", () => "<html>sorry</html>"],
  ["nothing", () => ""],
])("%s is refused with both hashes, and nothing of it is kept", async ([, make]) => {
  const sent = Buffer.from(make());
  await expect(install((_, response) => response.end(sent))).rejects.toThrow(
    `has SHA-256 ${sha256Of(sent)}, expected ${sha256Of(archive)}`,
  );
  expect(leftBehind()).toEqual([]);
});

test("an archive without the program is refused", async () => {
  writeFileSync(join(folder, "made/other"), "");
  execFileSync("tar", ["-czf", join(folder, "other.tar.gz"), "-C", join(folder, "made"), "other"]);
  const other = readFileSync(join(folder, "other.tar.gz"));
  await expect(install((_, response) => response.end(other), sha256Of(other))).rejects.toThrow(
    "cannot unpack k6-v0/k6",
  );
  expect(leftBehind()).toEqual([]);
});

describe("an archive that another action left", () => {
  const name = "0f0a1b2c-0000-4000-8000-0123456789ab";

  test("is found by its hash alone, and unpacked", async () => {
    writeFileSync(join(folder, "1f0a1b2c-0000-4000-8000-0123456789ab"), "another download");
    writeFileSync(join(folder, name), archive);
    const target = join(folder, "bin/k6");
    const bytes = leftArchive(folder, sha256Of(archive));
    await installFromBytes({ bytes, place: "x", sha256: sha256Of(archive), member: "k6-v0/k6", target });
    expect(execFileSync(target, { encoding: "utf8" })).toBe("k6\n");
  });

  test.for<[string, () => void]>([
    ["it is another", () => writeFileSync(join(folder, name), flipped())],
    ["its name is another", () => writeFileSync(join(folder, "k6.tar.gz"), archive)],
    ["a link or a folder is in its place", () => mkdirSync(join(folder, name))],
    ["there is none", () => undefined],
  ])("is not taken when %s", ([, make]) => {
    make();
    expect(leftArchive(folder, sha256Of(archive))).toBeUndefined();
  });

  test("is not unpacked with another hash", async () => {
    const wrong = { bytes: flipped(), place: "the archive", sha256: sha256Of(archive), member: "k6-v0/k6" };
    await expect(installFromBytes({ ...wrong, target: join(folder, "bin/k6") })).rejects.toThrow(
      `the archive has SHA-256 ${sha256Of(flipped())}, expected ${sha256Of(archive)}; it was not unpacked`,
    );
    expect(leftBehind()).toEqual([]);
  });
});

test.for<[string, RequestListener]>([
  ["a missing file", (_, response) => response.writeHead(404).end()],
  [
    "a redirect to itself",
    (request, response) => response.writeHead(302, { location: request.url ?? "" }).end(),
  ],
  ["a broken connection", (request) => request.socket.destroy()],
])("%s leaves the other way open", async ([, answer]) => {
  await expect(install(answer)).rejects.toThrow(Unreachable);
  expect(leftBehind()).toEqual([]);
});

test("every platform of every program has a hash of its own", async () => {
  const programs = Object.values<{ archives: object }>(await import(`${root}/scripts/setup/programs.mjs`));
  const hashes = programs.flatMap(({ archives }) => Object.values(archives).map(({ sha256 }) => sha256));
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(hashes).size).toBe(hashes.length);
});
