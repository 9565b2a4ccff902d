import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createTerminal, type TerminalOptions } from "../../../src/adapters/terminal/terminal.ts";
import type { ProgressEvent } from "../../../src/ports/progress.ts";
import { cell, failure, measurement } from "../../fixtures/measurement.ts";
import { isWorkflowCommand } from "../../text/workflow-command.ts";

const health = cell({ path: "/health" });
const broken = cell({ path: "/broken", workers: 2 });
const cells = [health, broken];

/** A run of two cells, the second of which fails, with the milliseconds before each event. */
const run: readonly (readonly [waitMs: number, event: ProgressEvent])[] = [
  [0, { kind: "plan", plan: { schemaVersion: 1, cells, estimatedSeconds: 26 } }],
  [0, { kind: "step", text: "installing the app" }],
  [5_000, { kind: "cell started", cell: health, index: 0, total: 2 }],
  [0, { kind: "step", text: "starting the app" }],
  [1_000, { kind: "load started", seconds: 10 }],
  [4_000, { kind: "warning", text: "an old worker is still alive" }],
  [6_000, { kind: "cell finished", measurement: measurement({ cell: health }), index: 0, total: 2 }],
  [0, { kind: "cell started", cell: broken, index: 1, total: 2 }],
  [
    500,
    {
      kind: "cell finished",
      measurement: measurement({ cell: broken, status: "failed", failure: failure() }),
      index: 1,
      total: 2,
    },
  ],
];

/** A terminal of the kind that `options` asks for, and what stands on its screen. */
function open(options: Partial<TerminalOptions>) {
  let written = "";
  const stdout = {
    write: (text: string) => {
      written += text;
    },
  };
  const now = () => Date.now();
  const terminal = createTerminal({
    stdout,
    isTTY: false,
    width: 80,
    colour: false,
    ci: false,
    now,
    ...options,
  });
  const play = (events: typeof run) => {
    for (const [waitMs, event] of events) {
      vi.advanceTimersByTime(waitMs);
      terminal.progress(event);
    }
  };
  return { terminal, play, written: () => written, screen: () => screenOf(written) };
}

