import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { printedBy } from "../../../src/adapters/server/index.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "printed-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const python = { binFolder: "/nowhere", interpreter: "python3", version: "3.11", packages: {} };

interface Asked {
  readonly values?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The whole command. */
  readonly text?: string;
}

/** What a line of Node prints. */
function printed(code: string, { values = {}, signal, text }: Asked = {}): Promise<string> {
  return printedBy(
    {
      input: "login (l.yml:1:1): command",
      text: text ?? `'${process.execPath}' -e "${code}" {name}`,
      values,
      folder,
      variables: { SECRET_KEY: "not to be told" },
    },
    python,
    {
      workFolder: folder,
      logPath: join(folder, "logs", "login.log"),
      signal: signal ?? new AbortController().signal,
    },
  );
}
const logged = () => readFile(join(folder, "logs", "login.log"), "utf8");

test("what a command prints comes back, and only its errors are logged", async () => {
  const code = "console.log(process.argv[1], process.env.SECRET_KEY.length); console.error('made one')";
  // A value is one word, whatever is in it.
  expect(await printed(code, { values: { name: "ada b $(c)" } })).toBe("ada b $(c) 14\n");
  expect(await printed(code)).toBe("{name} 14\n");
  expect(await logged()).toBe("made one\nmade one\n");
  expect((await readdir(folder)).toSorted()).toEqual(["logs"]);
});

test("it runs in the app's folder", async () => {
  expect(await printed("console.log(process.cwd())")).toContain("printed-test-");
});

test("no words are no command", async () => {
  expect(await printed("", { text: " " })).toBe("");
});

test("one that fails is told with its last words, without secrets", async () => {
  const code = "console.log('half a token'); console.error(process.env.SECRET_KEY); process.exit(3)";
  await expect(printed(code)).rejects.toMatchObject({
    phase: "log in",
    message: expect.stringMatching(/^login \(l\.yml:1:1\): command ".*" ended with code 3$/),
    logTail: "***\n",
  });
  expect((await readdir(folder)).toSorted()).toEqual(["logs"]);
});

test("a program that is not there is named", async () => {
  await expect(printed("", { text: "make-token --fast" })).rejects.toMatchObject({
    message:
      'login (l.yml:1:1): command "make-token --fast" cannot be run: there is no program make-token in the app\'s environment or on PATH',
  });
});

test("one that prints without end is refused, and its output does not stay", async () => {
  await expect(printed("console.log('x'.repeat(300000))")).rejects.toMatchObject({
    phase: "log in",
    message: expect.stringContaining("its output has 300001 bytes or more; at most 256000 are allowed"),
  });
  expect((await readdir(folder)).toSorted()).toEqual(["logs"]);
});

test("one that hangs ends with the signal", async () => {
  const cancel = new AbortController();
  const asked = printed("setInterval(() => {}, 1000); console.error('waits')", { signal: cancel.signal });
  const ended = asked.then(
    () => "printed",
    (error: unknown) => error,
  );
  cancel.abort(new Error("cancelled"));
  expect(await ended).toMatchObject({ message: "cancelled" });
});
