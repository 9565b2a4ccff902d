import { resolve } from "node:path";
import { expect, test } from "vitest";

import type { Bisecting } from "../../src/commands/arguments.ts";
import { bisect } from "../../src/commands/bisect.ts";
import type { countAll } from "../../src/commands/bisected-commit.ts";
import type { Results } from "../../src/commands/compared-results.ts";
import type { measureAll } from "../../src/commands/run.ts";
import type { MeasuredRow } from "../../src/compare/comparison.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { EnvironmentError, InputError } from "../../src/errors/errors.ts";
import type { BisectAnswer } from "../../src/model/bisection/bisection.ts";
import type { Cell } from "../../src/model/plan/cell.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import type { BisectPorts, NextCommit } from "../../src/ports/run.ts";
import { cell } from "../fixtures/measurement.ts";
import { comparedOf, effect, instructions, loneArm, row, versus } from "../report/compared.ts";

const shaOf = (index: number) => index.toString(16).padStart(6, "0").padEnd(40, "c");
const indexOf = (commit: string) => Number.parseInt(commit.slice(0, 6), 16);
const configuration = "app: a:b\ninstall: /repo/.venv\nworkers: [1, 2]\nendpoints: [/price, /tax]\n";
const gone = Symbol("cannot be started");
const slower = (value: number) => ({
  versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(value, 0.01) } }),
});
const faster = {
  versus: versus({ verdict: { kind: "faster" }, effects: { throughput: effect(0.25, 0.01) } }),
};
const equal = { versus: versus({ effects: { throughput: effect(0, 0.01) } }) };
const wide = {
  versus: versus({ verdict: { kind: "inconclusive" }, effects: { throughput: effect(-0.1, 0.2) } }),
};

/** What a comparison of the commit with the base shows; a text is a failure. */
type Shown = (index: number, base: string) => Partial<MeasuredRow> | string | typeof gone;

/** What its instructions change by compared with the faster end; a text: why they were not counted. */
type Counts = (index: number) => number | string | typeof gone;

