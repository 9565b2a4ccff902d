import { expect, test } from "vitest";

import { redact, withoutLogins } from "../../src/text/redact.ts";
import { cpuMs } from "../cpu-time.ts";

test.for([
  {
    name: "the password of a URL",
    variables: { DATABASE_URL: "postgresql://app:hunter2secret@127.0.0.1:5432/x" },
    text: "cannot connect to postgresql://app:hunter2secret@127.0.0.1:5432/x",
    expected: "cannot connect to postgresql://app:***@127.0.0.1:5432/x",
  },
  {
    name: "the same, decoded",
    variables: { URL: "redis://:p%40ss-word@127.0.0.1" },
    text: "password=p@ss-word or p%40ss-word",
    expected: "password=*** or ***",
  },
  {
    name: "a value named like a secret",
    variables: { STRIPE_API_KEY: "sk_live_123", MODE: "production" },
    text: "sk_live_123 in production",
    expected: "*** in production",
  },
  {
    name: "the longer of two that overlap",
    variables: { A_TOKEN: "abcdef", B_TOKEN: "abcdefgh" },
    text: "abcdefgh",
    expected: "***",
  },
  {
    name: "nothing so short that it is everywhere",
    variables: { TOKEN: "a" },
    text: "banana",
    expected: "banana",
  },
  {
    name: "nothing for a broken escape",
    variables: { URL: "http://u:%zz1234@h" },
    text: "x %zz1234",
    expected: "x ***",
  },
  {
    name: "no path of a key file",
    variables: { JWT_PRIVATE_KEY: "certs/private.pem" },
    text: "No such file or directory: 'certs/private.pem'",
    expected: "No such file or directory: 'certs/private.pem'",
  },
])("hides $name", ({ variables, text, expected }) => {
  expect(redact(text, variables)).toBe(expected);
});

test.for<readonly [string, string]>([
  [
    "Looking in indexes: https://user:pass@index.example/simple",
    "Looking in indexes: https://***@index.example/simple",
  ],
  [
    "git+https://token@git.example/x@v1 and http://a:b@c",
    "git+https://***@git.example/x@v1 and http://***@c",
  ],
  ["https://index.example/a@b.whl x@y", "https://index.example/a@b.whl x@y"],
  ["", ""],
])("T32: logins in addresses: %s", ([text, hidden]) => {
  expect(withoutLogins(text)).toBe(hidden);
});

test("T29: to hide logins takes linear time", () => {
  for (const piece of ["://", "://a", "a", "@", "://@"]) {
    const before = cpuMs();
    withoutLogins(piece.repeat(1_000_000 / piece.length));
    expect(cpuMs() - before).toBeLessThan(1_000);
  }
});
