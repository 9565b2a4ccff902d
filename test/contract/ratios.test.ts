import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { root, type Step, textOf, workflow } from "./files.ts";
import { historyBranch } from "./history-branch.ts";

const { judgedWeek, ratios } = await import(`${root}/scripts/ratios.mjs`);

const name = "generatorCpuOpenRatio";
const usual: Readonly<Record<string, number>> = Object.fromEntries(ratios.map((each: string) => [each, 1]));
const printed = (change: object = {}) =>
  `round 1: 9 s\n${JSON.stringify({ ...usual, other: 7, ...change })}\n`;
/** The history after weeks in which this one ratio had these values. */
const weeks = (values: readonly number[]) =>
  JSON.stringify({
    schemaVersion: 1,
    weeks: values.map((value) => ({ day: "2026-11-23", figures: { ...usual, [name]: value }, worse: [] })),
  });
const times = (count: number, ...values: readonly number[]) =>
  Array.from({ length: count }, (_, index) => values[index % values.length] ?? Number.NaN);
const about = (sentences: readonly string[]) => sentences.filter((each) => each.startsWith(`${name} `));

describe("a ratio of this week", () => {
  // By hand, from tables: Student's quantile at 99.9% is 10.215 for 3 and 4.025 for 11 degrees of freedom.
  test.for([
    ["the first week", 1.2, [], "is 1.2, not compared: it needs 4 earlier weeks and has 0"],
    ["after three weeks", 9, times(3, 1), "is 9, not compared: it needs 4 earlier weeks and has 3"],
    ["equal", 1, times(4, 1), "is 1, not worse: 4 earlier weeks around 1 explain up to 1.26"],
    ["a little more", 1.25, times(4, 1), "is 1.25, not worse: 4 earlier weeks around 1 explain up to 1.26"],
    ["less noise", 1.08, times(12, 1), "is 1.08, not worse: 12 earlier weeks around 1 explain up to 1.09"],
    [
      "much noise",
      1.29,
      times(12, 1, 1.1),
      "is 1.29, not worse: 12 earlier weeks around 1.05 explain up to 1.29",
    ],
    ["better", 0.5, times(12, 1), "is 0.5, not worse: 12 earlier weeks around 1 explain up to 1.09"],
    [
      "weeks before the last twelve",
      1.08,
      [...times(9, 0.1, 5), ...times(12, 1)],
      "is 1.08, not worse: 12 earlier weeks around 1 explain up to 1.09",
    ],
  ] as const)("is no problem: %s", ([, value, earlier, words]) => {
    const { problems, notes, record } = judgedWeek(printed({ [name]: value }), weeks(earlier));
    expect(problems).toEqual([]);
    expect(about(notes)).toEqual([`${name} ${words}.`]);
    expect(notes).toHaveLength(6);
    expect(record).toEqual({ figures: { ...usual, [name]: value }, worse: [] });
  });

  test.for([
    ["after four weeks", 1.26, times(4, 1), "4 earlier weeks around 1 explain up to 1.26"],
    ["after twelve", 1.09, times(12, 1), "12 earlier weeks around 1 explain up to 1.09"],
    ["with much noise", 1.3, times(12, 1, 1.1), "12 earlier weeks around 1.05 explain up to 1.29"],
  ] as const)("is worse, and is kept: %s", ([, value, earlier, words]) => {
    const { problems, notes, record } = judgedWeek(printed({ [name]: value }), weeks(earlier));
    expect(problems).toEqual([`${name} is worse: ${value}, where ${words}.`]);
    expect(notes).toHaveLength(5);
    expect(record).toEqual({ figures: { ...usual, [name]: value }, worse: [name] });
  });

  test.for([
    ["nothing", { [name]: undefined }, "nothing"],
    ["what JSON makes of NaN", { [name]: Number.NaN }, "null"],
    ["0", { [name]: 0 }, "0"],
    ["a text", { [name]: "1.2" }, '"1.2"'],
  ] as const)("is missing where the benchmark printed %s", ([, change, words]) => {
    for (const history of ["{}", weeks(times(12, 1))]) {
      const { problems, record } = judgedWeek(printed(change), history);
      expect(problems).toEqual([`${name} is missing: the benchmark printed ${words}, not a number above 0.`]);
      const { [name]: _, ...others } = usual;
      expect(record).toEqual({ figures: others, worse: [] });
    }
  });

  test("a regression stays red for nine weeks, and is the norm four weeks later", () => {
    const history: object[] = JSON.parse(weeks(times(5, 1, 1.01))).weeks;
    const isRed = times(15, 1.5).map((value) => {
      const { problems, record } = judgedWeek(printed({ [name]: value }), JSON.stringify({ weeks: history }));
      history.push(record);
      return problems.length > 0;
    });
    expect(isRed).toEqual([...times(9, 1), ...times(6, 0)].map(Boolean));
    const problemsAt = (value: number) =>
      judgedWeek(printed({ [name]: value }), JSON.stringify({ weeks: history })).problems;
    expect(problemsAt(1.5)).toEqual([]);
    expect(problemsAt(2.5)).toHaveLength(1);
  });
});