/** A history of so many commits after the good end, which is halved as git does it. */
function history(
  commits: number,
  shows: Shown,
  {
    state = "",
    environment = {},
    options = {},
    text = configuration,
    counts = () => "no Valgrind",
  }: {
    readonly state?: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly options?: Partial<Bisecting>;
    readonly text?: string;
    readonly counts?: Counts;
  } = {},
) {
  const printed: string[] = [];
  const asked: { readonly commit: number; readonly raw: Readonly<Record<string, string | undefined>> }[] = [];
  const cells: Cell[][] = [];
  const countedCommits: number[] = [];
  let kept: string | undefined = state === "" ? undefined : state;
  let now = -1;
  const next = async (answers: readonly BisectAnswer[]): Promise<NextCommit> => {
    const by = (wanted: string) =>
      answers.filter(({ answer }) => answer === wanted).map(({ commit }) => indexOf(commit));
    const [good, bad] = [Math.max(0, ...by("good")), Math.min(commits, ...by("bad"))];
    const between = Array.from({ length: bad - good - 1 }, (_, index) => good + 1 + index);
    const open = between.filter((index) => !by("skip").includes(index));
    if (between.length === 0) return { kind: "found", commit: shaOf(bad) };
    const middle = open[Math.floor(open.length / 2)];
    if (middle === undefined) return { kind: "among", commits: [...between, bad].map(shaOf) };
    return { kind: "test", commit: shaOf(middle), left: bad - good };
  };
  const ports: BisectPorts = {
    ...({} as BisectPorts),
    environment,
    signal: new AbortController().signal,
    request: {
      files: {
        resolve: (path, folder = "/repo") => resolve(folder, path),
        isFile: () => false, // so that `install` is an environment
        isFolder: () => true,
        findApps: () => [],
      },
      pullRequest: { kind: "none", reason: "a run on this machine" },
      unpackPlan: (text) => text,
      readConfigurationFile: async () => parseConfigurationFile("loadtest.yml", "/repo", text),
    },
    print: (text) => void printed.push(text.trimEnd()),
    readState: async () => kept,
    saveState: async (folder, text) => {
      expect(folder).toBe("/repo/loadtest-bisect");
      kept = text;
    },
    openRange: async () => ({
      ...{ good: shaOf(0), bad: shaOf(commits), commits, next },
      at: (path) => path.replace(/^\/repo/, "/ours"),
      checkOut: async (commit) => {
        now = indexOf(commit);
      },
      describe: async () => "Ana, 2026-01-02: \u001b[31mRed",
      [Symbol.asyncDispose]: async () => undefined,
    }),
  };
  const measured: typeof measureAll = async (raw, inRange, choose) => {
    asked.push({ commit: now, raw });
    const shown = shows(now, raw["base-ref"] ?? "");
    if (shown === gone) throw new EnvironmentError("start app", "it ended");
    if (typeof shown === "string") throw new InputError([shown]);
    const { parseRequest } = await import("../../src/config/several-apps.ts");
    const file = await inRange.request.readConfigurationFile("");
    const { apps } = parseRequest("run", raw, inRange.request.files, {
      pullRequest: inRange.request.pullRequest,
      configurations: [{ name: "", file }],
    });
    const [app] = apps;
    if (app === undefined) throw new Error("there is one app");
    expect(app.workload.app).toMatchObject({
      folder: "/ours",
      install: { environmentFolder: "/repo/.venv" },
    });
    const chosen = choose([app]).flatMap(({ workload }) => makePlan(workload).cells);
    cells.push(chosen);
    const rows = chosen.map((each, index) => row({ cell: each, ...(index === 0 ? shown : equal) }));
    return {
      results: { comparison: comparedOf(rows), measurements: [] } satisfies Results,
    } as unknown as ReturnType<typeof measureAll>;
  };
  const counted: typeof countAll = async (raw, inRange, choose) => {
    countedCommits.push(now);
    await measured(raw, inRange, choose).catch(() => undefined); // the same cell of the same app
    asked.pop();
    cells.pop();
    const found = counts(now);
    if (found === gone) throw new EnvironmentError("start app", "it cannot be imported");
    return typeof found === "number" ? instructions({ value: found }) : found;
  };
  const wanted: Bisecting = { good: "v1", bad: "main", raw: {}, ...options };
  return {
    ...{ printed, asked, cells, ports, countedCommits },
    state: () => JSON.parse(kept ?? "null"),
    run: () => bisect(wanted, ports, { measured, counted }),
  };
}

/** Each commit from this one on is so much slower than each before. */
const from =
  (guilty: number, value = -0.1): Shown =>
  (index, base) =>
    index >= guilty === (base === shaOf(0)) ? slower(value) : equal;

test.each([1, 2, 8, 19, 20])("finds commit %i of 20, in six comparisons", async (guilty) => {
  const search = history(20, from(guilty));
  expect(await search.run()).toBe(0);
  expect(search.printed[1]).toBe(
    "/price is 10% slower (9 to 11%) in 000014cccc than in 000000cccc. About 5 more commits to measure.\nEach commit is judged by its throughput.",
  );
  expect(search.printed.at(-1)).toMatch(
    new RegExp(
      `^The change began with ${shaOf(guilty).slice(0, 10)}\\.\n {2}Ana, 2026-01-02: .*Red\n  by throughput\n\\d comparisons; the chance`,
    ),
  );
  expect(search.printed.join("")).not.toContain("\u001b");
  expect(search.asked.length).toBeLessThanOrEqual(6);
});

test("each commit is compared with the faster end, at half of the change, in the cell that changed most", async () => {
  const search = history(4, from(3));
  await search.run();
  const [ends, step] = search.asked;
  expect(ends?.raw).toMatchObject({
    "base-ref": shaOf(0),
    "max-minutes": "4",
    diagnose: "never",
    soak: "0s",
  });
  expect(step?.raw).toMatchObject({
    "base-ref": shaOf(0),
    "min-change": "5.000000%",
    "max-slowdown": "5.000000%",
    "results-directory": `/repo/loadtest-bisect/${shaOf(2).slice(0, 10)}`,
  });
  expect(search.cells.map((each) => each.length)).toEqual([2, 1, 1]);
});

