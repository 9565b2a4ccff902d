import { describe, expect, test } from "vitest";

import { trends } from "../../src/commands/trends.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { Answered, TrendsPorts } from "../../src/ports/report.ts";
import { change, nights, textOf } from "../history/trends/lines.ts";

const wanted = { history: "origin/history", resultsDirectory: "out", python: "auto" };
const answer: Answered = { kind: "answer", text: JSON.stringify({ schemaVersion: 1, changes: [change] }) };

/** Ports that keep what they are given. */
function keepingPorts(overrides: Partial<TrendsPorts> = {}) {
  const saved = new Map<string, string>();
  const outputs: Record<string, string> = {};
  const events: ProgressEvent[] = [];
  const questions: string[] = [];
  const texts: string[] = [];
  const ports: TrendsPorts = {
    progress: (event) => void events.push(event),
    readHistory: () => Promise.resolve([textOf(nights(12))]),
    findChanges: (question) => {
      questions.push(question);
      return Promise.resolve(answer);
    },
    readPageScript: () => Promise.resolve({ script: "draw()", scriptHash: "aGFzaA==" }),
    save: (name, text) => {
      saved.set(name, text);
      return Promise.resolve(`/out/${name}`);
    },
    addSummary: (markdown) => Promise.resolve(void texts.push(markdown)),
    setOutputs: (given) => Promise.resolve(void Object.assign(outputs, given)),
    print: (text) => void texts.push(text),
    ...overrides,
  };
  return { ports, saved, outputs, events, questions, texts };
}

describe("trends", () => {
  test("writes the page, says what it found, and where the page is", async () => {
    const { ports, saved, outputs, events, questions, texts } = keepingPorts();
    await trends(wanted, ports);
    expect(questions).toHaveLength(1);
    expect(saved.get("trends.html")).toContain("▼ −10%, slower");
    expect(outputs).toEqual({ html: "/out/trends.html" });
    expect(texts[0]).toMatch(
      /^Load test trends – 1 cell, 12 commits, 1 change point\n {2}.*\n {4}fastapi-loadtest bisect .*\nReport: \/out\/trends.html\n$/,
    );
    expect(texts[1]).toMatch(/^## Load test trends/);
    expect(events).toEqual([]);
  });

  test("asks no engine about a history that is too short", async () => {
    const { ports, saved, questions } = keepingPorts({
      readHistory: () => Promise.resolve([textOf(nights(3))]),
    });
    await trends(wanted, ports);
    expect(questions).toEqual([]);
    expect(saved.get("trends.html")).toContain("too few points (3 of 8)");
  });

  test("writes the page without change points, too, and says why there are none", async () => {
    const { ports, saved, events } = keepingPorts({
      findChanges: () => Promise.resolve({ kind: "no answer", reason: "there is no Python" }),
    });
    await trends(wanted, ports);
    expect(saved.get("trends.html")).toContain("Change points were not computed. there is no Python");
    expect(events).toEqual([{ kind: "warning", text: "no change points: there is no Python" }]);
  });

  test("warns of what could not be read", async () => {
    const { ports, events } = keepingPorts({
      readHistory: () =>
        Promise.resolve([textOf(nights(3)), { name: "a.jsonl", text: "", problem: "is a pipe" }]),
    });
    await trends(wanted, ports);
    expect(events).toEqual([{ kind: "warning", text: "a.jsonl is a pipe" }]);
  });

  test.for([
    ["there is none", "holds no cells/REPORT/COMMIT.jsonl", "history: origin/history holds no cells"],
    [
      "nothing of it is ours",
      [{ name: "x", text: "<html>" }],
      "history: origin/history contains no results of this action",
    ],
  ] as const)("refuses a history of which %s, and writes nothing", async ([, texts, problem]) => {
    const { ports, saved } = keepingPorts({ readHistory: () => Promise.resolve(texts) });
    await expect(trends(wanted, ports)).rejects.toThrow(problem);
    expect(saved.size).toBe(0);
  });
});
