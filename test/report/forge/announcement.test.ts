import { expect, test } from "vitest";
import { renderAnnouncement } from "../../../src/report/forge/announcement.ts";

test.for([
  [
    { runUrl: "https://github.com/o/a/actions/runs/1", runLabel: "run 12", headSha: "a".repeat(40) },
    "Commit `aaaaaaaaaa` is being measured by [run 12](https://github.com/o/a/actions/runs/1).",
  ],
  [{ runUrl: "javascript:alert(1)" }, "This commit is being measured by this run."],
] as const)("says which run measures which commit: %j", ([links, words]) => {
  expect(renderAnnouncement(links)).toBe(`## Load test in progress\n\n${words} Results will appear here.\n`);
});
