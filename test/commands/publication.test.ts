import { describe, expect, test } from "vitest";

import { compareResults, gatherCells } from "../../src/commands/compared-results.ts";
import { publish } from "../../src/commands/publication.ts";
import { compare } from "../../src/compare/compare.ts";
import type { Comparison } from "../../src/compare/comparison.ts";
import { EnvironmentError, InputError } from "../../src/errors/errors.ts";
import { emptyMark } from "../../src/history/history-line.ts";
import { armDiagnosis } from "../../src/model/findings/diagnosis.ts";
import type { Reporting } from "../../src/model/workload/workload.ts";
import type {
  CheckRunOutcome,
  CommentOutcome,
  HistoryOutcome,
  ReviewOutcome,
} from "../../src/ports/forge.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { ReportPorts } from "../../src/ports/report.ts";
import type { CheckRun } from "../../src/report/forge/check-run.ts";
import type { Suggestion } from "../../src/report/forge/suggestions.ts";
import { foundCause } from "../diagnosis/samples.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { comparedAs } from "../report/compared.ts";
import { documentOf, keepingPorts } from "./keeping-ports.ts";

const reporting = {
  resultsDirectory: "/results",
  reportId: "default",
  comment: "always",
  planText: undefined,
  check: { failOn: undefined, maxSlowdown: undefined },
} as const;
const plan = JSON.stringify({ schemaVersion: 1, cells: [cell(), cell({ workers: 2 })] });

/** The last two arrows. */
async function report(wanted: Reporting, ports: ReportPorts): Promise<Comparison> {
  const results = await compareResults(wanted, ports);
  await publish(results, wanted, ports);
  return results.comparison;
}

test("writes every form of the report and says where they are", async () => {
  const { saved, outputs, texts, ports } = keepingPorts();
  await report(reporting, ports);
  expect([...saved.keys()]).toEqual(["report.md", "report.html", "figures.json", "results.csv", "junit.xml"]);
  expect(texts).toHaveLength(4); // terminal, summary, and only then the comment
  expect(texts.at(-1)).toBe("Report: /results/report.html\n");
  expect(texts[2]?.startsWith("<!-- marker -->\n")).toBe(true);
  expect(Object.fromEntries(outputs)).toMatchObject({
    verdict: "complete",
    "results-directory": "/results",
    markdown: "/results/report.md",
    html: "/results/report.html",
    comment: "created",
    "comment-url": "https://github.com/octo/app/pull/7#issuecomment-1",
  });
  expect(JSON.parse(outputs.get("figures") ?? "").cells).toHaveLength(1);
  expect(saved.get("report.html")).toContain("<script>draw()</script>");
});

test("an output that cannot be set is told, but costs neither the summary nor the comment", async () => {
  const full = new Error("no space left");
  const { texts, ports } = keepingPorts({ setOutputs: () => Promise.reject(full) });
  await expect(report(reporting, ports)).rejects.toBe(full);
  expect(texts).toHaveLength(4);
});

test.for([
  ["on this machine", {}, 0],
  ["in a workflow run", { runUrl: "https://github.com/octo/app/actions/runs/1" }, 1],
] as const)("that there is no comment is shown %s %j: %i", async ([, links, shown]) => {
  const comment = () => Promise.resolve({ kind: "none", reason: "no pull request" } as const);
  const { events, ports } = keepingPorts({ links, comment });
  await report(reporting, ports);
  expect(events.filter(({ kind }) => kind === "step")).toHaveLength(shown);
});

