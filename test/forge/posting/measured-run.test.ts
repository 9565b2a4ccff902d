import { describe, expect, test } from "vitest";

import {
  type MeasuredRun,
  type OpenPull,
  pullOfRun,
  runProblem,
} from "../../../src/forge/posting/measured-run.ts";

const headSha = "a".repeat(40);
const otherSha = "c".repeat(40);
const event = { runId: 12, attempt: 1, headSha };
const run: MeasuredRun = {
  id: 12,
  runNumber: 5,
  attempt: 1,
  event: "pull_request",
  headSha,
  headBranch: "feature",
  repositoryId: 1,
  headRepository: { id: 2, owner: "stranger" },
};
const pull: OpenPull = { number: 7, state: "open", headSha, headRepositoryId: 2, baseRepositoryId: 1 };

describe("T3: a run is posted only when GitHub says of it what the event says", () => {
  test.for<[string, Partial<MeasuredRun>, string | undefined]>([
    ["the same", {}, undefined],
    ["another run", { id: 13 }, "different runs"],
    ["another commit", { headSha: otherSha }, "different commits"],
    ["another event", { event: "push" }, "started by `push`"],
    ["a later attempt", { attempt: 2 }, "attempt 1 of the run was superseded by attempt 2"],
    ["a fork that is gone", { headRepository: null }, "no longer exists"],
    ["a branch that is gone", { headBranch: null }, "no longer exists"],
  ])("%s", ([, changes, problem]) => {
    const found = runProblem(event, { ...run, ...changes });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe("T3, F31: the pull request is the one open one at the run's commit", () => {
  test.for<[string, readonly Partial<OpenPull>[], object]>([
    ["one", [{}], { kind: "pull request", number: 7 }],
    ["one among others", [{ number: 8, headSha: otherSha }, {}], { kind: "pull request", number: 7 }],
    ["none", [], { kind: "none", reason: "no open pull request is at commit aaaaaaaaaa now" }],
    ["a closed one", [{ state: "closed" }], { kind: "none" }],
    ["one that has moved on", [{ headSha: otherSha }], { kind: "none" }],
    ["the same branch name in another fork", [{ headRepositoryId: 3 }], { kind: "none" }],
    ["a fork that is gone", [{ headRepositoryId: null }], { kind: "none" }],
    ["one that goes to another repository", [{ baseRepositoryId: 9 }], { kind: "none" }],
    [
      "two bases",
      [{}, { number: 8 }],
      {
        kind: "none",
        reason: expect.stringContaining("several open pull requests are at this commit (7, 8)"),
      },
    ],
  ])("%s", ([, pulls, expected]) => {
    expect(
      pullOfRun(
        run,
        pulls.map((changes) => ({ ...pull, ...changes })),
      ),
    ).toMatchObject(expected);
  });
});