test.for(["", "no JSON", "[1]", "3", "null"])("a last line that is no object fails: %s", (line) => {
  const { problems, record } = judgedWeek(`${JSON.stringify(usual)}\n- ${line}`, "{}");
  expect(problems).toEqual([expect.stringMatching(/^The benchmark's last line is not its figures: /)]);
  expect(record).toBeUndefined();
});

test.for([
  "",
  "no JSON",
  "null",
  "[]",
  '{"weeks":{}}',
  '{"weeks":[null]}',
  '{"weeks":[{"figures":{}}]}',
  '{"weeks":[{"figures":{"generatorCpuOpenRatio":"1"},"worse":[]}]}',
  '{"weeks":[{"figures":{"generatorCpuOpenRatio":-1},"worse":[]}]}',
  '{"weeks":[{"figures":{"generatorCpuOpenRatio":1e999},"worse":[]}]}',
])("a history of another shape fails in a sentence, and this week is kept: %s", (history) => {
  const { problems, record } = judgedWeek(printed(), history);
  expect(problems).toEqual([
    expect.stringMatching(/^The ratios were compared with nothing, because trust\/ratios\.json /),
  ]);
  expect(record).toEqual({ figures: usual, worse: [] });
});

test("the benchmark prints each of these figures", () => {
  for (const each of Object.keys(usual)) expect(textOf("bench/overhead.ts")).toContain(`${each}: `);
});

describe("the weekly job", () => {
  const job = workflow(".github/workflows/selftest.yml").jobs["ratios"];
  const steps = job?.steps?.filter(({ run }) => run !== undefined) ?? [];
  const [bench, read, judge] = steps as [Step, Step, Step];

  test("only reads, and its token is where no code of ours runs", () => {
    expect(job?.permissions).toEqual({ contents: "read" });
    expect(job?.if).toBe(`\${{ github.event_name != 'pull_request' }}`);
    expect(steps.map(({ env = {} }) => Object.keys(env))).toEqual([[], ["GH_TOKEN", "BRANCH"], []]);
    expect([bench.run, bench.shell]).toEqual([
      expect.stringMatching(/^npm run bench -- overhead \|/),
      "bash",
    ]);
  });

  test.for([
    ["before the first week", undefined, 1.5, 0],
    ["no worse", weeks(times(12, 1)), 1.05, 0],
    ["worse", weeks(times(12, 1)), 1.5, 1],
  ] as const)("ends as its figures say: %s", ([, history, value, status]) => {
    using branch = historyBranch();
    if (history !== undefined) branch.write("trust/ratios.json", history);
    writeFileSync(join(branch.folder, "printed.txt"), printed({ [name]: value }));
    const output = join(branch.folder, "output");
    const variables = { RUNNER_TEMP: branch.folder, GITHUB_OUTPUT: output };
    expect(branch.run(read.run ?? "false", variables)).toMatchObject({ status: 0, stderr: "" });
    const ended = branch.run(judge.run ?? "false", variables);
    expect(ended.status).toBe(status);
    expect(`${ended.stdout}${ended.stderr}`.trim().split("\n")).toHaveLength(6);
    const record = { figures: { ...usual, [name]: value }, worse: status === 1 ? [name] : [] };
    expect(readFileSync(output, "utf8")).toBe(`record=${JSON.stringify(record)}\n`);
  });

  test("fails where the history cannot be read, for that is not a first week", () => {
    using branch = historyBranch();
    const ended = branch.run(read.run ?? "true", { RUNNER_TEMP: branch.folder, FAULT: "HTTP 502" });
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining("HTTP 502") });
  });
});
