import { describe, expect, test } from "vitest";

import { sourceUrl } from "../../src/report/links.ts";
import { foundCause } from "../diagnosis/samples.ts";
import { cell } from "../fixtures/measurement.ts";
import { commits, comparedOf, design, effect, row, versus } from "./compared.ts";
import { renderComment, renderHtml, renderTerminalTable } from "./forms.ts";

const files = { beforeCommit: "https://github.com/octo/app/blob/", commits: [commits.head, "f".repeat(40)] };
const where = `https://github.com/octo/app/blob/${commits.head}/api/app/orders.py#L37`;

describe("the address of a line", () => {
  test.for([
    [commits.head, "api/app/orders.py", where],
    [undefined, "api/app/orders.py", where],
    ["f".repeat(40), "a.py", `https://github.com/octo/app/blob/${"f".repeat(40)}/a.py#L37`],
    ["0".repeat(40), "a.py", undefined],
    [
      commits.head,
      "a b/(ü)'#?.py",
      `https://github.com/octo/app/blob/${commits.head}/a%20b/%28%C3%BC%29%27%23%3F.py#L37`,
    ],
  ] as const)("at %s of %s", ([measured, path, expected]) => {
    expect(sourceUrl({ files }, measured, path, 37)).toBe(expected);
  });

  test("is unknown where nobody says where files can be read", () => {
    expect(sourceUrl({}, commits.head, "a.py", 1)).toBeUndefined();
  });
});

describe("a change and its cause", () => {
  const cause = foundCause({ path: "api/app/orders.py", isInDiff: true });
  const at = cell({ path: "/orders" });
  const slower = row({
    cell: at,
    versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.63, 0.2) } }),
    diagnosis: { head: { findings: [cause], unseen: [] }, base: { findings: [], unseen: [] } },
  });
  const comparison = comparedOf([slower]);

  test("are one paragraph, with a link to the measured line, and the evidence is folded", () => {
    const comment = renderComment(comparison, { marker: "", files });
    expect(comment).toContain(
      `\`/orders\` **is 63% slower** (a factor of 2.7; 99% interval 43 to 83%, 1 worker): it blocks the event loop for 480 ms at [\`app/orders.py:37\`](${where}) (\`time.sleep(0.48)\`) – new in this pull request. Await it.`,
    );
    expect(comment).not.toContain("**Why**");
    expect(comment).toMatch(
      /<summary>Evidence<\/summary>\n\n- \*\*blocking call on the event loop\*\* .*mean: 480 ms/,
    );
  });

  test("are so on the page and in the terminal", () => {
    expect(renderHtml(comparison, { files })).toContain(`at <a href="${where}">app/orders.py:37</a> (<code>`);
    expect(renderTerminalTable(comparison, { width: undefined, colour: false })).toContain(
      "/orders is 63% slower (a factor of 2.7; 99% interval 43 to 83%, 1 worker): it blocks the event loop for 480 ms at app/orders.py:37",
    );
  });

  test("belong together where the cause was looked for with another number of workers, and without one", () => {
    const { diagnosis, ...one } = slower;
    const other = row({ cell: cell({ path: "/orders", workers: 2 }), diagnosis });
    const quiet = { ...other, diagnosis: { head: { findings: [], unseen: [] } } };
    const undiagnosed = { ...one, diagnosis: undefined };
    expect(renderComment(comparedOf([undiagnosed, other]), { marker: "" })).toContain(
      "1 worker): it blocks the event loop",
    );
    expect(renderComment(comparedOf([undiagnosed, quiet]), { marker: "" })).toContain(
      "1 worker). No cause was found:",
    );
  });

  test("of a gain is the function that takes less", () => {
    const less = foundCause({
      cause: "less CPU in a function",
      severity: "note",
      subject: "`quote()`",
      summary: "takes less",
    });
    const faster = row({
      cell: at,
      versus: versus({ verdict: { kind: "faster" }, effects: { throughput: effect(0.2, 0.02) } }),
      diagnosis: { head: { findings: [cause, less], unseen: [] } },
    });
    expect(renderComment(comparedOf([faster]), { marker: "" })).toContain("1 worker): `quote()` takes less");
    const dearer = { ...slower, diagnosis: { head: { findings: [less], unseen: [] } } };
    expect(renderComment(comparedOf([dearer]), { marker: "" })).toContain("No cause was found:");
  });

  test("is no line that keeps memory, which is listed apart", () => {
    const leak = foundCause({
      cause: "growing memory",
      subject: "`remember()`",
      summary: "keeps 2,358 bytes",
    });
    const leaking = (isInDiff: boolean) => ({
      ...slower,
      diagnosis: {
        base: { findings: [], unseen: [] },
        head: { findings: [{ ...leak, isInDiff }], unseen: [] },
      },
    });
    const comment = renderComment(comparedOf([leaking(true)]), { marker: "" });
    expect(comment).toContain("1 worker). No cause was found:");
    expect(comment).toContain("`remember()` keeps 2,358 bytes – changed in this pull request. Await it.");
    expect(renderComment(comparedOf([leaking(false)]), { marker: "" })).toContain("2,358 bytes. Await it.");
  });

  test("stay without a link where the documents name a commit that the run has not", () => {
    const forged = comparedOf([slower], { commits: { head: "e".repeat(40) } });
    expect(renderComment(forged, { marker: "", files })).toContain("480 ms at `app/orders.py:37` (");
  });

  test("a row of the page can be linked to", () => {
    expect(renderHtml(comparison)).toContain(`<tr id="cell-${at.id}">`);
  });

  test("a member is told how to accept what fails, on a pull request only", () => {
    const hint =
      "Someone with write access can comment `/loadtest accept /orders: the reason`, then re-run the failed job.";
    expect(renderComment(comparison, { marker: "", isPullRequest: true })).toContain(hint);
    expect(renderComment(comparison, { marker: "" })).not.toContain("/loadtest accept");
    const two = comparedOf([slower, { ...slower, cell: cell({ path: "/price" }) }]);
    expect(renderComment(two, { marker: "", isPullRequest: true })).toContain(
      "`/loadtest accept /orders: the reason`, with one line for each of the 2 endpoints that fail, then re-run the failed job.",
    );
    const sameEndpoint = comparedOf([slower, { ...slower, cell: cell({ path: "/orders", workers: 2 }) }]);
    expect(renderComment(sameEndpoint, { marker: "", isPullRequest: true })).toContain("the reason`, then");
    const control = comparedOf([slower], { design: design({ kind: "control" }) });
    expect(renderComment(control, { marker: "", isPullRequest: true })).not.toContain("/loadtest accept");
  });
});

