import { describe, expect, test } from "vitest";

import { post } from "../../src/commands/post.ts";
import type { Answer, CommentOutcome } from "../../src/ports/forge.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { PostingForge, PostPorts } from "../../src/ports/report.ts";
import { cell, measurement } from "../fixtures/measurement.ts";

const headSha = "a".repeat(40);
const run = {
  id: 12,
  runNumber: 5,
  attempt: 2,
  event: "pull_request",
  headSha,
  headBranch: "feature",
  repositoryId: 1,
  headRepository: { id: 2, owner: "stranger" },
};
const pull = { number: 7, state: "open", headSha, headRepositoryId: 2, baseRepositoryId: 1 };
const artifact = {
  id: 3,
  name: "loadtest-report-default+report-1",
  bytes: 10,
  isExpired: false,
  sha256: undefined,
};
const documents = [
  { name: "plan.json", text: JSON.stringify({ schemaVersion: 1, cells: [cell()] }) },
  { name: `cells/${cell().id}.json`, text: JSON.stringify(measurement()) },
];
const url = "https://github.com/octo/app/pull/7#issuecomment-1";
const answer = <T>(value: T) => Promise.resolve<Answer<T>>({ kind: "answer", value });
const refusal: CommentOutcome = { kind: "failed", reason: "got no answer" };
const noAnswer = () => Promise.resolve<Answer<never>>({ kind: "no answer", outcome: refusal });

/** Ports to an honest run, which keep what they are given. */
function keepingPorts(overrides: Partial<PostingForge> | { kind: "none"; reason: string } = {}) {
  const events: ProgressEvent[] = [];
  const texts: string[] = [];
  const comments: object[] = [];
  const outputs = new Map<string, string>();
  const forge: PostingForge = {
    kind: "run",
    run: { runId: 12, attempt: 2, headSha },
    readRun: () => answer(run),
    listPulls: () => answer([pull]),
    listArtifacts: (_, isWanted) => answer([artifact].filter(({ name }) => isWanted(name))),
    readArtifact: () => answer(documents),
    linksOf: ({ id }) => ({ runUrl: `https://github.com/octo/app/actions/runs/${id}`, headSha }),
    comment: ({ render, ...to }) => {
      comments.push(to);
      texts.push(render("<!-- marker -->"));
      return Promise.resolve({ kind: "created", url });
    },
  };
  const ports: PostPorts = {
    progress: (event) => void events.push(event),
    addSummary: (markdown) => Promise.resolve(void texts.push(markdown)),
    setOutputs: (all) => {
      for (const [name, value] of Object.entries(all)) outputs.set(name, value);
      return Promise.resolve();
    },
    posting: overrides.kind === "none" ? overrides : { ...forge, ...overrides },
  };
  return { ports, events, texts, comments, outputs };
}

test("comments what the other run measured, on the pull request that GitHub names", async () => {
  const { ports, events, texts, comments, outputs } = keepingPorts();
  expect(await post({ reportId: "default" }, ports)).toEqual({ kind: "created", url });
  expect(comments).toEqual([
    { pullNumber: 7, state: { reportId: "default", runNumber: 5, attempt: 2, headSha, runId: 12 } },
  ]);
  expect(texts).toHaveLength(2); // summary, comment
  expect(texts[1]).toContain("https://github.com/octo/app/actions/runs/12");
  expect(Object.fromEntries(outputs)).toEqual({ comment: "created", "comment-url": url });
  expect(events).toEqual([{ kind: "step", text: `comment created: ${url}` }]);
});

test("a run of this repository keeps the name that it gave its report; a fork's has no say in it", async () => {
  const listArtifacts = () =>
    answer([{ ...artifact, name: "loadtest-report-default.services-users+report-1" }]);
  const own = {
    readRun: () => answer({ ...run, headRepository: { id: 1, owner: "octo" } }),
    listPulls: () => answer([{ ...pull, headRepositoryId: 1 }]),
  };
  for (const [overrides, reportId] of [
    [own, "default.services-users"],
    [{}, "default"],
  ] as const) {
    const { ports, comments } = keepingPorts({ ...overrides, listArtifacts });
    await post({ reportId: "default" }, ports);
    expect(comments).toMatchObject([{ state: { reportId } }]);
  }
});

describe("nothing is posted when", () => {
  test.for<[string, Parameters<typeof keepingPorts>[0], CommentOutcome["kind"], string]>([
    ["the event is another", { kind: "none", reason: "a push" }, "none", "a push"],
    ["GitHub does not tell of the run", { readRun: noAnswer }, "failed", "got no answer"],
    ["the run is another", { readRun: () => answer({ ...run, id: 1 }) }, "none", "different runs"],
    ["GitHub does not list pull requests", { listPulls: noAnswer }, "failed", "got no answer"],
    ["no pull request is there", { listPulls: () => answer([]) }, "none", "no open pull request"],
    ["GitHub does not list artifacts", { listArtifacts: noAnswer }, "failed", "got no answer"],
    ["no report is there", { listArtifacts: () => answer([]) }, "none", "left no report"],
    ["the report cannot be had", { readArtifact: noAnswer }, "failed", "got no answer"],
    [
      "the report is none",
      { readArtifact: () => answer([]) },
      "refused",
      "not produced by this action: it contains no plan",
    ],
  ])("%s", async ([, overrides, kind, reason]) => {
    const { ports, events, texts, comments, outputs } = keepingPorts(overrides);
    const outcome = await post({ reportId: "default" }, ports);
    expect(outcome).toEqual({ kind, reason: expect.stringContaining(reason) });
    expect([...texts, ...comments]).toEqual([]);
    expect(events).toMatchObject([{ kind: kind === "none" ? "step" : "warning" }]);
    expect(Object.fromEntries(outputs)).toEqual({ comment: kind, "comment-url": "" });
  });
});
