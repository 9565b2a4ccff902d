import { describe, expect, test } from "vitest";
import { armCpu } from "../../../src/diagnosis/functions/arm-cpu.ts";
import { type ChangeFacts, callsKey } from "../../../src/diagnosis/functions/change-facts.ts";
import { cpuChange } from "../../../src/diagnosis/functions/differences.ts";
import {
  functionFindings,
  needsCalls,
  withFunctions,
} from "../../../src/diagnosis/functions/function-findings.ts";
import type { RepositoryChanges } from "../../../src/diagnosis/reach/changed-files.ts";
import { foundCauseSchema } from "../../../src/model/findings/diagnosis.ts";
import { evidenceText } from "../../../src/report/causes/cause-text.ts";
import { foundCause, saying } from "../samples.ts";
import { counted, facts, foreign, frame, type Sampled, stacks, turns } from "./samples.ts";

const quote = frame();
const orders = frame({ file: "app/orders.py", function: "orders", first: 30, last: 39, names: ["PAGES"] });
const serialise = foreign("fastapi", "serialize_response");
const router = foreign("starlette", "Router.app", { isApp: true });
const asked = foreign("fastapi", "run_endpoint_function");

const inQuote = (microseconds: number, line = 12): Sampled => ({
  stack: [
    [quote, line],
    [orders, 33],
    [asked, 0],
    [router, 0],
  ],
  microseconds,
});
const inOrders = (microseconds: number): Sampled => ({
  stack: [
    [orders, 34],
    [asked, 0],
    [router, 0],
  ],
  microseconds,
});
const inReply = (microseconds: number): Sampled => ({
  stack: [
    [serialise, 0],
    [router, 0],
  ],
  microseconds,
});

const changed = (path: string, first: number, last = first): RepositoryChanges => ({
  topFolder: "/repository",
  prefix: "",
  files: [{ path, lines: { base: [], head: [{ first, last }] } }],
});

function tell(base: readonly Sampled[], head: readonly Sampled[], known: Partial<ChangeFacts> = {}) {
  const of = { base: armCpu([stacks(base)], turns), head: armCpu([stacks(head)], turns) };
  const change = cpuChange(of.base, of.head);
  if (change === undefined) throw new Error("too few turns");
  return functionFindings(change, facts({ texts: of.head.texts, ...known }), of.head.handler);
}

const usual = [inQuote(500), inOrders(300), inReply(200)];
const dearer = [inQuote(1_000), inOrders(300), inReply(200)];
const less = {
  measured: { baseMs: 2, isCertain: false, extraMs: { value: -0.5, interval: { low: -0.55, high: -0.45 } } },
};
const calls = (base: number, head: number) => new Map([[callsKey("app/price.py", "quote"), { base, head }]]);

test("a decorator that was added to a function that the head runs no more", () => {
  const { findings } = tell(usual, [inOrders(300), inReply(200)], {
    ...less,
    changes: changed("app/price.py", 10),
    loneLines: [{ kind: "added", file: "app/price.py", before: 10, line: 10, text: "@lru_cache" }],
  });
  expect(findings[0]).toMatchObject({
    cause: "less CPU in a function",
    isInDiff: true,
    path: "app/price.py",
  });
  expect(saying(findings[0])).toMatch(/at `app\/price\.py:10`, where `@lru_cache` was added\.$/);
});