test("a commit that made it faster is found by comparing with the bad end", async () => {
  const search = history(8, (index, base) => {
    if (index === 8) return faster;
    return base === shaOf(8) && index < 5 ? slower(-0.2) : equal;
  });
  expect(await search.run()).toBe(0);
  expect(search.printed[1]).toContain("/price is 25% faster");
  expect(search.printed.at(-1)).toContain(`began with ${shaOf(5).slice(0, 10)}.`);
});

test("what cannot be started is skipped", async () => {
  const search = history(8, (index, base) => {
    if (index === 4) return gone;
    if (index === 5) return "app: no module named app";
    if (index === 3) return { loneArm: loneArm("no base"), versus: undefined };
    return from(7)(index, base);
  });
  expect(await search.run()).toBe(0);
  expect(search.printed.join("\n")).toMatch(
    /is skipped: it ended\n(?:.|\n)*is skipped: app: no module named app\n/,
  );
  expect(search.printed.at(-1)).toContain(`began with ${shaOf(7).slice(0, 10)}.`);
});

test("a change among skipped commits has no single one", async () => {
  const search = history(4, (index, base) => (index === 4 ? from(4)(index, base) : gone));
  expect(await search.run()).toBe(3);
  expect(search.printed.at(-1)).toMatch(/^The change began in one of these commits/);
});

test.each([
  ["equal", equal, 0, "The ends do not differ: there is no change of 3% or more from"],
  [
    "too wide",
    wide,
    3,
    "It is not certain that the ends differ: the change in /price is between −30% and +10%",
  ],
  [
    "only in the bad one",
    { loneArm: loneArm("added"), versus: undefined },
    3,
    "/price could not be compared: the base returns 404",
  ],
] as const)("ends that are %s end it", async (_, shown, status, words) => {
  const search = history(20, () => shown);
  expect(await search.run()).toBe(status);
  expect(search.asked).toHaveLength(1);
  expect(search.printed.at(-1)).toContain(words);
});

test("an end that cannot be measured is an error", async () => {
  await expect(history(20, () => gone).run()).rejects.toThrow("it ended");
});

test("a commit that is not certain is never guessed; the search goes on from there", async () => {
  let isNoisy = true;
  const shows: Shown = (index, base) => (index === 5 && isNoisy ? wide : from(6)(index, base));
  const search = history(8, shows);
  // 4 is good, 6 is bad.
  expect(await search.run()).toBe(3);
  expect(search.printed.at(-1)).toMatch(/in one of 2 commits\. Run it again with a larger `--max-minutes`/);
  const { comparisons, answers } = search.state();
  isNoisy = false;
  search.asked.length = 0;
  expect(await search.run()).toBe(0);
  expect(search.printed).toContain(`Resuming after ${answers.length} commits`);
  expect(search.asked.map(({ commit }) => commit)).toEqual([5]);
  expect(search.state().comparisons).toBe(comparisons + 1);
});

test.each([
  ["another question", { good: shaOf(3) }],
  ["another version", { schemaVersion: 1 }],
  ["no object", undefined],
])("the results of %s are not gone on from", async (_, changes) => {
  const first = history(4, from(3));
  await first.run();
  const state = changes === undefined ? "{" : JSON.stringify({ ...first.state(), ...changes });
  const search = history(4, from(3), { state });
  expect(await search.run()).toBe(0);
  expect(search.asked.length).toBeGreaterThan(1);
});

test("a cancelled comparison answers nothing", async () => {
  const search = history(4, from(3));
  const controller = new AbortController();
  const aborted = { ...search.ports, signal: controller.signal };
  controller.abort(new Error("cancelled"));
  const measured = (async () => ({
    results: { comparison: comparedOf([]) },
  })) as unknown as typeof measureAll;
  await expect(
    bisect({ good: "a", bad: "b", raw: {} }, aborted, { measured, counted: async () => "" }),
  ).rejects.toThrow("cancelled");
  expect(search.state().comparisons).toBe(0);
});

