import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readRunEvent, reasonNotToPost } from "../../../src/forge/posting/measured-run.ts";
import type { GitLabJob } from "../../../src/forge/run.ts";

const headSha = "a".repeat(40);

function payload(run: object = {}, event: object = {}) {
  return {
    action: "completed",
    repository: { full_name: "Octo/App" },
    workflow_run: {
      id: 12,
      run_attempt: 2,
      event: "pull_request",
      head_sha: headSha,
      pull_requests: [],
      ...run,
    },
    ...event,
  };
}
const read = (given: unknown, name = "workflow_run") =>
  readRunEvent(name, { kind: "text", text: JSON.stringify(given) ?? "" }, "octo/app");

test("T3: the run is the event's", () => {
  expect(read(payload())).toEqual({ kind: "run", run: { runId: 12, attempt: 2, headSha } });
});

describe("T3: other events are refused", () => {
  const broken = "the event file does not describe a finished run: ";
  test.for([
    ["a push", payload(), "push", "`post` must run in a workflow started by `workflow_run`, not by `push`"],
    [
      "a run of a push",
      payload({ event: "push" }),
      "workflow_run",
      "was started by `push`, not by `pull_request`",
    ],
    [
      "a privileged run",
      payload({ event: "pull_request_target" }),
      "workflow_run",
      "was started by `pull_request_target`",
    ],
    [
      "another repository's",
      payload({}, { repository: { full_name: "octo/other" } }),
      "workflow_run",
      "another repository",
    ],
    ["a run that goes on", payload({}, { action: "requested" }), "workflow_run", `${broken}action`],
    ["no id", payload({ id: "12" }), "workflow_run", `${broken}workflow_run.id`],
    ["a number that is none", payload({ id: 1e300 }), "workflow_run", `${broken}workflow_run.id`],
    [
      "a commit that is none",
      payload({ head_sha: "main" }),
      "workflow_run",
      `${broken}workflow_run.head_sha`,
    ],
    ["nothing", undefined, "workflow_run", `${broken}the whole document`],
  ] as const)("%s", ([, given, name, reason]) => {
    expect(read(given, name)).toEqual({ kind: "none", reason: expect.stringContaining(reason) });
  });

  test("no event file", () => {
    const file = { kind: "missing", reason: "there is no event file" } as const;
    expect(readRunEvent("workflow_run", file, "octo/app")).toEqual({ kind: "none", reason: file.reason });
  });
});

test("any payload is an answer", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readRunEvent("workflow_run", { kind: "text", text }, "octo/app").kind).toBe("none");
    }),
  );
});

test("what is no workflow posts nothing, and says why", () => {
  expect(reasonNotToPost({ kind: "local", reason: "at home" })).toBe("at home");
  expect(reasonNotToPost({ kind: "gitlab" } as GitLabJob)).toContain("not on GitLab");
});
