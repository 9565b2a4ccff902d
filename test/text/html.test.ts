import fc from "fast-check";
import { expect, test } from "vitest";

import { codeInSentence, escapeHtml, escapeHtmlLines, html } from "../../src/text/html.ts";
import { unseen } from "./gfm.ts";
import { hostileText } from "./hostile-text.ts";

test("escapes what stands between its tags, but not markup", () => {
  const rows = ["<a>", 'b"'].map((text) => html`<li title="${text}">${text}</li>`);
  expect(html`<ul>${rows}</ul>${undefined}${3}`.markup).toBe(
    '<ul><li title="&lt;a&gt;">&lt;a&gt;</li><li title="b&quot;">b&quot;</li></ul>3',
  );
});

test("keeps the lines of a log", () => {
  expect(html`<pre>${escapeHtmlLines("<a>\n&")}</pre>`.markup).toBe("<pre>&lt;a&gt;\n&amp;</pre>");
});

test.for([
  ["no code", "no code"],
  ["left out `a<b`, and `c`.", "left out <code>a&lt;b</code>, and <code>c</code>."],
  ["an open ` goes", "an open  goes"],
] as const)("%j reads %j", ([text, expected]) => {
  expect(codeInSentence(text).markup).toBe(expected);
});

test("lets no tag, quote or unseen character through", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const sentence = codeInSentence(text).markup.replaceAll(/<\/?code>/g, "");
      for (const escaped of [escapeHtml(text), escapeHtmlLines(text).markup, sentence]) {
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped).not.toMatch(unseen);
      }
    }),
  );
});