describe("the plan", () => {
  test.for([
    { name: "as given", planText: plan, inFolder: undefined },
    { name: "from the results folder", planText: undefined, inFolder: plan },
  ])("$name shows what has no result", async ({ planText, inFolder }) => {
    const { outputs, ports } = keepingPorts({ readPlan: () => Promise.resolve(inFolder) });
    const { rows } = await report({ ...reporting, planText }, ports);
    expect(rows.map(({ status }) => status)).toEqual(["measured", "missing"]);
    expect(outputs.get("verdict")).toBe("incomplete");
  });

  test("is needed when there are no results either", async () => {
    const { ports } = keepingPorts({ readCells: () => Promise.resolve([]) });
    await expect(report(reporting, ports)).rejects.toThrow(InputError);
  });

  test("F45: without either, an earlier run's comment is corrected, and nothing else is made", async () => {
    const asked: object[] = [];
    const { saved, texts, ports } = keepingPorts({
      readCells: () => Promise.resolve([]),
      comment: (each) => {
        asked.push({ isCorrection: each.isCorrection, text: each.render("<!-- m -->") });
        return Promise.resolve({ kind: "updated", url: "https://x/1" });
      },
    });
    await expect(report(reporting, ports)).rejects.toThrow(InputError);
    await expect(report({ ...reporting, comment: "never" }, ports)).rejects.toThrow(InputError);
    expect(asked).toEqual([
      { isCorrection: true, text: expect.stringMatching(/^<!-- m -->\n## Load test – no result/) },
    ]);
    expect([saved.size, texts.length]).toEqual([0, 0]);
  });

  test("F45: one that cannot be read corrects it, too", async () => {
    const asked: (boolean | undefined)[] = [];
    const { ports } = keepingPorts({
      comment: ({ isCorrection }) => {
        asked.push(isCorrection);
        return Promise.resolve({ kind: "updated", url: "https://x/1" });
      },
    });
    await expect(report({ ...reporting, planText: "{" }, ports)).rejects.toThrow(InputError);
    expect(asked).toEqual([true]);
    const broken = new TypeError("ours");
    const faulty = { ...ports, readCells: () => Promise.reject(broken) };
    await expect(report(reporting, faulty)).rejects.toBe(broken);
    expect(asked).toEqual([true]);
  });

  test("T15: of a matrix: its jobs' results are put together, but none that two jobs claim", async () => {
    const second = measurement({ cell: cell({ workers: 2 }) });
    const claimed = documentOf({ ...second, startedAt: "2026-01-02T00:00:00.000Z" });
    const documents = [documentOf(), documentOf(second), { ...claimed, name: `/job-2${claimed.name}` }];
    const { saved, ports } = keepingPorts({ readCells: () => Promise.resolve(documents) });
    const { rows } = await report({ ...reporting, planText: plan }, ports);
    expect(rows.map(({ status }) => status)).toEqual(["measured", "invalid"]);
    expect([...saved.keys()].filter((name) => name.startsWith("cells/"))).toEqual([
      `cells/${measurement().cell.id}.json`,
    ]);
    expect(saved.get("report.md")).toContain("2 results claim to belong to this cell");
  });

  test("of a matrix: what does not fit into its artifact is told", async () => {
    const results = compare(JSON.parse(plan), [measurement(), measurement({ cell: cell({ workers: 2 }) })]);
    const all = [measurement(), measurement({ cell: cell({ workers: 2 }) })];
    const { saved, ports } = keepingPorts();
    const bytes = JSON.stringify(all[0]).length + 1;
    expect(await gatherCells(all, results, ports.save, 2 * bytes - 1)).toContain(": all figures of 1 cell.");
    const kept = () => [...saved.values()].map((text) => JSON.parse(text).status);
    expect(kept()).toEqual(["measured", "failed"]);
    const rows = results.rows.map((each, index) => ({ ...each, isNotable: index === 1 }));
    await gatherCells(all, { ...results, rows }, ports.save, 2 * bytes - 1);
    expect(kept()).toEqual(["failed", "measured"]);
    expect(await gatherCells(all, results, ports.save)).toBe("");
  });

  test("T15: whose results cannot be put together is reported all the same", async () => {
    const full = new EnvironmentError("write results", "/results/x cannot be written: ENOSPC");
    const { texts, ports } = keepingPorts({ save: () => Promise.reject(full) });
    await expect(report({ ...reporting, planText: plan }, ports)).rejects.toBe(full);
    expect(texts).toHaveLength(3);
    const broken = keepingPorts({ save: () => Promise.reject(new TypeError("ours")) });
    await expect(report({ ...reporting, planText: plan }, broken.ports)).rejects.toThrow(TypeError);
  });

  test("without any result still makes a report", async () => {
    const { saved, ports } = keepingPorts({ readCells: () => Promise.resolve([]) });
    const { rows } = await report({ ...reporting, planText: plan }, ports);
    expect(rows.map(({ status }) => status)).toEqual(["missing", "missing"]);
    expect(saved.get("report.md")).toContain("/health");
  });
});

test("annotates the lines of causes", async () => {
  const cause = foundCause({ path: "api/app/orders.py", isInDiff: true });
  const diagnosed = measurement({ diagnosis: { head: { findings: [cause], unseen: [] } } });
  const { annotations, ports } = keepingPorts({ readCells: () => Promise.resolve([documentOf(diagnosed)]) });
  await report(reporting, ports);
  expect(annotations).toMatchObject([{ path: "api/app/orders.py", line: 37 }]);
});

test("a result that cannot be used is named in the report, not dropped silently", async () => {
  const { ports } = keepingPorts({
    readCells: () => Promise.resolve([documentOf(), { name: "cells/x.json", text: "{" }]),
  });
  const { warnings } = await report(reporting, ports);
  expect(warnings).toEqual([
    expect.stringContaining("There is no plan"),
    expect.stringContaining("Ignored x.json"),
  ]);
});

test.for<[outcome: CommentOutcome, kind: ProgressEvent["kind"]]>([
  [{ kind: "updated", url: "https://x/1" }, "step"],
  [{ kind: "newer", url: "https://x/1" }, "step"],
  [{ kind: "none", reason: "no pull request" }, "step"],
  [{ kind: "forbidden", reason: "give permissions" }, "warning"],
  [{ kind: "failed", reason: "no answer" }, "warning"],
])("says what became of the comment: %j", async ([outcome, kind]) => {
  const { events, outputs, ports } = keepingPorts({ comment: () => Promise.resolve(outcome) });
  await report(reporting, ports);
  expect(events.at(-1)?.kind).toBe(kind);
  expect(outputs.get("comment")).toBe(outcome.kind);
});

test("takes what fails the check from the plan, but what it was itself asked for first", async () => {
  const check = { failOn: "slower", maxSlowdown: 0.2 } as const;
  const planText = JSON.stringify({ schemaVersion: 1, cells: [cell()], check });
  const asked = async (own: typeof reporting.check | { failOn: "never"; maxSlowdown: 0.1 }) =>
    (await report({ ...reporting, planText, check: own }, keepingPorts({}).ports)).check;
  expect(await asked(reporting.check)).toEqual(check);
  expect(await asked({ failOn: "never", maxSlowdown: 0.1 })).toEqual({
    failOn: "never",
    maxSlowdown: 0.1,
  });
});

describe("F18: on a full disk", () => {
  const full = new EnvironmentError(
    "write results",
    "/results/report.md cannot be written: ENOSPC; 0 bytes are free",
  );

  test("the table, the summary and the comment come all the same, and then the error", async () => {
    const { outputs, texts, ports } = keepingPorts({ save: () => Promise.reject(full) });
    await expect(report(reporting, ports)).rejects.toBe(full);
    expect(texts).toHaveLength(3); // terminal, comment, summary
    expect(Object.fromEntries(outputs)).toMatchObject({ verdict: "complete", markdown: "", html: "" });
  });

  test("a mistake of ours is not taken for one", async () => {
    const { texts, ports } = keepingPorts({ save: () => Promise.reject(new TypeError("no function")) });
    await expect(report(reporting, ports)).rejects.toThrow(TypeError);
    expect(texts).toEqual([]);
  });
});

test("asks nothing of GitHub when no comment is wanted", async () => {
  const { ports, outputs } = keepingPorts({ comment: () => Promise.reject(new Error("must not be asked")) });
  await report({ ...reporting, comment: "never" }, ports);
  expect(outputs.get("comment")).toBe("none");
});

test("says why a report should have no comment where there is none yet", async () => {
  const silences: (string | undefined)[] = [];
  const comment: ReportPorts["comment"] = ({ silence }) => {
    silences.push(silence);
    return Promise.resolve({ kind: "none", reason: silence ?? "" });
  };
  for (const mode of ["always", "on-change"] as const)
    await report({ ...reporting, comment: mode }, keepingPorts({ comment }).ports);
  expect(silences).toEqual([undefined, "nothing changed, and `comment-mode` is on-change"]);
});

test("says in the job summary that a newer run has overtaken it", async () => {
  for (const kind of ["newer", "updated"] as const) {
    const { texts, ports } = keepingPorts({ comment: () => Promise.resolve({ kind, url: "https://x/1" }) });
    await report(reporting, ports);
    expect([kind, texts.some((text) => text.startsWith("> [!NOTE]\n> Superseded: "))]).toEqual([
      kind,
      kind === "newer",
    ]);
  }
});

test.for<[outcome: CheckRunOutcome, event: ProgressEvent]>([
  [
    { kind: "created", url: "https://x/runs/1" },
    { kind: "step", text: "check run created: https://x/runs/1" },
  ],
  [
    { kind: "none", reason: "a fork" },
    { kind: "step", text: "no check run: a fork" },
  ],
  [
    { kind: "failed", reason: "403" },
    { kind: "warning", text: "no check run: 403" },
  ],
])("makes a check run where one is asked for: %j", async ([outcome, event]) => {
  const checks: CheckRun[] = [];
  const { events, ports } = keepingPorts({
    checkCommit: (check) => {
      checks.push(check);
      return Promise.resolve(outcome);
    },
  });
  await report({ ...reporting, checkRun: "Load test" }, ports);
  expect(events.at(-1)).toEqual(event);
  const nothing = report({ ...reporting, checkRun: "Load test" }, { ...ports, readCells: async () => [] });
  await expect(nothing).rejects.toThrow(InputError);
  expect(checks.map(({ name, conclusion, title }) => [name, conclusion, title])).toEqual([
    ["Load test", "success", "1 cell measured"],
    ["Load test", "failure", "No result"],
  ]);
});

test.for<[outcome: ReviewOutcome, event: ProgressEvent]>([
  [
    { kind: "created", url: "https://a/1" },
    { kind: "step", text: "posted a suggestion on the line: https://a/1" },
  ],
  [
    { kind: "none", reason: "a push" },
    { kind: "step", text: "no suggestion: a push" },
  ],
  [
    { kind: "failed", reason: "403" },
    { kind: "warning", text: "no suggestion: 403" },
  ],
])("suggests certain changes where that is wanted: %j", async ([outcome, event]) => {
  const edits = [{ path: "app.py", line: 3, before: "a", after: "b", isInDiff: true }];
  const diagnosis = { head: armDiagnosis([foundCause({ edits })], []) };
  const suggested: (readonly Suggestion[])[] = [];
  const { events, ports } = keepingPorts({
    readCells: async () => [documentOf(measurement({ diagnosis }))],
    suggest: async (all) => {
      suggested.push(all);
      return outcome;
    },
  });
  await report({ ...reporting, reviews: true }, ports);
  expect(events.at(-1)).toEqual(event);
  await report(reporting, ports);
  await report({ ...reporting, reviews: true }, { ...ports, readCells: async () => [documentOf()] });
  expect(suggested).toMatchObject([[{ path: "app.py", line: 3 }]]);
});

test.for<[outcome: HistoryOutcome, event: ProgressEvent]>([
  [{ kind: "kept" }, { kind: "step", text: "history saved on loadtest-history" }],
  [
    { kind: "none", reason: "a pull request" },
    { kind: "step", text: "no history: a pull request" },
  ],
  [
    { kind: "failed", reason: "403" },
    { kind: "warning", text: "no history: 403" },
  ],
])("keeps the history where a branch is named: %j", async ([outcome, event]) => {
  const entries: unknown[] = [];
  const { events, ports } = keepingPorts({
    keepHistory: (branch, make) => {
      entries.push([
        branch,
        make({ commit: "a".repeat(40), runId: 1, runNumber: 2, attempt: 1 }, emptyMark)?.message,
      ]);
      return Promise.resolve(outcome);
    },
  });
  await report({ ...reporting, historyBranch: "loadtest-history" }, ports);
  expect(events.at(-1)).toEqual(event);
  expect(entries).toEqual([["loadtest-history", "Load test of aaaaaaaaaa, run 2"]]);
});

test("a slow-down that is accepted passes; the comment names the words, and the history keeps the step", async () => {
  const acceptance = { endpoint: "/health", by: "ana", reason: "known", url: "https://x/1", remark: "c12" };
  const accepted: unknown[] = [];
  const files: string[] = [];
  const run = { commit: "a".repeat(40), runId: 1, runNumber: 1, attempt: 1 };
  const { ports } = keepingPorts({
    readAcceptances: () => Promise.resolve({ kind: "read", accepted: [acceptance, acceptance], refused: [] }),
    readMergedAcceptances: () => Promise.resolve({ kind: "read", accepted: [acceptance], refused: [] }),
    comment: (each) => {
      accepted.push(each.accepted);
      return Promise.resolve({ kind: "updated", url: "https://x/1" });
    },
    keepHistory: (_, make) => {
      files.push(...(make(run, emptyMark)?.files.values() ?? []));
      return Promise.resolve({ kind: "kept" });
    },
  });
  const comparison = await report({ ...reporting, historyBranch: "kept" }, ports);
  expect(comparison.accepted).toBeUndefined(); // nothing failed, so nobody was asked
  expect(files.join("")).toContain('"accepted":{"by":"ana","reason":"known","url":"https://x/1"}');
  const results = {
    comparison: comparedAs(comparison, { accepted: [acceptance, acceptance] }),
    measurements: [],
  };
  await publish(results, reporting, ports);
  expect(accepted).toEqual([undefined, ["c12"]]);
});

test("a history whose pull request cannot be asked about is kept without its step", async () => {
  const { events, ports } = keepingPorts({
    readMergedAcceptances: () => Promise.resolve({ kind: "failed", reason: "403" }),
    keepHistory: () => Promise.resolve({ kind: "kept" }),
  });
  await report({ ...reporting, historyBranch: "kept" }, ports);
  expect(events).toContainEqual({
    kind: "step",
    text: "accepted slowdowns are missing from the history: 403",
  });
});

test("figures that are too long for an output are in their file alone, and that is told", async () => {
  const many = Array.from({ length: 600 }, (_, index) => measurement({ cell: cell({ path: `/${index}` }) }));
  const { saved, outputs, events, ports } = keepingPorts({
    readCells: () => Promise.resolve(many.map((each) => documentOf(each))),
  });
  await report(reporting, ports);
  expect(outputs.get("figures")).toBe("");
  expect(JSON.parse(saved.get("figures.json") ?? "").cells).toHaveLength(600);
  expect(events).toContainEqual({
    kind: "warning",
    text: expect.stringMatching(/^the `figures` output is empty, because its \d{6,} char/),
  });
});
