import { expect, test } from "vitest";

import { clashWords, type Holdings, sharedThings } from "../../../src/model/measurement/shared-things.ts";

const none: Holdings = { ports: [], paths: [] };
const ports = (...each: number[]): Holdings => ({ ...none, ports: each });
const paths = (...each: string[]): Holdings => ({ ...none, paths: each });

test.for<readonly [reason: string, held: Holdings | undefined, begins: string]>([
  [
    "OSError: [Errno 98] Address already in use",
    ports(9_105),
    "both versions listen on port 9105, which only one of them can have: OSError",
  ],
  ["port 5678 is taken", ports(9_105, 5_678), "both versions listen on port 5678,"],
  [
    "error: bind ('0.0.0.0', 8125): address in use",
    ports(8_125, 40_000),
    "both versions listen on port 8125,",
  ],
  [
    "OSError: [Errno 98] Address already in use",
    ports(9_105, 5_678),
    "each version starts only without the other,",
  ],
  ["OSError: [Errno 98] /tmp/app.sock", paths("/tmp/app.sock"), "both versions need /tmp/app.sock, which"],
  [
    "BlockingIOError: /tmp/app.lock",
    paths("/tmp/other", "/tmp/app.lock"),
    "both versions need /tmp/app.lock, which",
  ],
  [
    "RuntimeError: already running",
    undefined,
    "each version starts only without the other, so both need something",
  ],
])("%s with %j", ([reason, held, begins]) => {
  const said = clashWords(reason, held);
  expect(said.startsWith(begins), said).toBe(true);
  expect(said).toContain(reason);
  expect(said).toContain("`app-env`");
});

test.for<readonly [base: Holdings, head: Holdings, expected: readonly RegExp[]]>([
  [none, none, []],
  [ports(9_105), none, [/^only the base listens on port 9105; if the head needs it/]],
  [none, ports(9_105), [/^only the head listens on port 9105; if the base needs it/]],
  [ports(9_105), ports(9_106), []],
  [ports(40_001), ports(40_002, 40_003), []],
  [ports(9_105), ports(9_105), [/^both versions listen on port 9105, so each gets part/]],
  [paths("/tmp/a", "/tmp/cache.db"), paths("/tmp/cache.db"), [/^both versions write to \/tmp\/cache\.db/]],
])("what %j and %j share", ([base, head, expected]) => {
  const said = sharedThings(base, head);
  expect(said).toHaveLength(expected.length);
  for (const [index, each] of expected.entries()) expect(said[index]).toMatch(each);
});
