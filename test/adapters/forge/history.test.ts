import { describe, expect, test } from "vitest";
import type { WorkflowRun } from "../../../src/forge/run.ts";
import {
  type HistoryEntry,
  type HistoryMark,
  historyMark,
  type MeasuredCommit,
} from "../../../src/history/history-line.ts";
import { addCommit, filesOf } from "../../stand-in/git.ts";
import type { StandIn } from "../../stand-in/github.ts";
import { forgeOf, readOnly, startStandIn, workflow } from "./github-fixture.ts";

const branch = "bench/history";
const ref = `heads/${branch}`;
const shaOfRun = (runNumber: number) => String(runNumber % 10).repeat(40);

function contextOf({ apiUrl }: StandIn, runNumber: number, event = "push"): WorkflowRun {
  return {
    kind: "github",
    label: "run 1",
    filesUrl: "https://github.com/octo/app/blob/",
    serverUrl: "https://github.com",
    apiUrl,
    repository: { owner: "octo", name: "app" },
    runId: 100 + runNumber,
    runNumber,
    attempt: 1,
    sha: shaOfRun(runNumber),
    event,
    ref: "refs/heads/main",
    defaultBranch: "main",
    pullRequest: { kind: "none", reason: "a push" },
    url: "https://github.com/octo/app/actions/runs/100",
  };
}

const newestOf = (...runs: readonly number[]) => ({ runId: Math.max(...runs), attempt: 1 });

/** As the program makes them, but of one word. */
function entryOf({ commit, runNumber }: MeasuredCommit, mark: HistoryMark): HistoryEntry {
  const newest = newestOf(runNumber, mark.newest["default"]?.runId ?? 0);
  return {
    message: `run ${runNumber}`,
    files: new Map([
      [historyMark, JSON.stringify({ schemaVersion: 1, newest: { default: newest } })],
      [`cells/default/${commit}.jsonl`, `run ${runNumber}\n`],
    ]),
  };
}

function keep(standIn: StandIn, runNumber: number, { token = workflow, event = "push" } = {}) {
  const context = contextOf(standIn, runNumber, event);
  return forgeOf(context, token).keepHistory(branch, entryOf);
}

/** What the branch holds after these runs. */
function filesOfRuns(...runs: readonly number[]): Readonly<Record<string, string>> {
  return {
    [historyMark]: JSON.stringify({ schemaVersion: 1, newest: { default: newestOf(...runs) } }),
    ...Object.fromEntries(runs.map((run) => [`cells/default/${shaOfRun(run)}.jsonl`, `run ${run}\n`])),
  };
}

