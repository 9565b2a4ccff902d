import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapedJson } from "../../src/text/json.ts";

describe("JSON whose texts spell no word", () => {
  test.for<readonly [what: string, value: unknown, text: string]>([
    ["a text", "admin", '"a\\u0064m\\u0069n"'],
    ["a key", { ab: 1 }, '{"a\\u0062":1}'],
    ["numbers and what is none", [1, null, true, ""], '[1,null,true,""]'],
    ["quotes and what looks like a key", ['"', '\\":', "a:"], '["\\u0022","\\u005c\\u0022:","a\\u003a"]'],
    ["letters beyond ASCII", "ä😀", '"\\u00e4\\ud83d\\ude00"'],
  ])("%s", ([, value, text]) => {
    expect(escapedJson(value)).toBe(text);
    expect(JSON.parse(escapedJson(value))).toEqual(value);
  });

  test("keeps keys where they are our own words", () => {
    expect(escapedJson({ path: "/admin" }, "plain")).toBe('{"path":"/\\u0061d\\u006di\\u006e"}');
  });

  test("reads as the same value, and holds no two characters of a text beside each other", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(escapedJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    fc.assert(
      fc.property(fc.string({ minLength: 2, unit: "binary-ascii" }), fc.string(), (secret, around) => {
        const text = escapedJson({ [`${around}${secret}`]: [`${secret}${around}`] });
        // Of digits and `u` an escape itself may be made.
        fc.pre(/[g-tv-zG-TV-Z]{2}/.test(secret));
        expect(text).not.toContain(secret);
      }),
    );
  });
});
