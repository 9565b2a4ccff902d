import { expect, test } from "vitest";

import { lackedWords, missingPath } from "../../src/repository/install-failure.ts";

test.for<readonly [reason: string, path: string | undefined]>([
  ["RuntimeError: Directory 'uploads' does not exist", "uploads"],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'data/words.txt'", "data/words.txt"],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/srv/base/data'", "data"],
  ["RuntimeError: File at path ./static/logo.png does not exist.", "static/logo.png"],
  ["OSError: cannot open file 'model.bin'", "model.bin"],
  ['ValueError: could not find "keys/public.pem"', "keys/public.pem"],
  ["No such file or directory: '/var/run/app.sock'", undefined],
  ["No such file or directory: '../outside'", undefined],
  ["No such file or directory: '/srv/base/'", undefined],
  ["RuntimeError: no gate", undefined],
])("%s: %s", ([reason, path]) => {
  expect(missingPath(reason, "/srv/base")).toBe(path);
});

test("what the base lacks is said with a remedy", () => {
  expect(lackedWords("up\nloads")).toMatch(
    /^; the base lacks up.{1,9}loads, which is here but not in Git: let the app/,
  );
});
