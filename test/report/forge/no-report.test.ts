import fc from "fast-check";
import { expect, test } from "vitest";
import { renderNoReport } from "../../../src/report/forge/check-run.ts";
import { isWebAddress } from "../../../src/report/links.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";

test("F45: says which run has no result, and where to look", () => {
  const headSha = "0123456789abcdef0123456789abcdef01234567";
  const runUrl = "https://github.com/octo/app/actions/runs/7";
  expect(renderNoReport({ runUrl, runLabel: "run 12", headSha })).toMatchInlineSnapshot(`
    "## Load test – no result

    The run for commit \`0123456789\` ended before anything was measured. [The log of run 12](https://github.com/octo/app/actions/runs/7) shows why. Any results shown here before were for an earlier commit.
    "
  `);
  expect(renderNoReport({})).toContain(
    "The run for this commit ended before anything was measured. Its log shows why.",
  );
});

test("T5: whatever its parts are, nothing in it is live", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (runUrl, runLabel, headSha) => {
      fc.pre(!isWebAddress(runUrl)); // the run's own address, by GitHub's word, is rightly a link
      const markdown = renderNoReport({ runUrl, runLabel, headSha });
      const html = toHtml(markdown);
      expect(markdown).not.toMatch(unseen);
      expect(elementsOf(html).filter((name) => !["h2", "p", "code"].includes(name))).toEqual([]);
      expect(proseOf(html)).not.toMatch(liveInProse);
    }),
  );
});
