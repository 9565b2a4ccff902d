import { expect, test } from "vitest";
import { acceptancesIn, type Labelling, remarksOfLabels } from "../../src/forge/acceptance.ts";

const labelling: Labelling = {
  id: 56,
  isOn: true,
  label: "loadtest accept /orders",
  author: "ana",
  isBot: false,
  url: "https://github.com/octo/app/pull/7#event-56",
  at: "2026-11-20T10:05:00.000Z",
};
const head = { sha: "dc4f5e0a".padEnd(40, "1"), since: "2026-11-20T10:00:00.000Z" };
const accepted = (...changes: readonly Partial<Labelling>[]) =>
  remarksOfLabels(changes.map((each) => ({ ...labelling, ...each }))).flatMap((remark) =>
    acceptancesIn(remark, head),
  );

test("a label is a line without a reason, and its event says who and where", () => {
  expect(accepted({})).toEqual([
    { endpoint: "/orders", by: "ana", reason: "with a label", url: labelling.url, remark: "l56" },
  ]);
});

test.for<[string, readonly Partial<Labelling>[], readonly object[]]>([
  [
    "names a worker count",
    [{ label: "loadtest accept POST /a, 2 workers" }],
    [{ endpoint: "POST /a", workers: 2 }],
  ],
  [
    "may have a reason of its own",
    [{ label: "loadtest accept /a: slow" }],
    [{ reason: "slow: with a label" }],
  ],
  ["that was taken off counts for nothing", [{}, { id: 57, isOn: false }], []],
  [
    "that is on again is of who put it there",
    [{}, { isOn: false }, { id: 58, author: "bob" }],
    [{ by: "bob", remark: "l58" }],
  ],
  ["from before the push is of another commit", [{ at: head.since }], []],
  ["of a bot counts for nothing", [{ isBot: true }], []],
  ["for something else is none", [{ label: "bug" }, { label: "loadtest" }, { label: "loadtest accept" }], []],
  ["has no slash", [{ label: "/loadtest accept /orders" }], []],
])("a label %s", ([, changes, found]) => {
  expect(accepted(...changes)).toMatchObject(found);
});