describe("what made it so", () => {
  test.for<[what: string, known: Partial<ChangeFacts>, at: string | undefined, words: RegExp]>([
    [
      "a changed line of its own that takes time",
      { changes: changed("app/price.py", 12) },
      "app/price.py:12 in diff",
      /at `app\/price\.py:12`\.$/,
    ],
    [
      "a changed line of its own that was not seen",
      { changes: changed("app/price.py", 15, 17) },
      "app/price.py:15 in diff",
      /:15`\.$/,
    ],
    [
      "a caller that calls it more often",
      { changes: changed("app/orders.py", 33), calls: calls(1, 30) },
      "app/orders.py:33 in diff",
      /called by `orders\(\)` 30 times per request \(1 in the base\)\.$/,
    ],
    [
      "a caller that changed, and calls it as often",
      { changes: changed("app/orders.py", 31), calls: calls(2, 2) },
      "app/orders.py:31 in diff",
      /where `orders\(\)` calls it\.$/,
    ],
    [
      "a decorator that was taken away",
      {
        changes: changed("app/price.py", 40),
        loneLines: [{ kind: "removed", file: "app/price.py", before: 10, line: 10, text: "@lru_cache" }],
      },
      "app/price.py:10 in diff",
      /at `app\/price\.py:10`, where `@lru_cache` was removed\.$/,
    ],
    [
      "a line within it that was taken away",
      {
        changes: changed("app/price.py", 40),
        loneLines: [
          { kind: "removed", file: "app/price.py", before: 14, line: 14, text: "if item in KNOWN:" },
        ],
      },
      "app/price.py:14 in diff",
      /:14`, where `if item in KNOWN:` was removed\.$/,
    ],
    [
      "a line of its caller that was taken away, so that it is called more often",
      {
        changes: changed("app/orders.py", 50),
        loneLines: [
          { kind: "removed", file: "app/orders.py", before: 32, line: 32, text: "return KNOWN[item]" },
        ],
        calls: calls(1, 30),
      },
      "app/orders.py:32 in diff",
      /called by `orders\(\)` 30 times per request \(1 in the base\)\.$/,
    ],
    [
      "not what was taken away before or after it",
      {
        changes: changed("app/price.py", 40),
        loneLines: [
          { kind: "removed", file: "app/price.py", before: 10, line: 10, text: "def other():" },
          { kind: "removed", file: "app/price.py", before: 20, line: 20, text: "pass" },
        ],
      },
      "app/price.py:12 in base",
      /though this change does not touch it\.$/,
    ],
    [
      "a constant",
      {
        changes: changed("app/settings.py", 3),
        names: [{ name: "ROUNDS", file: "app/settings.py", line: 3, text: "" }],
      },
      "app/settings.py:3 in diff",
      /\. It depends on `ROUNDS` at `[\w./]+:\d+`\.$/,
    ],
    [
      "a constant that its caller may hand on",
      {
        changes: changed("app/settings.py", 4),
        names: [{ name: "PAGES", file: "app/settings.py", line: 4, text: "" }],
      },
      "app/settings.py:4 in diff",
      /\. It depends on `PAGES` at `[\w./]+:\d+`\.$/,
    ],
    [
      "another version of a package",
      { packages: new Map([["decimal", { base: "1.2", head: undefined }]]) },
      undefined,
      /, without Decimal\.$/,
    ],
    [
      "nothing that is known",
      { changes: changed("app/other.py", 1) },
      "app/price.py:12 in base",
      /though this change does not touch it\.$/,
    ],
  ])("%s", ([, known, at, words]) => {
    const { findings, unexplained } = tell(usual, dearer, known);
    expect(findings).toHaveLength(1);
    const [finding] = findings;
    expect(finding).toMatchObject({
      cause: "more CPU in a function",
      severity: "problem",
      confidence: "high",
    });
    expect(saying(finding)).toMatch(/^`quote\(\)` takes 0\.50\d ms more CPU per request/);
    expect(saying(finding)).toMatch(words);
    const where =
      finding?.path && `${finding.path}:${finding.place?.line} in ${finding.isInDiff ? "diff" : "base"}`;
    expect(where).toBe(at);
    expect(unexplained).toEqual([]);
  });

  test.for<[what: string, inRust: number, packages: ChangeFacts["packages"], why: RegExp]>([
    [
      "the one that is at work for it",
      900,
      new Map([["jsonschema", { base: "4.17.3", head: "4.26.0" }]]),
      /:12`, with jsonschema 4\.26\.0 instead of 4\.17\.3\.$/,
    ],
    [
      "of several the one that took most",
      400,
      new Map([
        ["rpds", { base: "1", head: "2" }],
        ["jsonschema", { base: "4.17.3", head: "4.26.0" }],
      ]),
      /, with jsonschema 4/,
    ],
    [
      "rather than one that it brings",
      600,
      new Map([
        ["rpds", { base: undefined, head: "2" }],
        ["jsonschema", { base: "4.17.3", head: "4.26.0" }],
      ]),
      /, with jsonschema 4/,
    ],
    [
      "none that took little of it",
      100,
      new Map([["rpds", { base: "1", head: "2" }]]),
      /does not touch it\.$/,
    ],
    ["none of the same version", 900, new Map([["other", { base: "1", head: "2" }]]), /does not touch it\.$/],
  ])("a package of another version: %s", ([, inRust, packages, why]) => {
    const [validate, get] = [foreign("jsonschema", "validate"), foreign("rpds", "get")];
    const plain: Sampled = { ...inQuote(500), stack: [[validate, 0], ...inQuote(500).stack] };
    const deeper = { ...plain, stack: [[get, 0] as const, ...plain.stack], microseconds: inRust };
    const head = [{ ...plain, microseconds: 1_000 - inRust }, deeper, inOrders(300), inReply(200)];
    const { findings } = tell([plain, inOrders(300), inReply(200)], head, { packages });
    expect(findings).toHaveLength(1);
    expect(saying(findings[0])).toMatch(/^`quote\(\)` takes 0\.50/);
    expect(saying(findings[0])).toMatch(why);
  });

  test.for<[what: string, lines: readonly (readonly [line: number, microseconds: number])[], line: number]>([
    [
      "seen first",
      [
        [13, 700],
        [16, 200],
        [11, 100],
      ],
      13,
    ],
    [
      "seen last",
      [
        [11, 100],
        [13, 200],
        [16, 700],
      ],
      16,
    ],
    [
      "among lines that changed, though another takes more",
      [
        [11, 600],
        [14, 100],
        [16, 300],
      ],
      16,
    ],
  ])("of several lines the one that takes most, %s", ([, lines, line]) => {
    const head = lines.map(([at, microseconds]) => inQuote(microseconds, at));
    const changes = changed("app/price.py", 12, 17);
    const { findings } = tell(usual, [...head, inOrders(300), inReply(200)], { changes });
    expect(findings).toMatchObject([{ isInDiff: true, place: { file: "app/price.py", line } }]);
  });

  test("of several lines of a function that did not change the one that takes most", () => {
    const head = [inQuote(300, 11), inQuote(700, 16), inOrders(300), inReply(200)];
    const { findings } = tell(usual, head, { changes: changed("app/other.py", 1) });
    expect(findings).toMatchObject([{ isInDiff: false, place: { file: "app/price.py", line: 16 } }]);
  });

  test("a stage of the framework is told at the function that answers", () => {
    const { findings } = tell(usual, [inQuote(500), inOrders(300), inReply(700)], {
      changes: changed("app/orders.py", 38),
    });
    expect(saying(findings[0])).toMatch(/^Serialising the response \(fastapi\) takes 0\.5\d* ms more/);
    expect(findings[0]?.place).toMatchObject({
      file: "app/orders.py",
      line: 30,
      function: "orders",
      code: "orders begins",
    });
  });

  test.for<[text: string, more: boolean, words: RegExp]>([
    [
      "def current_user():",
      true,
      /^Handing work to threads takes 0\.5\d* ms more .*, now that `current_user\(\)` runs in a thread\.$/,
    ],
    ["async def current_user():", false, /less .*, now that `current_user\(\)` needs no thread\.$/],
  ])("a function that is now %s", ([text, isMore, words]) => {
    const turned = [{ name: "current_user", file: "app/main.py", line: 12, text }];
    const threads: Sampled = { stack: [[foreign("anyio", "WorkerThread.run"), 0]], microseconds: 250 };
    const few = [inQuote(500), inReply(200)];
    const many = [inQuote(500), inReply(450), threads];
    const { findings } = tell(isMore ? few : many, isMore ? many : few, {
      ...(isMore ? {} : less),
      turned,
      changes: changed("app/main.py", 12),
    });
    expect(findings).toHaveLength(1);
    expect(saying(findings[0])).toMatch(words);
    expect(findings[0]).toMatchObject({
      path: "app/main.py",
      isInDiff: true,
      place: { function: "current_user" },
    });
  });

  test("a stage of the framework that no function of the user's has called has no line", () => {
    const { findings } = tell([inReply(200)], [inReply(700)]);
    expect(saying(findings[0])).toMatch(/^Serialising the response \(fastapi\) takes 0\.5\d* ms more/);
    expect(findings[0]).not.toHaveProperty("place");
  });

  test("a stage of a package of another version", () => {
    const packages = new Map([["fastapi", { base: "0.1", head: "0.2" }]]);
    const { findings } = tell(usual, [inQuote(500), inOrders(300), inReply(700)], { packages });
    expect(saying(findings[0])).toMatch(/with fastapi 0\.2 instead of 0\.1\.$/);
  });

  test("with less of it", () => {
    const { findings } = tell(dearer, usual, { ...less, changes: changed("app/price.py", 12) });
    expect(findings).toMatchObject([
      { cause: "less CPU in a function", severity: "note", advice: "Nothing to do." },
    ]);
    expect(saying(findings[0])).toMatch(/takes 0\.50\d ms less CPU per request/);
  });

  test("a function that the head has no more has no line", () => {
    const { findings } = tell(dearer, [inOrders(300), inReply(200)], {
      measured: { baseMs: 2, isCertain: false, extraMs: { value: -1, interval: { low: -1.1, high: -0.9 } } },
    });
    expect(findings[0]).not.toHaveProperty("place");
  });

  test("in an app below the repository's top, files are told from its own folder", () => {
    const changes = { ...changed("app/price.py", 12), prefix: "app" };
    const { findings } = tell(usual, dearer, { changes });
    expect(findings[0]).toMatchObject({ path: "app/price.py", place: { file: "price.py" } });
  });
});

test("instructions per request are one more figure, and judge nothing", () => {
  const of = {
    base: armCpu([counted(stacks(usual), 1_000)], turns),
    head: armCpu([counted(stacks(dearer), 1_250)], turns),
  };
  const told = (head: typeof of.head) => {
    const change = cpuChange(of.base, head);
    if (change === undefined) throw new Error("too few turns");
    return functionFindings(change, facts(), head.handler);
  };
  const [finding] = told(of.head).findings;
  expect(finding?.figures.at(-1)).toMatchObject({ what: "instructions per request" });
  expect(finding?.figures.at(-1)?.value).toBeCloseTo(0.25, 4);
  if (finding === undefined) throw new Error("nothing was found");
  expect(foundCauseSchema.parse(finding)).toEqual(finding);
  expect(evidenceText(finding)).toMatch(
    /, in the head: .*, instructions per request: \+25\.0\d?% ± 0\.\d+; predicted CPU time/,
  );
  const without = told({ ...of.head, turnsInstructions: undefined });
  expect(without.findings).toEqual([{ ...finding, figures: finding.figures.slice(0, -1) }]);
  const few = told(armCpu([counted(stacks(usual), 1_250)], turns));
  expect(few.findings).toEqual([]);
});

describe("nobody is blamed", () => {
  test.for<
    [
      what: string,
      base: readonly Sampled[],
      head: readonly Sampled[],
      known: Partial<ChangeFacts>,
      reason: RegExp,
    ]
  >([
    [
      "where CPU time did not change",
      usual,
      dearer,
      {
        measured: {
          baseMs: 2,
          isCertain: false,
          extraMs: { value: 0.1, interval: { low: -0.1, high: 0.3 } },
        },
      },
      /than in the measurement \(\+0\.100 ms\), so no function is blamed$/,
    ],
    [
      "where it was measured by too little for an interval",
      usual,
      dearer,
      { measured: { baseMs: 2, isCertain: false, extraMs: { value: 0.1, interval: undefined } } },
      /than in the measurement \(\+0\.100 ms\)/,
    ],
    [
      "where the samples show no change",
      usual,
      usual,
      {},
      /did not clearly change under the probe \(.*\), so no function is blamed$/,
    ],
    [
      "where many took a little more",
      Array.from(
        { length: 20 },
        (_, at) => ({ stack: [[frame({ function: `f${at}` }), 12]], microseconds: 100 }) as const,
      ),
      Array.from(
        { length: 20 },
        (_, at) => ({ stack: [[frame({ function: `f${at}` }), 12]], microseconds: 125 }) as const,
      ),
      {},
      /is unexplained: none of the 2\d functions/,
    ],
  ])("%s", ([, base, head, known, reason]) => {
    const { findings, unexplained } = tell(base, head, known);
    expect(findings).toEqual([]);
    expect(unexplained).toEqual([expect.stringMatching(reason)]);
  });

  test("for code that moved into a function of its own", () => {
    const moved = [inQuote(800), inReply(200), inOrders(5)];
    const { findings } = tell(
      [inOrders(800), inReply(200)],
      [...moved.slice(0, 1), inReply(700), inOrders(5)],
    );
    expect(findings.map(({ subject }) => subject)).toEqual(["serialising the response (fastapi)"]);
  });
});

test.for([
  { isCertain: true, named: ["`quote()`"] },
  { isCertain: false, named: [] },
])(
  "a function's own time is certain where the rest is too noisy: instructions certain $isCertain",
  ({ isCertain, named }) => {
    /** What the reply takes swings by milliseconds from turn to turn. */
    const noisy = (sampled: readonly Sampled[], phase: number) => {
      const document = stacks(sampled);
      const samples = document.samples.map(([when, stack, weight, used], at) => {
        const extra = stack === 2 && (Math.floor(at / sampled.length) + phase) % 2 === 0 ? 2_000 : 0;
        const longer: [number, number, number, number] = [when, stack, weight + extra, used + extra];
        return longer;
      });
      return armCpu([{ ...document, samples }], turns);
    };
    const change = cpuChange(noisy(usual, 0), noisy(dearer, 1));
    if (change === undefined) throw new Error("too few turns");
    const measured = { baseMs: 2, isCertain, extraMs: { value: 0.5, interval: { low: 0.45, high: 0.55 } } };
    const { findings, unexplained } = functionFindings(change, facts({ measured }), undefined);
    expect(findings.map(({ subject }) => subject)).toEqual(named);
    if (!isCertain)
      expect(unexplained).toEqual([expect.stringMatching(/did not clearly change under the probe/)]);
  },
);

test("what is left is said", () => {
  const many = Array.from(
    { length: 10 },
    (_, at): Sampled => ({ stack: [[frame({ function: `f${at}` }), 12]], microseconds: 20 }),
  );
  const { findings, unexplained } = tell(usual, [inQuote(800), ...usual.slice(1), ...many]);
  expect(findings).toHaveLength(1);
  expect(unexplained).toEqual([
    expect.stringMatching(
      /^\+0\.2\d* ms of the change in CPU time per request \(\+0\.5\d* ms\) is unexplained$/,
    ),
  ]);
});

describe("whether calls have to be counted", () => {
  const asks = (base: readonly Sampled[], head: readonly Sampled[], known: Partial<ChangeFacts> = {}) => {
    const of = { base: armCpu([stacks(base)], turns), head: armCpu([stacks(head)], turns) };
    const change = cpuChange(of.base, of.head);
    if (change === undefined) throw new Error("too few turns");
    return needsCalls(change, facts({ texts: of.head.texts, ...known }), of.head.handler);
  };
  test.for<[what: string, expected: boolean, asked: boolean]>([
    ["a function whose own lines did not change", true, asks(usual, dearer)],
    ["one whose lines did", false, asks(usual, dearer, { changes: changed("app/price.py", 12) })],
    ["a change that the samples do not fit", false, asks(usual, dearer, less)],
    ["nothing that changed", false, asks(usual, usual)],
    [
      "a function that no route called",
      true,
      asks([{ stack: [[quote, 12]], microseconds: 500 }], [{ stack: [[quote, 12]], microseconds: 1_000 }]),
    ],
  ])("%s: %s", ([, expected, asked]) => {
    expect(asked).toBe(expected);
  });
});

test("too few turns have no interval", () => {
  const few = armCpu([stacks(usual)], turns.slice(0, 4));
  expect(cpuChange(few, few)).toBeUndefined();
});

describe("beside what was found before", () => {
  const { findings } = tell(usual, dearer, { changes: changed("app/price.py", 12) });
  const told = { findings, unexplained: ["rest"] };

  test("the weightiest problem is first", () => {
    const note = foundCause({ severity: "note", weight: 1 });
    const { findings: all, unseen } = withFunctions({ findings: [note, foundCause()], unseen: ["x"] }, told);
    expect(all?.map(({ cause, severity }) => [cause, severity])).toEqual([
      ["more CPU in a function", "problem"],
      ["blocking call on the event loop", "problem"],
      ["blocking call on the event loop", "note"],
    ]);
    expect(unseen).toEqual(["x", "rest"]);
  });

  test("a function that another cause names is not told twice", () => {
    const place = { file: "app/price.py", line: 14, function: "quote", code: "" };
    expect(withFunctions({ findings: [foundCause({ place })], unseen: [] }, told).findings).toHaveLength(1);
  });

  test("nothing was seen", () => {
    expect(withFunctions({ unseen: [] }, { findings: [], unexplained: ["rest"] })).toEqual({
      unseen: ["rest"],
    });
    expect(withFunctions({ unseen: [] }, told).findings).toHaveLength(1);
  });
});
