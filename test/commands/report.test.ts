import { describe, expect, test } from "vitest";

import { report } from "../../src/commands/report.ts";
import { InputError } from "../../src/core/errors.ts";
import type { CommentOutcome, ProgressEvent, ReportPorts } from "../../src/ports.ts";
import { cell, measurement } from "../fixtures/measurement.ts";

const reporting = {
  resultsFolder: "/results",
  reportId: "default",
  comment: true,
  planText: undefined,
  failOn: "threshold",
  failThreshold: 0.05,
} as const;
const documentOf = (value = measurement()) => ({
  name: `/results/cells/${value.cell.id}.json`,
  text: JSON.stringify(value),
});
const plan = JSON.stringify({ schemaVersion: 1, cells: [cell(), cell({ workers: 2 })] });

/** Ports that keep what they are given. */
function keepingPorts(overrides: Partial<ReportPorts> = {}) {
  const saved = new Map<string, string>();
  const outputs = new Map<string, string>();
  const events: ProgressEvent[] = [];
  const texts: string[] = [];
  const ports: ReportPorts = {
    progress: (event) => void events.push(event),
    links: { runUrl: "https://github.com/octo/app/actions/runs/1", runLabel: "run 1" },
    terminal: { width: 120, colour: false },
    readPlan: () => Promise.resolve(undefined),
    readCells: () => Promise.resolve([documentOf()]),
    save: (name, text) => {
      saved.set(name, text);
      return Promise.resolve(`/results/${name}`);
    },
    addSummary: (markdown) => Promise.resolve(void texts.push(markdown)),
    comment: ({ render }) => {
      texts.push(render("<!-- marker -->"));
      return Promise.resolve({ kind: "created", url: "https://github.com/octo/app/pull/7#issuecomment-1" });
    },
    setOutputs: (all) => {
      for (const [name, value] of Object.entries(all)) outputs.set(name, value);
      return Promise.resolve();
    },
    print: (text) => void texts.push(text),
    ...overrides,
  };
  return { saved, outputs, events, texts, ports };
}

test("writes every form of the report and says where they are", async () => {
  const { saved, outputs, texts, ports } = keepingPorts();
  await report(reporting, ports);
  expect([...saved.keys()]).toEqual(["report.md", "report.html", "figures.json"]);
  expect(texts).toHaveLength(3); // terminal, summary, comment
  expect(texts[2]?.startsWith("<!-- marker -->\n")).toBe(true);
  expect(Object.fromEntries(outputs)).toMatchObject({
    verdict: "complete",
    "results-folder": "/results",
    markdown: "/results/report.md",
    html: "/results/report.html",
    comment: "created",
    "comment-url": "https://github.com/octo/app/pull/7#issuecomment-1",
  });
  expect(JSON.parse(outputs.get("figures") ?? "").cells).toHaveLength(1);
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

  test("without any result still makes a report", async () => {
    const { saved, ports } = keepingPorts({ readCells: () => Promise.resolve([]) });
    const { rows } = await report({ ...reporting, planText: plan }, ports);
    expect(rows.map(({ status }) => status)).toEqual(["missing", "missing"]);
    expect(saved.get("report.md")).toContain("/health");
  });
});

test("a result that cannot be used is named in the report, not dropped silently", async () => {
  const { ports } = keepingPorts({
    readCells: () => Promise.resolve([documentOf(), { name: "cells/x.json", text: "{" }]),
  });
  const { warnings } = await report(reporting, ports);
  expect(warnings).toEqual([expect.stringContaining("Left out x.json")]);
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

test("asks nothing of GitHub when no comment is wanted", async () => {
  const { ports, outputs } = keepingPorts({ comment: () => Promise.reject(new Error("must not be asked")) });
  await report({ ...reporting, comment: false }, ports);
  expect(outputs.get("comment")).toBe("none");
});
