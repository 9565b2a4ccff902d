import { expect, test } from "vitest";
import { Cancelled, EnvironmentError, explain, InputError } from "../../src/errors/errors.ts";

const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
const seedFailed = new EnvironmentError("seed", "schema.sql:3: no such table", { logTail: "ERROR\x1b[2J" });
/** As `await using` makes it where disposing failed, too. */
const suppressed = Object.assign(new Error("An error was suppressed"), {
  name: "SuppressedError",
  error: new Error("the server did not stop"),
  suppressed: new InputError(["vus: must be above 0"]),
});

test.for<readonly [what: string, error: unknown, text: string, status: number]>([
  ["wrong inputs", new InputError(["vus: is wrong"]), "invalid input:\n  - vus: is wrong\n", 2],
  ["the environment", seedFailed, "seed: schema.sql:3: no such table\nERROR", 3],
  ["the machine", full, "the disk is full (ENOSPC: no space left on device, write)\n", 3],
  ["a wish to stop", new Cancelled(130), "", 130],
  [
    "a failure and its cleaning up",
    suppressed,
    "While cleaning up: the server did not stop\ninvalid input:\n  - vus: must be above 0\n",
    2,
  ],
  ["a fault of ours", new TypeError("x is undefined"), "Internal error, please report it:\nTypeError: x", 4],
  [
    "a fault of ours with foreign words",
    Object.assign(new Error("x"), { stack: "Error: a\n  ::add-mask::b ##[add-mask]c\x1b[2J" }),
    "Internal error, please report it:\nError: a\n  : :add-mask::b ## [add-mask]c",
    4,
  ],
  ["what is no error", "thrown text", "Internal error, please report it:\nthrown text\n", 4],
])("explains %s", ([, error, text, status]) => {
  const told = explain(error);
  expect(told.text.startsWith(text)).toBe(true);
  expect(told.text).not.toContain("\x1b");
  expect(told.status).toBe(status);
});
