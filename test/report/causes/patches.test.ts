import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Comparison } from "../../../src/compare/comparison.ts";
import { armDiagnosis, type FoundCause } from "../../../src/model/findings/diagnosis.ts";
import { causesOf } from "../../../src/report/causes/causes.ts";
import { patchText } from "../../../src/report/causes/patches.ts";
import { explainDocument } from "../../../src/report/explain/explain-document.ts";
import { explainSchema } from "../../../src/report/explain/explain-schema.ts";
import { suggestionsOf } from "../../../src/report/forge/suggestions.ts";
import { renderHtml } from "../../../src/report/render/html/page.ts";
import { renderComment } from "../../../src/report/render/markdown/comment.ts";
import { reportOf } from "../../../src/report/report.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, row } from "../compared.ts";

const edit = {
  path: "app/main.py",
  line: 4,
  before: "    time.sleep(1)",
  after: "    await asyncio.sleep(1)",
  isInDiff: true,
};
const added = { path: "app/main.py", line: 1, before: "import time", after: "import asyncio\nimport time" };
const withCause = (changes: Partial<FoundCause>): Comparison =>
  comparedOf([
    row({ cell: cell({ path: "/orders" }), diagnosis: { head: armDiagnosis([foundCause(changes)], []) } }),
  ]);

describe("a patch", () => {
  test("is one that git applies", () => {
    const folder = mkdtempSync(join(tmpdir(), "patch-"));
    try {
      const file = join(folder, "main.py");
      writeFileSync(file, "import time\n\nasync def read():\n    time.sleep(1)\n    return 1\n");
      const text = patchText({
        ...foundCause(),
        edits: [edit, added].map((each) => ({ ...each, path: "main.py" })),
      });
      writeFileSync(join(folder, "patch"), `${text}\n`);
      execFileSync("git", ["apply", "--unidiff-zero", "patch"], { cwd: folder });
      expect(readFileSync(file, "utf8")).toBe(
        "import asyncio\nimport time\n\nasync def read():\n    await asyncio.sleep(1)\n    return 1\n",
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.for<[what: string, changes: Partial<FoundCause>, expected: string | undefined]>([
    ["without a remedy", {}, undefined],
    ["of none", { edits: [] }, undefined],
    ["for the database", { sql: "CREATE INDEX ON a (b);" }, "CREATE INDEX ON a (b);"],
  ])("%s", ([, changes, expected]) => {
    expect(patchText(foundCause(changes))).toBe(expected);
  });

  test("stands in the comment, on the page and in explain", () => {
    const text = `--- a/app/main.py
+++ b/app/main.py
@@ -4 +4 @@
-    time.sleep(1)
+    await asyncio.sleep(1)`;
    const compared = withCause({ edits: [edit] });
    const comment = renderComment(reportOf(compared), { marker: "" });
    expect(comment).toContain("<details><summary>Suggested changes, not applied</summary>");
    expect(comment).toContain(`\`\`\`diff\n${text}\n\`\`\``);
    expect(comment).toContain(
      ". This accounts for 90% of a request's time, or of the time at its bottleneck.",
    );
    expect(renderHtml(reportOf(compared))).toContain(`tabindex="0">${text}</pre>`);
    const [cause] = explainSchema.parse(explainDocument(compared)).causes;
    expect(cause?.quoted.patch).toBe(text);
    const sql = withCause({ sql: "CREATE INDEX ON a (b);" });
    expect(renderComment(reportOf(sql), { marker: "" })).toContain("```sql\nCREATE INDEX ON a (b);\n```");
  });

  test("of hostile lines stays within its block, and too long a one is left out of explain", () => {
    const after = '    x = "```\u2028</pre><script>@all"';
    const comment = renderComment(reportOf(withCause({ edits: [{ ...edit, after }] })), { marker: "" });
    expect(comment).toContain("````diff\n");
    expect(comment).not.toContain("\u2028");
    expect(renderHtml(reportOf(withCause({ edits: [{ ...edit, after }] })))).not.toContain("<script>@all");
    const long = { ...edit, path: `${"a/".repeat(200)}b` };
    const document = explainDocument(withCause({ edits: [long] }));
    expect(document.causes[0]?.quoted).not.toHaveProperty("patch");
  });
});

describe("a suggestion", () => {
  const suggested = (changes: Partial<FoundCause>) => {
    const comparison = withCause(changes);
    return suggestionsOf(comparison, causesOf(comparison), {});
  };

  test("has its line and GitHub's block", () => {
    expect(suggested({ edits: [edit] })).toEqual([
      {
        ...{ path: "app/main.py", line: 4, before: "    time.sleep(1)" },
        body: expect.stringMatching(/^`\/orders` .*\n\n```suggestion\n {4}await asyncio\.sleep\(1\)\n```$/),
      },
    ]);
    expect(suggested({ edits: [{ ...edit, after: "x = '```'" }] })[0]?.body).toContain(
      "\n````suggestion\nx = '```'\n````",
    );
  });

  test.for<[what: string, changes: Partial<FoundCause>]>([
    ["without an edit", {}],
    ["beside the diff", { edits: [{ ...edit, isInDiff: false }] }],
    ["without a diff", { edits: [{ ...edit, isInDiff: undefined }] }],
    ["of two places", { edits: [added, edit] }],
    ["of two lines", { edits: [{ ...edit, after: "a\nb" }] }],
    ["of nothing", { edits: [{ ...edit, after: "  " }] }],
    ["that would be shown in another way", { edits: [{ ...edit, after: "x = '\u202e'" }] }],
    ["with a remark of HTML", { edits: [{ ...edit, after: "x = '<!-- -->'" }] }],
  ])("is not made %s", ([, changes]) => {
    expect(suggested(changes)).toEqual([]);
  });
});
