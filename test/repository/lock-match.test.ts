import fc from "fast-check";
import { expect, test } from "vitest";

import { compiledMismatch, lockMismatch } from "../../src/repository/lock-files.ts";

test.for<
  readonly [asked: string[], locked: { name: string; specifier?: string }[], expected: string | undefined]
>([
  [[], [], undefined],
  [
    ["fastapi >=0.1, <1", "Psycopg[binary]"],
    [{ name: "fastapi", specifier: "<1,>=0.1" }, { name: "psycopg" }],
    undefined,
  ],
  [["httpx (>=0.27)"], [{ name: "httpx", specifier: ">=0.27" }], undefined],
  [["a.b_c"], [{ name: "a-b-c" }], undefined],
  [
    ["x==1; sys_platform == 'linux'", "x==2; sys_platform != 'linux'"],
    [
      { name: "x", specifier: "==2" },
      { name: "x", specifier: "==1" },
    ],
    undefined,
  ],
  [["fastapi", "httpx", "rich"], [{ name: "fastapi" }], "it lacks httpx, rich"],
  [["fastapi"], [{ name: "fastapi" }, { name: "rich" }], "it still has rich"],
  [["fastapi>=0.2"], [{ name: "fastapi", specifier: ">=0.1" }], "it expects other versions of fastapi"],
  [["lib @ https://example.org/lib.whl"], [{ name: "lib" }], undefined],
])("a lock file against %j", ([asked, locked, expected]) => {
  expect(lockMismatch(asked, locked)).toBe(expected);
});

test("versions of what has a source of its own do not count", () => {
  const locked = [{ name: "lib" }];
  expect(lockMismatch(["Lib>=1"], locked, ["lib"])).toBeUndefined();
  expect(lockMismatch(["Lib>=1"], locked)).toBe("it expects other versions of lib");
});

test.for<readonly [source: string, compiled: string, expected: string | undefined]>([
  ["", "", undefined],
  [
    "fastapi\nuvicorn[standard]>=0.3 # a server\n-r more.in\n-e .\n./lib\nhttps://example.org/a.whl",
    "fastapi==1\nUvicorn[standard]==0.5 \\\n    --hash=sha256:abc",
    undefined,
  ],
  ["fastapi==1.0", "fastapi==1.0 --hash=sha256:abc\n    # via -r requirements.in", undefined],
  ["fastapi\nhttpx", "fastapi==1.0\n# httpx", "it lacks httpx"],
  ["fastapi==1.1", "fastapi==1.0", "it pins fastapi==1.0, not ==1.1"],
  ["fastapi==1.*", "fastapi==1.0", undefined],
  ["lib @ https://example.org/lib.whl", "lib @ https://example.org/lib.whl", undefined],
])("a compiled file against %j", ([source, compiled, expected]) => {
  expect(compiledMismatch(source, compiled)).toBe(expected);
});

test("any text is taken", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (source, compiled) => {
      expect(compiledMismatch(source, source)).toBeUndefined();
      expect(["undefined", "string"]).toContain(typeof compiledMismatch(source, compiled));
      expect(lockMismatch([source], [{ name: compiled }])).not.toBe("");
    }),
  );
});
