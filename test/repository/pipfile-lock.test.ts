import { expect, test } from "vitest";

import { requirementsOfPipfileLock } from "../../src/repository/lock-files.ts";

const hash = `sha256:${"0".repeat(64)}`;

test.for<readonly [what: string, packages: unknown, lines: readonly string[] | undefined]>([
  [
    "pins with hashes, markers and extras",
    {
      fastapi: { hashes: [hash], index: "pypi", version: "==0.110.0" },
      uvicorn: {
        extras: ["standard"],
        hashes: [hash],
        markers: "python_version >= '3.8'",
        version: "==0.29.0",
      },
    },
    [`fastapi==0.110.0 --hash=${hash}`, `uvicorn[standard]==0.29.0 ; python_version >= '3.8' --hash=${hash}`],
  ],
  [
    "a repository's package, after which hashes can no longer be asked for",
    {
      a: { hashes: [hash], version: "==1" },
      b: { git: "https://git.example/b", ref: "abc" },
      c: { git: "https://git.example/c" },
    },
    ["a==1", "b @ git+https://git.example/b@abc", "c @ git+https://git.example/c"],
  ],
  ["not the project itself", { own: { editable: true, path: "." } }, []],
  ["nothing without packages", undefined, undefined],
])("of a Pipfile.lock: %s", ([, packages, lines]) => {
  expect(requirementsOfPipfileLock(JSON.stringify({ default: packages, develop: { pytest: {} } }))).toEqual(
    lines,
  );
});

test("what is no Pipfile.lock has none", () => {
  expect(requirementsOfPipfileLock("= no JSON")).toBeUndefined();
});
