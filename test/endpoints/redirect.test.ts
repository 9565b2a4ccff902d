import { expect, test } from "vitest";

import { redirectIn } from "../../src/endpoints/dry-request.ts";
import { redirectWords } from "../../src/model/measurement/redirects.ts";

test.for([
  [307, "http://127.0.0.1:80/plain", "307 to /plain"],
  [301, "http://127.0.0.1:80", "301 to /"],
  [308, "https://127.0.0.1/boats", "308 to https://127.0.0.1/boats"],
  [303, "/login?next=1", "303 to /login?next=1"],
  [302, undefined, "302"],
  [302, `/${"x".repeat(300)}`, expect.stringMatching(/^302 to \/x{100,149}…?/)],
  [304, "/x", undefined],
  [200, "/x", undefined],
  [404, undefined, undefined],
] as const)("%i with the address %s", ([status, place, words]) => {
  const headers = place === undefined ? undefined : { location: [place] };
  expect(redirectIn({ status, body: "", ...(headers && { headers }) }, "http://127.0.0.1:80")).toEqual(words);
});

test.for([
  [{ head: "307 to /plain" }, "GET /plain/ answered 307 to /plain: measure that instead"],
  [{ base: "307 to /a", head: "307 to /a" }, "GET /plain/ answered 307 to /a: measure that instead"],
  [{ base: "302" }, "GET /plain/ answered 302: measure the address in its Location header instead"],
  [
    { head: "307 to /a", isApart: true },
    "GET /plain/ answered without a redirect in the base and 307 to /a in the head: measure the same path in both",
  ],
  [
    { base: "307 to /a", isApart: true },
    "GET /plain/ answered 307 to /a in the base and without a redirect in the head: measure the same path in both",
  ],
  [
    { head: "307 to https://127.0.0.1:41234/a" },
    "GET /plain/ answered 307 to https://127.0.0.1:41234/a: send the header `X-Forwarded-Proto: https`, which uvicorn trusts here, or turn this off in `app-env`",
  ],
  [
    { head: "302 to https://sso.example/in" },
    "GET /plain/ answered 302 to https://sso.example/in: send the `headers`, such as `Host`, or the `login` that it expects",
  ],
  [
    { head: "302 to //www.example/plain/" },
    "GET /plain/ answered 302 to //www.example/plain/: send the `headers`, such as `Host`, or the `login` that it expects",
  ],
  [
    { head: "302 to /plain/" },
    "GET /plain/ answered 302 to /plain/: send the `headers`, such as `Host`, or the `login` that it expects",
  ],
  [{}, "GET /plain/ answered : measure the address in its Location header instead"],
] as const)("%j reads %s", ([redirect, words]) => {
  expect(redirectWords({ request: "GET /plain/", ...redirect })).toBe(words);
});
