import { expect, test } from "vitest";

import { isRepositoryPath } from "../../../src/model/findings/diagnosis.ts";

test.for<[path: string, isOne: boolean]>([
  ["app/orders.py", true],
  ["a b/ü.py", true],
  [".github/x.py", true],
  ["", false],
  ["/etc/passwd", false],
  ["../secrets.py", false],
  ["app/../../x.py", false],
  ["./x.py", false],
  ["app//x.py", false],
  ["app/", false],
  [".git/config", false],
  ["C:/x.py", false],
  ["app\\x.py", false],
  ["app/x\n::error::y", false],
  ["app/\u202ex.py", false],
  ["a".repeat(501), false],
])("%j: %s", ([path, isOne]) => {
  expect(isRepositoryPath(path)).toBe(isOne);
});
