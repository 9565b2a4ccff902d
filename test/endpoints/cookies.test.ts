import { expect, test } from "vitest";

import { cookiesAfter, otherDomain, withCookies } from "../../src/endpoints/captures.ts";

/** Forms of `Set-Cookie` in replies to a path, and what the next path gets. */
test.for<
  readonly [what: string, sent: string, set: readonly string[], next: string, got: string | undefined]
>([
  ["a plain one", "/enter", ["a=1"], "/mine", "a=1"],
  ["Secure, on loopback", "/enter", ["a=1; Secure; HttpOnly; SameSite=lax"], "/mine", "a=1"],
  ["a path", "/enter", ["a=1; Path=/shop"], "/shop/cart?x=/y", "a=1"],
  ["another path", "/enter", ["a=1; Path=/shop"], "/shopping", undefined],
  ["the folder of the request", "/a/b/enter?x=/y/z", ["a=1"], "/a/b/c", "a=1"],
  ["another folder", "/a/b/enter", ["a=1"], "/a/c", undefined],
  ["a root without a slash", "enter", ["a=1"], "/", "a=1"],
  ["two, the higher path first", "/x", ["a=1; path=/", "b=2; path=/x"], "/x/y", "b=2; a=1"],
  ["one that replaces another", "/x", ["a=1", "a=2"], "/x", "a=2"],
  ["one that is taken back", "/x", ["a=1", "a=; Max-Age=0"], "/x", undefined],
  ["the same by a day", "/x", ["a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "/x", undefined],
  ["one that lasts", "/x", ["a=1; Max-Age=60; Expires=Thu, 01 Jan 2099 00:00:00 GMT"], "/x", "a=1"],
  ["another host's", "/x", ["a=1; Domain=.harbour.example", "b=2; domain=127.0.0.1"], "/x", "b=2"],
  ["no cookie at all", "/x", ["nonsense"], "/x", undefined],
])("%s", ([, sent, set, next, got]) => {
  const kept = cookiesAfter(
    [],
    { path: sent, host: "127.0.0.1" },
    { status: 302, body: "", headers: { "set-cookie": set } },
  );
  expect(withCookies({ X: "y" }, kept, next)).toEqual({ X: "y", ...(got !== undefined && { Cookie: got }) });
});

test("own cookies of a request come first, and a reply without headers sets none", () => {
  const sent = { path: "/", host: "127.0.0.1" };
  const kept = cookiesAfter([{ name: "a", value: "1", path: "/" }], sent, { status: 200, body: "" });
  expect(withCookies({ cookie: "own=1" }, kept, "/")).toEqual({ cookie: "own=1; a=1" });
});

test.for([
  ["a=1; Domain=Harbour.example", "127.0.0.1", "harbour.example"],
  ["a=1; Domain=.example.com", "shop.example.com", undefined],
  ["a=1; Domain=ample.com", "shop.example.com", "ample.com"],
  ["a=1; Domain=example.com", "example.com", undefined],
  ["a=1", "127.0.0.1", undefined],
  [`a=1; Domain=${"x".repeat(9_000)}`, "127.0.0.1", "x".repeat(253)],
] as const)("%s on %s is for another host: %s", ([text, host, domain]) => {
  const reply = { status: 200, body: "", headers: { "set-cookie": ["b=2", text] } };
  expect(otherDomain(reply, host)).toBe(domain);
  expect(otherDomain({ status: 200, body: "" }, host)).toBeUndefined();
});
