import { expect, test } from "vitest";

import { noteShared, noteTroubles, sharedOf, troublesOf } from "../../src/measure/notices.ts";
import type { AppServer } from "../../src/ports/app.ts";
import type { Trouble } from "../../src/text/telling-line.ts";
import { cell } from "../fixtures/measurement.ts";

const serving = (...logs: (readonly Trouble[])[]) => {
  let calls = 0;
  const app: Partial<AppServer> = { troubles: () => logs[calls++] ?? [] };
  return { app: app as AppServer };
};
const pool = "sqlalchemy.exc.TimeoutError: QueuePool limit of size 1 overflow 0 reached";

test("the most frequent exception since the load before is said, with a remedy", () => {
  const [first, second] = [cell({ path: "/a" }), cell({ path: "/b" })];
  const running = new Map([
    [
      "head",
      serving(
        [{ text: pool, times: 3 }],
        [
          { text: "OSError: rare", times: 1 },
          { text: "KeyError: 'a'", times: 2_000 },
          { text: pool, times: 3 },
        ],
      ),
    ],
  ] as const);
  noteTroubles(first, running);
  noteTroubles(second, running);
  expect(troublesOf(first)).toEqual([
    `the app's log has "${pool}" 3 times: the app's connection pool is too small for the load: enlarge it, or use fewer virtual users (\`vus\`)`,
  ]);
  expect(troublesOf(second)).toEqual(["the app's log has \"KeyError: 'a'\" 2,000 times"]);
});

test("of several loads the worst counts, and each arm has its own", () => {
  const loaded = cell({ path: "/a" });
  const [base, head] = [
    serving([{ text: "OSError: a", times: 1 }]),
    serving([{ text: "OSError: b", times: 5 }]),
  ];
  noteTroubles(
    loaded,
    new Map([
      ["base", base],
      ["head", head],
    ] as const),
  );
  noteTroubles(loaded, new Map([["head", serving([{ text: "OSError: c", times: 2 }])]] as const));
  expect(troublesOf(loaded)).toEqual([
    'the base\'s log has "OSError: a" once',
    'the head\'s log has "OSError: b" 5 times',
  ]);
  expect(troublesOf(cell({ path: "/none" }))).toEqual([]);
});

test("shared things are said once", () => {
  const loaded = cell({ path: "/a" });
  const app = (ports: number[]) => ({
    app: { holdings: () => ({ ports, paths: [] }) } as unknown as AppServer,
  });
  const both = new Map([
    ["base", app([9_105])],
    ["head", app([])],
  ] as const);
  noteShared(loaded, both);
  noteShared(loaded, both);
  noteShared(loaded, new Map([["head", app([1])]] as const));
  expect(sharedOf(loaded)).toHaveLength(1);
  expect(sharedOf(cell({ path: "/none" }))).toEqual([]);
});
