import * as fc from "fast-check";
import { expect, test } from "vitest";
import { announcedText, announcementIn, belowMarker, shownIn } from "../../src/forge/announced.ts";
import { renderMarker } from "../../src/forge/comment-marker.ts";

const state = { reportId: "default", runNumber: 12, attempt: 1, headSha: "a".repeat(40) };
const run = { runNumber: 11, attempt: 1, headSha: "b".repeat(40) };
const announcement = "## Load test in progress\n\nCommit `aaaaaaaaaa` is being measured.\n";

test("what was measured before stands below the announcement, with its commit", () => {
  expect(announcedText(announcement, { run, text: "## 1 slower\n\n| a |\n" })).toMatchInlineSnapshot(`
    "## Load test in progress

    Commit \`aaaaaaaaaa\` is being measured.

    <!-- fastapi-loadtest: earlier -->

    **Until then, these are the results of commit \`bbbbbbbbbb\`:**

    ## 1 slower

    | a |
    "
  `);
  expect(announcedText(announcement, undefined)).toBe(announcement);
});

test("what stands below comes out as it was put in, whatever line ends an editor made of it", () => {
  const begun = { ...state, pending: { shows: run } };
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), fc.boolean(), (text, isWindows) => {
      fc.pre(!text.includes("<!--") && !text.includes("\r"));
      const body = `${renderMarker(begun)}\n${announcedText(announcement, { run, text })}`;
      const found = shownIn(isWindows ? body.replaceAll("\n", "\r\n") : body, begun);
      expect(found?.run).toEqual(run);
      expect(found?.text.replaceAll("\r\n", "\n")).toBe(text);
      expect(announcementIn(body)).toBe(announcement.trimEnd());
    }),
  );
});

test("a report is what stands below its marker", () => {
  const body = `${renderMarker(state)}\n## 1 slower\n`;
  expect(shownIn(body, state)).toEqual({ run: state, text: "## 1 slower\n" });
  expect(belowMarker(renderMarker(state))).toBe("");
});

test.for([
  ["nothing was measured before", undefined],
  ["somebody took the line between them away", run],
])("an announcement shows no results where %s", ([, shows]) => {
  const begun = { ...state, pending: { shows: shows === undefined ? undefined : run } };
  expect(shownIn(`${renderMarker(begun)}\n${announcement}`, begun)).toBeUndefined();
});

const tooLong = "The rest is too long to show here; see the comment's history.\n";

test.for<readonly [what: string, text: string, end: string]>([
  ["of whole lines", `${"| row |\n".repeat(8_100)}`, `| row |\n\n${tooLong}`],
  ["in code", `\`\`\`\n${"log line\n".repeat(7_500)}\`\`\`\n`, `log line\n\`\`\`\n\n${tooLong}`],
  ["folded", `<details>\n${"row\n".repeat(17_000)}</details>\n`, `row\n\n</details>\n\n${tooLong}`],
  ["of one line", "x".repeat(65_000), `:**\n\n\n\n${tooLong}`],
])("what is too long for one comment is cut, %s, and comes out again", ([, text, end]) => {
  const whole = announcedText(announcement, { run, text });
  expect(whole.length).toBeLessThan(64_000);
  expect(whole.endsWith(end)).toBe(true);
  const begun = { ...state, pending: { shows: run } };
  const shown = shownIn(`${renderMarker(begun)}\n${whole}`, begun);
  // Cut again it is the same.
  expect(shown && announcedText(announcement, shown)).toBe(whole);
});
