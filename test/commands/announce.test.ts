import { expect, test } from "vitest";
import { announce } from "../../src/commands/announce.ts";
import type { CommentOutcome } from "../../src/ports/forge.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { AnnouncePorts } from "../../src/ports/report.ts";

type Asked = Parameters<AnnouncePorts["comment"]>[0];

async function announced(
  mode: "always" | "on-failure" | "never",
  outcome: CommentOutcome,
  isWithdrawal = false,
) {
  const asked: Asked[] = [];
  const events: ProgressEvent[] = [];
  const ports: AnnouncePorts = {
    progress: (event) => void events.push(event),
    links: { headSha: "a".repeat(40) },
    comment: (report) => {
      asked.push(report);
      return Promise.resolve(outcome);
    },
  };
  return { outcome: await announce({ reportId: "default", mode, isWithdrawal }, ports), asked, events };
}

test("says which commit is measured, in the report's comment", async () => {
  const { outcome, asked, events } = await announced("always", { kind: "created", url: "https://x/1" });
  expect(outcome.kind).toBe("created");
  expect(asked).toEqual([{ reportId: "default", isAnnouncement: true, render: expect.any(Function) }]);
  expect(asked[0]?.render("<!-- m -->")).toMatch(/^<!-- m -->\n## Load test in progress\n/);
  expect(events).toEqual([{ kind: "step", text: "comment created: https://x/1" }]);
});

test("F7: takes it back, and says so where there is nothing else to say", async () => {
  const { asked } = await announced("always", { kind: "updated", url: "https://x/1" }, true);
  expect(asked).toEqual([{ reportId: "default", isWithdrawal: true, render: expect.any(Function) }]);
  expect(asked[0]?.render("")).toBe(
    "\n## Load test – cancelled\n\nNo results for commit `aaaaaaaaaa`: this run was cancelled before it could report.\n",
  );
});

test("makes no comment where the report may make none, and asks for nothing where it never does", async () => {
  const { asked } = await announced("on-failure", { kind: "none", reason: "" });
  expect(asked[0]?.silence).toBe("there is no result yet, and `comment-mode` is on-failure");
  const never = await announced("never", { kind: "none", reason: "" });
  expect([never.asked, never.outcome.kind]).toEqual([[], "none"]);
});

test("a refusal is no warning: the report's comment meets it, too", async () => {
  const { events } = await announced("always", {
    kind: "forbidden",
    reason: "the token is not allowed to comment",
  });
  expect(events).toEqual([{ kind: "step", text: "no comment: the token is not allowed to comment" }]);
});
