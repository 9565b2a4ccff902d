import { expect, test } from "vitest";

import { lackingWheels } from "../../src/repository/lock-files.ts";

const file = (name: string) => `    {file = "${name}.whl", hash = "sha256:0"},\n`;

test.for<readonly [what: string, files: readonly string[], lacking: readonly number[]]>([
  ["a pure one", ["a-1.0-py3-none-any"], []],
  ["one of both Pythons", ["a-1.0-py2.py3-none-any"], []],
  ["this version's", ["a-1.0-cp310-cp310-manylinux_2_17_x86_64", "a-1.0-cp311-cp311-linux_x86_64"], [9, 12]],
  ["the stable interface's", ["a-1.0-cp310-abi3-manylinux1_x86_64"], [9]],
  ["a build of it", ["a-1.0-1-cp311-cp311-manylinux1_x86_64"], [9, 10, 12]],
  ["another system's alone", ["a-1.0-cp310-cp310-win_amd64"], []],
  ["none", [], []],
])("a package lacks wheels for some versions: %s", ([, files, lacking]) => {
  const lock = files.map(file).join("");
  expect([9, 10, 11, 12].filter((minor) => lackingWheels(lock, minor) > 0)).toEqual(lacking);
});

test("packages are counted each by itself, in the form of uv.lock, too", () => {
  const url = (name: string) => `    { url = "https://x/${name}.whl", hash = "sha256:0" },\n`;
  const lock = [url("a-1-cp39-cp39-manylinux1_x86_64"), url("B_c-2.1-cp39-cp39-manylinux1_x86_64")].join("");
  expect([lackingWheels(lock, 9), lackingWheels(lock, 10)]).toEqual([0, 2]);
});
