import { expect, test } from "vitest";

import type { Reply } from "../../../src/endpoints/dry-request.ts";
import {
  documentedSockets,
  socketFrom,
  socketsIn,
  unknownSocket,
} from "../../../src/init/requests/endpoints.ts";

test.for<readonly [document: unknown, paths: readonly string[]]>([
  [{ "x-websockets": ["/chat", "/chat", "/rooms/{room}"] }, ["/chat", "/rooms/{room}"]],
  [{ "x-websockets": ["chat", "/a b", "/a\nb", 5, null] }, []],
  [{ "x-websockets": "/chat" }, []],
  [{}, []],
  [undefined, []],
])("WebSockets in %j", ([document, paths]) => {
  expect(socketsIn(document)).toEqual(paths);
});

test.for<readonly [reply: Reply | string, reason: string | undefined]>([
  [{ status: 101, body: "", answers: 2 }, undefined],
  [
    { status: 101, body: "", answers: 1 },
    "opens, but does not answer `ping`: set what is sent (`body`), docs/endpoints.md",
  ],
  [
    { status: 101, body: "" },
    "opens, but does not answer `ping`: set what is sent (`body`), docs/endpoints.md",
  ],
  [{ status: 403, body: "" }, "needs a login (403); set up `login`"],
  [{ status: 404, body: "" }, "could not be opened (404)"],
  ["no reply\ncame", "could not be opened: no reply came"],
])("a reply of %j", ([reply, reason]) => {
  expect(socketFrom("/chat", reply)).toEqual({ line: "WS /chat", reason });
});

test("one with a parameter is not tried, and none of an app that does not start", () => {
  expect(unknownSocket("/chat")).toBeUndefined();
  const room = { line: "WS /rooms/{room:int}", reason: "needs a room: set `params`" };
  expect(unknownSocket("/rooms/{room:int}")).toEqual(room);
  expect(documentedSockets({ "x-websockets": ["/chat", "/rooms/{room:int}"] })).toEqual([
    { line: "WS /chat", reason: "was not checked" },
    room,
  ]);
});
