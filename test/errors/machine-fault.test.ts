import { expect, test } from "vitest";

import { machineFault } from "../../src/errors/errors.ts";

const withCode = (message: string, code: unknown) => Object.assign(new Error(message), { code });

test.for([
  [
    "a full disk",
    withCode("ENOSPC: no space left on device, write", "ENOSPC"),
    /^the disk is full \(ENOSPC: no/,
  ],
  ["too many files", withCode("EMFILE: too many open files", "EMFILE"), /^too many open files \(/],
  [
    "a folder of others",
    withCode("EACCES: permission denied, rmdir '/r'", "EACCES"),
    /^permission denied \(EACCES/,
  ],
  [
    "a working folder that was deleted",
    withCode("ENOENT: no such file or directory, uv_cwd", "ENOENT"),
    /^the working directory no longer exists; change to another one$/,
  ],
  [
    "no loopback interface",
    withCode("listen EADDRNOTAVAIL: address not available 127.0.0.1", "EADDRNOTAVAIL"),
    /^this machine has no such address: is its loopback interface up\? \(listen/,
  ],
  [
    "too little shared memory",
    Object.assign(withCode("could not resize shared memory segment", "53100"), { severity: "ERROR" }),
    /^Postgres could not continue \(53100: could not resize shared memory segment\)$/,
  ],
  ["no memory", withCode("spawn ENOMEM", "ENOMEM"), /^out of memory \(spawn ENOMEM\)$/],
] as const)("F18: %s is the machine's fault, in its words", ([, error, words]) => {
  expect(machineFault(error)).toMatch(words);
});

test.for([
  ["a mistake of ours", new TypeError("x is not a function")],
  ["a file that is not there", withCode("ENOENT", "ENOENT")],
  ["a code that is a name of every object", withCode("x", "constructor")],
  ["a mistake in our SQL", Object.assign(withCode("syntax error", "42601"), { severity: "ERROR" })],
  ["what is no error", { code: "ENOSPC" }],
] as const)("%s is not", ([, error]) => {
  expect(machineFault(error)).toBeUndefined();
});