/** What is left on the screen after the two sequences that the live view uses. */
function screenOf(written: string): string {
  const lines = [""];
  let row = 0;
  const esc = String.fromCodePoint(0x1b);
  for (const [, up, text = ""] of written.matchAll(
    new RegExp(`(?:${esc}\\[(\\d+)F${esc}\\[J)|([^${esc}]+)`, "g"),
  )) {
    if (up !== undefined) {
      row -= Number(up);
      lines.length = row;
    }
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) row += 1;
      lines[row] = (lines[row] ?? "") + part;
    }
  }
  return lines.join("\n");
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("without a terminal", () => {
  test("prints a line per event", () => {
    const { terminal, play, written } = open({});
    play(run);
    terminal.finish("the table");
    expect(written()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
        installing the app
      [1/2] /health, 1 worker
        starting the app
        under load for 10 s
      Warning: an old worker is still alive
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      [2/2] /broken, 2 workers
        | INFO: Started
        | ModuleNotFoundError: No module named 'app'
      [2/2] /broken, 2 workers: failed while starting the app: the server exited with code 3 before it was ready
      the table
      "
    `);
  });

  test("folds what happened during a cell where a runner reads it", () => {
    const { terminal, play, written } = open({ ci: true });
    play(run);
    terminal.finish("the table\n");
    terminal.progress({ kind: "step", text: "comment created" });
    expect(written()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
      ::group::Prepare
        installing the app
      ::endgroup::
      ::group::[1/2] /health, 1 worker
        starting the app
        under load for 10 s
      Warning: an old worker is still alive
      ::endgroup::
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      ::group::[2/2] /broken, 2 workers
        | INFO: Started
        | ModuleNotFoundError: No module named 'app'
      ::endgroup::
      [2/2] /broken, 2 workers: failed while starting the app: the server exited with code 3 before it was ready
      the table
      comment created
      "
    `);
  });

  test("ends its group when the run ends early", () => {
    const { terminal, play, written } = open({ ci: true });
    play(run.slice(0, 4));
    terminal.finish();
    expect(written()).toMatch(/::endgroup::\n$/);
  });

  test("lets no foreign text command the runner", () => {
    const { terminal, play, written } = open({ ci: true });
    const hostile = "a\n::error::b\r\n ::stop-commands::c\n##[group]d\u001b[2J%0A::set-output name=x::y";
    const attacked = cell({ path: `/##[error]x\n::add-mask::y` });
    const reason = `\n${hostile}`;
    play([
      [0, { kind: "plan", plan: { schemaVersion: 1, cells: [attacked] } }],
      [0, { kind: "step", text: hostile }],
      [0, { kind: "warning", text: hostile }],
      [0, { kind: "cell started", cell: attacked, index: 0, total: 1 }],
      [0, { kind: "load started", seconds: undefined }],
      [
        0,
        {
          kind: "cell finished",
          measurement: measurement({
            cell: attacked,
            status: "failed",
            failure: failure({ reason, logTail: hostile }),
          }),
          index: 0,
          total: 1,
        },
      ],
    ]);
    terminal.finish();
    const commands = written().split("\n").filter(isWorkflowCommand);
    expect(commands).toEqual([
      "::group::Prepare",
      "::endgroup::",
      "::group::[1/1] /## [error]x ::add-mask::y, 1 worker",
      "::endgroup::",
    ]);
    expect(written()).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe("in a terminal", () => {
  test("shows before the first cell what is done", () => {
    const { play, screen } = open({ isTTY: true });
    play(run.slice(0, 2));
    vi.advanceTimersByTime(2_000);
    expect(screen()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
      installing the app
      ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0%, about 26 s left
      "
    `);
  });

  test("shows the cell, a bar and the time left, and redraws by itself", () => {
    const { play, screen, written } = open({ isTTY: true });
    play(run.slice(0, 5));
    const before = written().length;
    vi.advanceTimersByTime(3_000);
    expect(written().length).toBeGreaterThan(before);
    expect(screen()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
      [1/2] /health, 1 worker: under load for 10 s
      ██████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 15%, about 22 s left
      "
    `);
  });

  test("shows what is known of the cell so far, and forgets it with the cell", () => {
    const { play, screen } = open({ isTTY: true });
    const effects = [
      { value: -0.05, interval: { low: -0.25, high: 0.15 } },
      { value: -0.04, interval: { low: -0.09, high: 0.01 } },
    ];
    const rates = { base: [1_000, 1_100, 1_050], head: [960, 1_040, 1_010] };
    play([
      ...run.slice(0, 5),
      [3_000, { kind: "replicate measured", progress: { replicates: 3, rates, effects } }],
      [0, { kind: "step", text: "replicate 4" }],
    ]);
    expect(screen()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
      [1/2] /health, 1 worker: replicate 4
        base ▃█▆ 1,050 req/s  head ▁▅▄ 1,010 req/s
        −4.0% ± 5.0 after 3 replicates: ± 20% → ± 5.0%
      ██████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 15%, about 22 s left
      "
    `);
    play(run.slice(6, 7));
    expect(screen()).not.toContain("base");
  });

  test("keeps results and warnings above, and takes the finished cell as the measure of time", () => {
    const { play, screen } = open({ isTTY: true });
    play(run.slice(0, 8));
    expect(screen()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
      Warning: an old worker is still alive
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      [2/2] /broken, 2 workers
      ████████████████████░░░░░░░░░░░░░░░░░░░░ 50%, about 11 s left
      "
    `);
  });

  test("leaves nothing but results, stops drawing and hides no cursor", () => {
    const { terminal, play, screen, written } = open({ isTTY: true });
    play(run);
    terminal.finish("the table");
    terminal.progress({ kind: "step", text: "comment created" });
    const end = written();
    vi.advanceTimersByTime(10_000);
    expect(written()).toBe(end);
    expect(vi.getTimerCount()).toBe(0);
    expect(end).not.toContain("\u001b[?25l");
    expect(screen()).toMatchInlineSnapshot(`
      "2 cells to measure, about 26 s
      Warning: an old worker is still alive
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      [2/2] /broken, 2 workers: failed while starting the app: the server exited with code 3 before it was ready
        | INFO: Started
        | ModuleNotFoundError: No module named 'app'
      the table
      comment created
      "
    `);
  });

  test("says how long a comparison probably takes, and at most", () => {
    const { play, screen } = open({ isTTY: false });
    const design = {
      kind: "comparison" as const,
      minChange: 0.1,
      falseAlarmRate: 0.01,
      looks: [3, 4, 5],
      maxMinutes: 15,
      cells: 2,
    };
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells, design, estimatedSeconds: 900 } }]]);
    expect(screen()).toContain("2 cells to compare, probably 32 s, at most 15 min");
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells, design, estimatedSeconds: 900 }, jobs: 2 }]]);
    expect(screen()).toContain("2 cells to compare in 2 jobs, each probably 16 s, at most 15 min");
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells, estimatedSeconds: 20 }, jobs: 2 }]]);
    expect(screen()).toContain("2 cells to measure in 2 jobs, each about 20 s");
  });

  test("counts cells where nobody knows the time", () => {
    const { play, screen } = open({ isTTY: true });
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells } }]]);
    expect(screen()).toContain("0%, 2 cells left");
  });

  test("takes one line for a line, however narrow the terminal and wide the path", () => {
    const { play, screen } = open({ isTTY: true, width: 30 });
    const wide = cell({ path: `/${"語".repeat(50)}` });
    play([[0, { kind: "cell started", cell: wide, index: 0, total: 1 }]]);
    const [first = ""] = screen().split("\n");
    expect(first).toBe("[1/1] /語語語語語語語語語語…");
  });

  test("sets failures and warnings apart by colour only where that is wanted", () => {
    const [plain, coloured] = [false, true].map((colour) => {
      const { play, written, terminal } = open({ isTTY: true, colour });
      expect(terminal.colour).toBe(colour);
      play(run);
      return written();
    });
    expect(plain).not.toContain("\u001b[31m");
    expect(coloured).toContain("\u001b[31m[2/2] /broken, 2 workers: failed");
    expect(coloured).toContain("\u001b[33mWarning");
  });
});