describe("the history", () => {
  test("is begun where there is none, added to, and replaced where a commit is measured again", async () => {
    await using standIn = await startStandIn();
    for (const run of [1, 2, 2]) expect(await keep(standIn, run)).toEqual({ kind: "kept" });
    expect(filesOf(standIn.state.git, ref)).toEqual(filesOfRuns(1, 2));
    expect([...standIn.state.git.refs.keys()]).toEqual([ref]);
    expect(standIn.violations).toEqual([]);
  });

  test("loses nothing of runs that end at once", async () => {
    await using standIn = await startStandIn();
    const outcomes = await Promise.all([1, 2, 3, 4].map((run) => keep(standIn, run)));
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: "kept" })));
    expect(filesOf(standIn.state.git, ref)).toEqual(filesOfRuns(1, 2, 3, 4));
    expect(standIn.violations).toEqual([]);
  });

  test("leaves a branch that holds something else as it is", async () => {
    await using standIn = await startStandIn();
    for (const files of [{ "app.py": "" }, { [historyMark]: "{}" }]) {
      const before = addCommit(standIn.state.git, ref, files);
      expect(await keep(standIn, 1)).toEqual({
        kind: "failed",
        reason: "the branch `bench/history` contains something else; choose another branch",
      });
      expect(standIn.state.git.refs.get(ref)).toBe(before);
    }
  });

  test("gives up when it is always too late", async () => {
    await using standIn = await startStandIn();
    await keep(standIn, 1);
    let others = 0;
    const meanwhile = () =>
      void addCommit(standIn.state.git, ref, { ...filesOfRuns(1), others: String(others++) });
    standIn.fail({ operation: "git/update-ref", answer: 422, times: 6, meanwhile });
    expect(await keep(standIn, 2)).toEqual({
      kind: "failed",
      reason: "other runs kept writing to the branch",
    });
    expect(filesOf(standIn.state.git, ref)).toEqual({ ...filesOfRuns(1), others: "5" });
  });

  test("tells GitHub's own words where the branch has not moved", async () => {
    await using standIn = await startStandIn();
    await keep(standIn, 1);
    standIn.fail({ operation: "git/update-ref", answer: 422, message: "Protected branch update failed" });
    expect(await keep(standIn, 2)).toEqual({
      kind: "failed",
      reason: expect.stringMatching(/was answered with 422 \(Protected branch update failed[^`]*$/),
    });
  });

  test.for(["git/create-tree", "git/create-commit", "git/update-ref"])(
    "is kept in spite of a fault of %s, carried out or not",
    async (operation) => {
      await using standIn = await startStandIn();
      await keep(standIn, 1);
      for (const isCarriedOut of [false, true]) {
        standIn.fail({ operation, answer: 502, isCarriedOut });
        expect(await keep(standIn, 2)).toEqual({ kind: "kept" });
      }
      expect(filesOf(standIn.state.git, ref)).toEqual(filesOfRuns(1, 2));
    },
  );

  test("says what is missing when GitHub hides what may not be written", async () => {
    await using standIn = await startStandIn();
    standIn.fail({ operation: "git/create-tree", answer: 404, message: "Not Found" });
    const { kind, ...rest } = await keep(standIn, 1);
    expect([kind, JSON.stringify(rest)]).toEqual([
      "failed",
      expect.stringContaining("Add this permission to the job: `contents: write`."),
    ]);
  });

  test.for([
    ["refs/heads/feature", "main", "none"],
    ["refs/tags/main", "main", "none"],
    ["refs/heads/main", "main", "kept"],
    ["refs/heads/main", undefined, "kept"],
  ] as const)("of %s, where the default branch is %s: %s", async ([from, name, kind]) => {
    await using standIn = await startStandIn();
    const { defaultBranch: _, ...context } = contextOf(standIn, 1);
    const given = { ...context, ref: from, ...(name !== undefined && { defaultBranch: name }) };
    expect((await forgeOf(given).keepHistory(branch, entryOf)).kind).toBe(kind);
  });

  test("says what is missing when GitHub refuses", async () => {
    await using standIn = await startStandIn();
    expect(await keep(standIn, 1, { token: readOnly })).toEqual({
      kind: "failed",
      reason: expect.stringMatching(
        /answered with 403 .*Add this permission to the job: `contents: write`\.$/,
      ),
    });
  });

  test.for([
    ["of a pull request", { event: "pull_request" }, "only for branches, not for the event `pull_request`"],
    ["without a token", { token: "" }, "there is no token"],
  ] as const)("asks for nothing %s", async ([, setting, reason]) => {
    await using standIn = await startStandIn();
    const outcome = await keep(standIn, 1, setting);
    expect(outcome).toEqual({ kind: "none", reason: expect.stringContaining(reason) });
    expect(standIn.requests).toEqual([]);
  });

  test("keeps nothing where nothing was measured", async () => {
    await using standIn = await startStandIn();
    const context = contextOf(standIn, 1);
    expect(await forgeOf(context).keepHistory(branch, () => undefined)).toEqual({
      kind: "none",
      reason: "no cell has figures",
    });
    expect(standIn.state.git.refs.size).toBe(0);
  });
});
