import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CommentState,
  isLater,
  isNewer,
  isOurs,
  isRival,
  parseMarker,
  renderMarker,
  shownRun,
} from "../../src/forge/comment-marker.ts";

const state: CommentState = { reportId: "default", runNumber: 12, attempt: 1, headSha: "a".repeat(40) };
const good = renderMarker(state);

test("the marker is one hidden line", () => {
  expect(good).toMatchInlineSnapshot(
    `"<!-- fastapi-loadtest {"report":"default","run":12,"attempt":1,"head":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} -->"`,
  );
});

test.for([
  [
    "a run of a renamed workflow, whose numbers begin anew",
    { runNumber: 1, runId: 900 },
    { runNumber: 500, runId: 800 },
  ],
  ["a run after a comment of an earlier version", { runNumber: 1, runId: 900 }, { runNumber: 500 }],
  ["a later attempt", { runNumber: 1, runId: 900, attempt: 2 }, { runNumber: 1, runId: 900 }],
  ["numbers alone", { runNumber: 13 }, { runNumber: 12 }],
] as const)("is later: %s", ([, later, earlier]) => {
  expect(isLater({ ...state, ...later }, { ...state, ...earlier })).toBe(true);
  expect(isLater({ ...state, ...earlier }, { ...state, ...later })).toBe(false);
  expect(isNewer({ ...state, ...later }, { ...state, ...earlier })).toBe(true);
  expect(parseMarker(renderMarker({ ...state, ...later }))).toEqual({ ...state, ...later });
});

test.for<[string, Partial<CommentState>, boolean]>([
  ["of another job", { job: "two-2" }, true],
  ["of another job in a later attempt", { job: "two-2", attempt: 2 }, true],
  ["of the same job", {}, false],
  ["of a job that nobody named", { job: undefined }, false],
  ["of another run", { job: "two-2", runId: 901 }, false],
  ["that another job has only announced", { job: "two-2", pending: { shows: undefined } }, false],
])("a comment %s is a rival's: %s", ([, changes, expected]) => {
  const mine = { ...state, runId: 900, job: "one-1" };
  expect(isRival({ ...mine, ...changes }, mine)).toBe(expected);
  expect(parseMarker(renderMarker(mine))).toEqual(mine);
});

const older = { runNumber: 11, attempt: 2, headSha: "b".repeat(40) };

test.for([
  ["of a run that has only begun", undefined, `"shows":null}`],
  ["with what an older one measured", older, `"shows":{"run":11,"attempt":2,"head":"${older.headSha}"}}`],
] as const)("a marker %s", ([, shows, end]) => {
  const begun = { ...state, pending: { shows } };
  const line = renderMarker(begun);
  expect(line).toContain(end);
  expect(parseMarker(line)).toEqual(begun);
  expect(shownRun(begun)).toEqual(shows);
  expect(shownRun(state)).toEqual(state);
});

const ids = [
  "--> <img src=x onerror=alert(1)>",
  "--!>",
  'quotes " and \\ and \\u003e',
  "line\nbreak\r\u2028",
  "@octocat closes #1 & `code` | cell",
  "ünïcødé 🚀 \u202e\u200b",
  "lone \ud800 surrogate",
  "",
];

describe("report ids with odd characters", () => {
  test.for(ids)("%j round-trips", (reportId) => {
    const line = renderMarker({ ...state, reportId });
    expect(line).toMatch(/^<!-- [\w "{}:,./\\-]+ -->$/);
    expect(parseMarker(`${line}\n# table`)).toEqual({ ...state, reportId });
  });

  test("any report id round-trips, and the HTML comment ends only at the end", () => {
    const anyState = fc.record({
      reportId: fc.string({ unit: "binary", maxLength: 200 }),
      runNumber: fc.nat(),
      attempt: fc.integer({ min: 1 }),
      headSha: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 }),
    });
    fc.assert(
      fc.property(anyState, fc.string(), (any, text) => {
        const line = renderMarker(any);
        expect(line.indexOf("-->")).toBe(line.length - 3);
        expect(line.indexOf("--!>")).toBe(-1);
        expect(line).not.toMatch(/[\r\n]/);
        expect(parseMarker(`${line}\n${text}`)).toEqual(any);
        expect(isOurs(`${line}\r\n${text}`, any.reportId)).toBe(true);
      }),
    );
  });
});

describe("what is no marker of ours", () => {
  test.for([
    ["nothing", "", undefined],
    ["other text", "Nice work!", undefined],
    ["a quote of ours", `> ${good}\nlook at this`, undefined],
    ["ours further down", `hello\n${good}`, undefined],
    ["another tool's", "<!-- fastapi-loadtest-action {} -->", undefined],
    ["no JSON", "<!-- fastapi-loadtest hello -->", "unknown"],
    ["no end", "<!-- fastapi-loadtest {", "unknown"],
    ["markup after it on the line", `${good} <img src=x>`, "unknown"],
    ["an unknown field", good.replace('"run"', '"x":1,"run"'), "unknown"],
    ["a missing field", good.replace('"attempt":1,', ""), "unknown"],
    ["a wrong type", good.replace("12", '"12"'), "unknown"],
    ["a negative run", good.replace("12", "-12"), "unknown"],
    ["a run past all integers", good.replace("12", "1e99"), "unknown"],
    ["a head that is no SHA", good.replace("aaaa", "zzzz"), "unknown"],
    ["results of a run that is none", good.replace('","run"', '","shows":{"run":1},"run"'), "unknown"],
    ["an array", "<!-- fastapi-loadtest [] -->", "unknown"],
    ["deep nesting", `<!-- fastapi-loadtest ${"[".repeat(7_000)} -->`, "unknown"],
    ["a megabyte", `<!-- fastapi-loadtest {"report":"${"x".repeat(1_000_000)}"} -->`, "unknown"],
  ] as const)("%s", ([, body, expected]) => {
    expect(parseMarker(body)).toBe(expected);
    expect(isOurs(body, "default")).toBe(false);
  });

  test("any text parses to something", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(["unknown", undefined]).toContain(parseMarker(`<!-- fastapi-loadtest ${text}`));
      }),
    );
  });
});

test("a report's comment belongs to that report only", () => {
  expect(isOurs(`${good}\ntext`, "default")).toBe(true);
  expect(isOurs(`${good}\ntext`, "other")).toBe(false);
});

describe("the newer of two", () => {
  test.for([
    [13, 1, true],
    [12, 2, true],
    [12, 1, false],
    [11, 9, false],
  ] as const)("run %i attempt %i against run 12 attempt 1", ([runNumber, attempt, expected]) => {
    expect(isNewer({ ...state, runNumber, attempt }, state)).toBe(expected);
    expect(isLater({ ...state, runNumber, attempt }, state)).toBe(expected);
  });

  test("a run's report is newer than its announcement, and nothing is than itself", () => {
    const begun = { ...state, pending: { shows: undefined } };
    expect(isNewer(state, begun)).toBe(true);
    expect([isNewer(begun, state), isNewer(begun, begun), isNewer(state, state)]).not.toContain(true);
  });
});

test("names the words by which slow-downs are accepted, at most twenty", () => {
  const accepted = Array.from({ length: 30 }, (_, index) => `c${index + 1}`);
  const line = renderMarker({ reportId: "x", runNumber: 1, attempt: 1, headSha: "a".repeat(40), accepted });
  expect(parseMarker(line)).toMatchObject({ accepted: accepted.slice(0, 20) });
  expect(parseMarker(line.replace('"c1 c2 ', '"@everybody c2 '))).toBe("unknown");
});
