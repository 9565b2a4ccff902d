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

/** Two cells that are measured in rounds, with all phases. */
const rounds: typeof run = [
  [0, { kind: "plan", plan: { schemaVersion: 1, cells } }],
  [0, { kind: "step", text: "installing the app" }],
  [0, { kind: "phase started", phase: "reach check", seconds: 10 }],
  [0, { kind: "step", text: "the change affects 2 of 2 cells" }],
  [0, { kind: "cell started", cell: health, index: 0, total: 2 }],
  [0, { kind: "step", text: "replicate 1" }],
  [0, { kind: "cell started", cell: broken, index: 1, total: 2 }],
  [0, { kind: "cell started", cell: health, index: 0, total: 2 }],
  [0, { kind: "step", text: "replicate 2" }],
  [0, { kind: "cell finished", measurement: measurement({ cell: health }), index: 0, total: 2 }],
  [0, { kind: "cell started", cell: broken, index: 1, total: 2 }],
  [0, { kind: "step", text: "replicate 2" }],
  [0, { kind: "cell finished", measurement: measurement({ cell: broken }), index: 1, total: 2 }],
  [0, { kind: "phase started", phase: "soak test", seconds: 66 }],
  [0, { kind: "load started", seconds: 5 }],
  [0, { kind: "phase started", phase: "causes", seconds: 35 }],
  [0, { kind: "step", text: "diagnosing /health (head)" }],
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
    isVerbose: options.ci ?? false,
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
      "Measuring 2 cells, about 26 s
        installing the app
      [1/2] /health, 1 worker
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
      "Measuring 2 cells, about 26 s
      ::group::Preparing
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

  test("prints one line when a cell of several rounds begins, and one when it ends", () => {
    const { play, written } = open({});
    play(rounds);
    expect(written()).toMatchInlineSnapshot(`
      "Measuring 2 cells
        installing the app
      Checking which endpoints the change affects, about 10 s
        the change affects 2 of 2 cells
      [1/2] /health, 1 worker
      [2/2] /broken, 2 workers
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      [2/2] /broken, 2 workers: 1,000 ± 11 req/s, p95 15.0 ms
      Soak test, about 1 min 6 s
      Looking for causes, about 35 s
        diagnosing /health (head)
      "
    `);
  });

  test("shows the steps of a cell where all is wanted, and folds rounds where a runner reads them", () => {
    const verbose = open({ isVerbose: true });
    verbose.play(rounds.slice(0, 8));
    expect(verbose.written()).toMatchInlineSnapshot(`
      "Measuring 2 cells
        installing the app
      Checking which endpoints the change affects, about 10 s
        the change affects 2 of 2 cells
      [1/2] /health, 1 worker
        replicate 1
      [2/2] /broken, 2 workers
      [1/2] /health, 1 worker, continued
      "
    `);
    const folded = open({ ci: true });
    folded.play(rounds);
    folded.terminal.finish();
    expect(folded.written()).toMatchInlineSnapshot(`
      "Measuring 2 cells
      ::group::Preparing
        installing the app
      ::endgroup::
      ::group::Checking which endpoints the change affects
        the change affects 2 of 2 cells
      ::endgroup::
      ::group::[1/2] /health, 1 worker
        replicate 1
      ::endgroup::
      ::group::[2/2] /broken, 2 workers
        [1/2] /health, 1 worker
        replicate 2
      ::endgroup::
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      ::group::[2/2] /broken, 2 workers, continued
        replicate 2
      ::endgroup::
      [2/2] /broken, 2 workers: 1,000 ± 11 req/s, p95 15.0 ms
      ::group::Soak test
        under load for 5 s
      ::endgroup::
      ::group::Looking for causes
        diagnosing /health (head)
      ::endgroup::
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
      "::group::Preparing",
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
      "Measuring 2 cells, about 26 s
      ░░░░░░░░░░░░░░░░  5%  0:02 of ~0:40  installing the app
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
      "Measuring 2 cells, about 26 s
      ████░░░░░░░░░░░░ 29%  0:09 of ~0:35  [1/2] /health, 1 worker: under load for 1…
      "
    `);
  });

  test("shows the change so far, and forgets it with the cell", () => {
    const { play, screen } = open({ isTTY: true, width: 120 });
    const effect = { value: -0.04, interval: { low: -0.09, high: 0.01 } };
    play([
      ...run.slice(0, 5),
      [3_000, { kind: "replicate measured", cell: health, progress: { replicates: 3, effect } }],
      [0, { kind: "step", text: "replicate 4" }],
    ]);
    expect(screen()).toMatchInlineSnapshot(`
      "Measuring 2 cells, about 26 s
      ████░░░░░░░░░░░░ 29%  0:09 of ~0:35  [1/2] /health, 1 worker: −4.0% ± 5.0 after 3 replicates, replicate 4
      "
    `);
    play(run.slice(6, 7));
    expect(screen()).not.toContain("replicates");
  });

  test("keeps results and warnings above, and takes the finished cell as the measure of time", () => {
    const { play, screen } = open({ isTTY: true });
    play(run.slice(0, 8));
    expect(screen()).toMatchInlineSnapshot(`
      "Measuring 2 cells, about 26 s
      Warning: an old worker is still alive
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      ████████░░░░░░░░ 55%  0:16 of ~0:30  [2/2] /broken, 2 workers
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
      "Measuring 2 cells, about 26 s
      Warning: an old worker is still alive
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      [2/2] /broken, 2 workers: failed while starting the app: the server exited with
        code 3 before it was ready
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
    expect(screen()).toContain("Comparing 2 cells, probably 32 s, usually at most 15 min");
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells, design, estimatedSeconds: 900 }, jobs: 2 }]]);
    expect(screen()).toContain("Comparing 2 cells in 2 jobs, each probably 16 s, usually at most 15 min");
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells, estimatedSeconds: 20 }, jobs: 2 }]]);
    expect(screen()).toContain("Measuring 2 cells in 2 jobs, each about 20 s");
    const table = [health, cell({ path: "/health", workers: 2 })];
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells: table } }]]);
    expect(screen()).toContain("Measuring 1 endpoint × 2 worker counts\n");
    play([[0, { kind: "plan", plan: { schemaVersion: 1, cells: table.slice(1) } }]]);
    expect(screen()).toContain("Measuring 1 endpoint\n");
  });

  test("counts cells where nobody knows the time", () => {
    const { play, screen } = open({ isTTY: true });
    const load = { kind: "requests", virtualUsers: 1, requests: 9 } as const;
    const counted = [cell({ load }), cell({ load, workers: 2 })];
    const [first = health] = counted;
    play([
      [0, { kind: "plan", plan: { schemaVersion: 1, cells: counted } }],
      [5_000, { kind: "cell started", cell: first, index: 0, total: 2 }],
    ]);
    expect(screen()).toMatchInlineSnapshot(`
      "Measuring 1 endpoint × 2 worker counts
      ░░░░░░░░░░░░░░░░  0%  0:05  [1/2] /health, 1 worker
      "
    `);
    play([
      [7_000, { kind: "cell finished", measurement: measurement({ cell: first }), index: 0, total: 2 }],
      [3_600_000, { kind: "step", text: "waiting" }],
    ]);
    expect(screen()).toMatchInlineSnapshot(`
      "Measuring 1 endpoint × 2 worker counts
      [1/2] /health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms
      ███████████████░ 99%  1:00:12 of ~1:00:15  waiting
      "
    `);
  });

  test("takes one line for a line, however narrow the terminal and wide the path", () => {
    const { play, screen } = open({ isTTY: true, width: 30 });
    const wide = cell({ path: `/${"語".repeat(50)}` });
    play([[0, { kind: "cell started", cell: wide, index: 0, total: 1 }]]);
    const [first = ""] = screen().split("\n");
    expect(first).toBe("0:00  [1/1] /語語語語語語語…");
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