test.for([
  [effect(1.3, 0.4), "is 2.3 times as fast** (+130%; 99% interval 90 to 170%, 1 worker)"],
  [effect(12, 1), "is 13 times as fast** (+1,200%; 99% interval over 1,000%, 1 worker)"],
  [effect(0.2, 0.005), "is 20% faster** (99% interval 20 to 21%, 1 worker)"],
] as const)("a gain in words, case %#", ([throughput, words]) => {
  const rows = [
    row({ cell: cell(), versus: versus({ verdict: { kind: "faster" }, effects: { throughput } }) }),
  ];
  expect(renderComment(comparedOf(rows), { marker: "" })).toContain(words);
});

test("what only the CPU time tells says so", () => {
  const throughputByCpu = effect(-0.1, 0.01);
  const rows = (["slower", "unchanged"] as const).map((kind, index) =>
    row({
      cell: cell({ path: `/${index}` }),
      versus: versus({ verdict: { kind, isByCpu: true }, effects: { throughputByCpu } }),
    }),
  );
  const comment = renderComment(comparedOf(rows), { marker: "" });
  expect(comment).toContain("`/0` **is 10% slower** (99% interval 9 to 11%, by CPU time, 1 worker).");
  expect(comment).toContain("| **−10%** by CPU time |");
  expect(comment).toContain("| none (±11% by CPU time) |");
});

describe("a slow-down without a known cause says where to look", () => {
  const looked = { head: { findings: [], unseen: [] } };
  test.for([
    [effect(0.1, 0.02), looked, "No cause was found: each request takes 0 ms more CPU"],
    [effect(-0.1, 0.02), looked, "takes less CPU than before but waits longer"],
    [effect(0, 0.02), looked, "takes as much CPU as before but waits longer"],
    [undefined, undefined, "Not diagnosed: compare the figures of both versions below."],
  ] as const)("case %#", ([cpuPerRequest, diagnosis, words]) => {
    const rows = [
      row({
        cell: cell(),
        diagnosis,
        versus: versus({
          verdict: { kind: "slower" },
          effects: { throughput: effect(-0.1, 0.01), cpuPerRequest },
        }),
      }),
    ];
    expect(renderComment(comparedOf(rows), { marker: "" })).toContain(words);
  });
});