test("one endpoint can be named", async () => {
  const search = history(2, from(1), { options: { endpoint: "/tax" } });
  await search.run();
  expect(search.cells.map((each) => each.map(({ endpoint, workers }) => [endpoint, workers]))).toEqual([
    [[expect.objectContaining({ path: "/tax" }), 1]],
    [[expect.objectContaining({ path: "/tax" }), 1]],
  ]);
  await expect(history(2, from(1), { options: { endpoint: "/gone" } }).run()).rejects.toThrow(
    'endpoint: "/gone" is not measured; choose from /price, /tax',
  );
});

test("apps that already run, and tokens, are refused", async () => {
  const raw = { "base-url": "http://127.0.0.1:8000", "allow-target": "127.0.0.1:8000" };
  const text = "endpoints: [/price]\n";
  await expect(history(2, from(1), { options: { raw }, text }).run()).rejects.toThrow(
    "base-url: bisect needs the app's code",
  );
  await expect(
    history(2, from(1), { environment: { GITHUB_ACTIONS: "true", GITHUB_TOKEN: "x" } }).run(),
  ).rejects.toThrow(/holds a token/);
});

/** Ends that differ in throughput by 10%, and in instructions. */
const countedEnds = ({ isCpuLimit = true, value = 0.11 } = {}) => ({
  versus: versus({
    verdict: { kind: "slower" },
    effects: {
      throughput: effect(-0.1, 0.01),
      throughputByCpu: isCpuLimit ? effect(-0.1, 0.01) : undefined,
    },
    instructions: instructions({ value }),
  }),
});

test.each([1, 2, 8, 19, 20])(
  "commit %i of 20 is found by instructions, measured at the ends alone",
  async (guilty) => {
    const search = history(20, () => countedEnds(), { counts: (index) => (index >= guilty ? 0.108 : 0.001) });
    expect(await search.run()).toBe(0);
    expect(search.asked.map(({ commit }) => commit)).toEqual([20]);
    expect(search.countedCommits.length).toBeLessThanOrEqual(5);
    expect(search.printed.at(-1)).toContain(`began with ${shaOf(guilty).slice(0, 10)}.`);
    expect(search.printed.at(-1)).toMatch(/\n {2}by CPU instructions: 4(?:\.00)? M → 4\.4\d M\n/);
    expect(search.state()).toMatchObject({
      schemaVersion: 2,
      witness: { by: "instructions", isProof: true },
    });
  },
);

test("a step that instructions leave open is measured, and what cannot be prepared is skipped", async () => {
  const shows: Shown = (index, base) => (index === 8 ? countedEnds() : from(5)(index, base));
  const counts: Counts = (index) => {
    if (index === 4) return 0.055;
    if (index === 6) return gone;
    return index === 7 ? 0.11 : "the app cannot be started";
  };
  const search = history(8, shows, { counts });
  expect(await search.run()).toBe(0);
  expect(search.printed.at(-1)).toMatch(
    new RegExp(`began with ${shaOf(5).slice(0, 10)}\\.\n.*\n {2}by throughput\n`),
  );
  expect(search.printed.join("\n")).toContain("is skipped: it cannot be imported");
  expect(search.asked.map(({ commit }) => commit)).toEqual([8, 4, 5]);
});

test("a count that is at neither end decides by the nearer one, and may be a change of its own", async () => {
  const counts: Counts = (index) => (index < 3 ? 0 : index < 6 ? 0.035 : 0.11);
  const search = history(8, () => countedEnds(), { counts });
  expect(await search.run()).toBe(0);
  expect(search.printed.join("\n")).toMatch(/is good: .*two changes/);
  expect(search.printed.at(-1)).toContain(`began with ${shaOf(6).slice(0, 10)}.`);
  expect(search.printed.at(-1)).toMatch(/by CPU instructions: 4\.14 M → 4\.44 M; the ends have/);
});

