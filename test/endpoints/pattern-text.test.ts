import * as fc from "fast-check";
import { expect, test } from "vitest";

import { accepts, textMatching } from "../../src/endpoints/pattern-text.ts";

test.for<[pattern: string, text: string | undefined]>([
  ["^[a-z_]+$", "loadtest"],
  ["^[a-z]+_[a-z]+$", "load_test"],
  ["^(asc|desc)$", "asc"],
  ["^\\+[1-9]\\d{7,14}$", "+12025550123"],
  ["^\\d{10}$", "0123456789"],
  ["^#[0-9a-fA-F]{6}$", "#a1b2c3"],
  ["^[A-Z]{3}$", "EUR"],
  ["\\A[a-z]+\\Z", "loadtest"],
  ["^(?P<year>\\d{4})-\\d\\d-\\d\\d$", "2026-01-31"],
  ["^/", "/load"],
  ["^never this one$", "never this one"],
  ["^[A-Z]{3}-\\d{4}$", "AAA-0000"],
  ["^(foo|bar)baz?$", "fooba"],
  ["^\\+?[1-9]\\d{1,14}$", "12"],
  ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "a@a.aa"],
  ["^(?:\\d{3}-){2}\\d{4}$", "000-000-0000"],
  ["^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"],
  ["^(?P<kind>[A-Z]{2})_.+?\\.(?:png|jpg)$", "AA_a.png"],
  ["^x{3,}y{0,2}z*$", "xxx"],
  ["^[^!-~]$", " "],
  ["^(?=.*\\d)(?=.*[A-Z]).{30}$", undefined],
  ["^(a)\\1$", undefined],
  ["^x(y$", undefined],
  ["^x)y$", undefined],
  ["^(x|(?=y))z$", undefined],
  ["^x{300}$", undefined],
  ["never$x", undefined],
  ["^[^ -~]$", undefined],
  ["(", undefined],
  ["a".repeat(301), undefined],
  ["^(?:[a-z]+-)*[a-z]+$", "loadtest"],
  [`^${"(".repeat(10)}\\w+${")+".repeat(10)}!$`, undefined],
  [`^${"\\w*".repeat(60)}!$`, undefined],
  [`^(${"a|".repeat(30)}1)+!$`, undefined],
])("%s is matched by %s", ([pattern, text]) => {
  expect(textMatching(pattern)).toBe(text);
});

test("lengths count, too", () => {
  expect(textMatching("^[a-z]+$", 10)).toBe("loadtestlo");
  expect(textMatching("^[a-z]+$", 0, 3)).toBe("en");
  expect(textMatching("^[a-z]+$", 40)).toBe("a".repeat(40));
  expect(textMatching("^[a-z]+$", 400)).toBeUndefined();
  expect(textMatching("^[A-Z]{2}\\d*$", 5, 6)).toBe("AA000");
});

test("any pattern is tried to its end, also one that goes through everything", () => {
  expect(textMatching("^(\\w+\\w*)*!$")).toBe("!");
  expect(textMatching("^((\\w+)+)+!$")).toBe("a!");
  expect(textMatching(`^${"\\w*".repeat(8)}!$`)).toBe("!");
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (pattern) => {
      const text = textMatching(pattern);
      return text === undefined || (text.length <= 200 && accepts(pattern, text));
    }),
  );
});

test.for<[pattern: string, text: string, isAccepted: boolean]>([
  ["^[a-z\\d ]+$", `${"a word ".repeat(6)}12`, true],
  ["^[a-z]+$", "name12", false],
  ["(", "name12", false],
  ["^(a+)+!$", "a".repeat(39), false],
  ["^(\\w+)+$", "name12", true],
  [`^${"\\w*".repeat(6)}$`, "name12", true],
  [`^${"\\w*".repeat(6)}$`, "a".repeat(39), false],
])("%s accepts %s: %s", ([pattern, text, isAccepted]) => {
  const startMs = performance.now();
  expect(accepts(pattern, text)).toBe(isAccepted);
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
