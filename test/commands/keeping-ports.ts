import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { ReportPorts } from "../../src/ports/report.ts";
import type { Annotation } from "../../src/report/forge/check-run.ts";
import { measurement } from "../fixtures/measurement.ts";

/** A cell's document as it lies in the results folder. */
export const documentOf = (value = measurement()) => ({
  name: `/results/cells/${value.cell.id}.json`,
  text: JSON.stringify(value),
});

/** Ports that keep their arguments. */
export function keepingPorts(overrides: Partial<ReportPorts> = {}) {
  const saved = new Map<string, string>();
  const outputs = new Map<string, string>();
  const events: ProgressEvent[] = [];
  const texts: string[] = [];
  const annotations: Annotation[] = [];
  const ports: ReportPorts = {
    progress: (event) => void events.push(event),
    links: { runUrl: "https://github.com/octo/app/actions/runs/1", runLabel: "run 1" },
    program: undefined,
    terminal: { width: 120, colour: false },
    readPlan: () => Promise.resolve(undefined),
    readCells: () => Promise.resolve([documentOf()]),
    readPageScript: () => Promise.resolve({ script: "draw()", scriptHash: "aGFzaA==" }),
    save: (name, text) => {
      saved.set(name, text);
      return Promise.resolve(`/results/${name}`);
    },
    addSummary: (markdown) => Promise.resolve(void texts.push(markdown)),
    comment: ({ render }) => {
      texts.push(render("<!-- marker -->"));
      return Promise.resolve({ kind: "created", url: "https://github.com/octo/app/pull/7#issuecomment-1" });
    },
    readAcceptances: () => Promise.resolve({ kind: "none", reason: "no pull request" }),
    readMergedAcceptances: () => Promise.resolve({ kind: "none", reason: "no pull request" }),
    checkCommit: () => Promise.reject(new Error("nobody asked for a check run")),
    suggest: () => Promise.reject(new Error("nobody asked for reviews")),
    keepHistory: () => Promise.reject(new Error("nobody named a branch")),
    annotate: (all) => Promise.resolve(void annotations.push(...all)),
    setOutputs: (all) => {
      for (const [name, value] of Object.entries(all)) outputs.set(name, value);
      return Promise.resolve();
    },
    print: (text) => void texts.push(text),
    ...overrides,
  };
  return { saved, outputs, events, texts, annotations, ports };
}