test("where CPU is not the limit, throughput confirms the commit that instructions show", async () => {
  const shows: Shown = (index, base) =>
    index === 8 ? countedEnds({ isCpuLimit: false }) : from(5)(index, base);
  const search = history(8, shows, { counts: (index) => (index >= 5 ? 0.11 : 0) });
  expect(await search.run()).toBe(0);
  expect(search.asked.map(({ commit }) => commit)).toEqual([8, 5, 4]);
  expect(search.state().comparisons).toBe(6);
  expect(search.printed.at(-1)).toContain(`began with ${shaOf(5).slice(0, 10)}.`);
});

test("where throughput contradicts the counts, it decides", async () => {
  const shows: Shown = (index, base) =>
    index === 8 ? countedEnds({ isCpuLimit: false }) : from(3)(index, base);
  const search = history(8, shows, { counts: (index) => (index >= 5 ? 0.11 : 0) });
  expect(await search.run()).toBe(0);
  expect(search.printed.at(-1)).toContain(`began with ${shaOf(3).slice(0, 10)}.`);
  expect(search.printed.at(-1)).toContain("\n  by throughput\n");
  expect(search.state().witness).toBeUndefined();
});

test("a commit that throughput neither confirms nor contradicts is not claimed, until it does", async () => {
  let isNoisy = true;
  const shows: Shown = (index, base) => {
    if (index === 8) return countedEnds({ isCpuLimit: false });
    return isNoisy ? wide : from(5)(index, base);
  };
  const search = history(8, shows, { counts: (index) => (index >= 5 ? 0.11 : 0) });
  expect(await search.run()).toBe(3);
  expect(search.printed.at(-1)).toContain("throughput does not confirm it yet");
  isNoisy = false;
  search.countedCommits.length = 0;
  expect(await search.run()).toBe(0);
  expect(search.countedCommits).toEqual([]);
});

test("statements decide where instructions do not explain the change, and throughput confirms", async () => {
  const statements = (head: number) => ({ arm: { sqlStatements: 10_000 }, headArm: { sqlStatements: head } });
  const shows: Shown = (index, base) => {
    const shown = index === 8 ? slower(-0.1) : from(6)(index, base);
    const { arms } = row({ cell: cell({ path: "/price" }), ...statements(index >= 6 ? 30_000 : 10_000) });
    return index === 4 ? gone : { ...(shown as Partial<MeasuredRow>), arms };
  };
  const search = history(8, shows);
  expect(await search.run()).toBe(0);
  const shortly = search.asked.map(({ commit, raw }) => [commit, raw["max-minutes"]]);
  expect(shortly).toEqual([
    [8, "4"],
    [4, "0.4"],
    ...[5, 7, 6].map((each) => [each, "0.4"]),
    ...[6, 5].map((each) => [each, "4"]),
  ]);
  expect(search.printed.at(-1)).toContain("\n  by SQL statements: 1 → 3\n");
});

test("instructions alone decide where throughput is too noisy", async () => {
  const noisy = { versus: { ...wide.versus, instructions: instructions({ value: 0.11 }) } };
  const search = history(8, (index) => (index === 6 ? gone : noisy), {
    counts: (index) => {
      if (index === 6) return "the app cannot be started";
      return index === 4 ? 0.055 : index >= 3 ? 0.11 : 0;
    },
  });
  expect(await search.run()).toBe(0);
  expect(search.printed[1]).toContain("/price runs 11.0% more CPU instructions");
  expect(search.printed.join("\n")).toContain("is skipped: its count does not decide");
  expect(search.printed.at(-1)).toContain(`began with ${shaOf(3).slice(0, 10)}.`);
  expect(search.state().change).toBeUndefined();
});

test("nobody counts against the user's will", async () => {
  const text = `${configuration}count-instructions: never\n`;
  const search = history(4, from(3), { text });
  expect(await search.run()).toBe(0);
  expect(search.asked[0]?.raw["count-instructions"]).toBe("never");
  expect(search.countedCommits).toEqual([]);
});
