import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { breakableCode, codeBlock, codeSpan, sentence, tableRow } from "../../src/text/markdown.ts";
import { cpuMs } from "../cpu-time.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "./gfm.ts";
import { hostileText } from "./hostile-text.ts";

describe("codeSpan", () => {
  test.for([
    ["/users/{id}", "`/users/{id}`"],
    ["a`b", "``a`b``"],
    ["`", "`` ` ``"],
    ["", "(empty)"],
    ["\u202e", "`⟨U+202E⟩`"],
    ["a\r\nb", "`a b`"],
    ["<!-- x", "`<! -- x`"],
  ] as const)("%j is %j", ([text, expected]) => {
    expect(codeSpan(text)).toBe(expected);
  });

  test("shows in a paragraph exactly the visible text", () => {
    expect(toHtml(codeSpan("a|b\\|c & <d> ``"))).toBe("<p><code>a|b\\|c &amp; &lt;d&gt; ``</code></p>");
  });
});

describe("breakableCode", () => {
  test.for([
    ["/orders", "`/orders`"],
    ["", "(empty)"],
    ["/users/{id}", "`/users/{id}`"],
    ["/users/{user_id}", "<code>/users/{user&#95;<wbr>id}</code>"],
    ["/api/v1/orders/0", "<code>/api/v1/<wbr>orders/0</code>"],
    ["GET /items?limit=50&page=2", "<code>GET /items?<wbr>limit=50&#38;<wbr>page=2</code>"],
    ["/averylongpartofapath", "`/averylongpartofapath`"],
    [
      "<!-- a|b`*~ <script>/x",
      "<code>&#60;&#33;--<wbr> a&#124;b&#96;&#42;&#126; &#60;script&#62;/<wbr>x</code>",
    ],
    ["\u202e/orders/7", "<code>&#10216;U&#43;202E&#10217;/<wbr>orders/7</code>"],
  ] as const)("%j is %j", ([text, expected]) => {
    expect(breakableCode(text)).toBe(expected);
  });

  test("shows in a cell exactly what a code span shows", () => {
    const shown = (cell: string) =>
      toHtml([tableRow(["A"]), "| --- |", tableRow([cell])].join("\n")).replaceAll("<wbr>", "");
    fc.assert(
      fc.property(hostileText, (text) => {
        fc.pre(!/\\[|]|<!--|`/.test(text)); // markdown cannot show each of these in a code span
        expect(shown(breakableCode(text))).toBe(shown(codeSpan(text)));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("sentence", () => {
  test.for([
    ["the app exited with code 3", "the app exited with code 3"],
    ["every request failed (500, 503).", "every request failed (500, 503)."],
    ["cannot reach http://127.0.0.1:5/: refused", "cannot reach `http://127.0.0.1:5/`: refused"],
    ["No module named 'app.main_x'", "No module named '`app.main_x`'"],
    ["ask @octocat about #12", "ask `@octocat` about `#12`"],
    ["left out `a-w1` here", "left out `a-w1` here"],
    ["left out (`a-w1`): it", "left out (`a-w1`): it"],
    ["Intel(R) Xeon(R) CPU @ 2.80GHz", "Intel(R) Xeon(R) CPU @ 2.80GHz"],
    ["see deadbeef1 or GH-1", "see `deadbeef1` or `GH-1`"],
    ["a/b`c`", "`a/b` `c`"],
    ["x`", "x"],
    ["k6 used 41% of its CPUs, 3%.", "k6 used 41% of its CPUs, 3%."],
    ["it is −9.8% ± 0.6 (−2 to +1,200)", "it is −9.8% ± 0.6 (−2 to +1,200)"],
    ["it is longer (+198% (+87 to +374)).", "it is longer (+198% (+87 to +374))."],
    ["it answers 404.", "it answers 404."],
    ["404. is its answer", "`404`. is its answer"],
    ["` 404. is", " `404`. is"],
    ["", ""],
  ] as const)("%j is %j", ([text, expected]) => {
    expect(sentence(text)).toBe(expected);
  });
});

describe("for any text", () => {
  const runs = { numRuns: 1_000 };

  test("a table keeps its shape, and nothing in it is live", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostileText, hostileText), { minLength: 1, maxLength: 4 }), (rows) => {
        const lines = rows.map(([label, reason]) =>
          tableRow([codeSpan(label), sentence(reason), breakableCode(reason)]),
        );
        const html = toHtml([tableRow(["A", "B", "C"]), "| --- | --- | ---: |", ...lines].join("\n"));
        const elements = elementsOf(html);
        expect(elements.filter((name) => name === "tr")).toHaveLength(rows.length + 1);
        expect(elements.filter((name) => name === "td")).toHaveLength(rows.length * 3);
        expect(new Set(elements)).toEqual(
          new Set([
            "table",
            "thead",
            "tr",
            "th",
            "tbody",
            "td",
            ...["code", "wbr"].filter((name) => elements.includes(name)),
          ]),
        );
        expect(proseOf(html)).not.toMatch(liveInProse);
        expect(lines.join("\n")).not.toMatch(unseen);
      }),
      runs,
    );
  });

  test.for([
    ["paragraph", ""],
    ["list", "- "],
    ["alert", "> "],
  ] as const)("a %s holds only prose and code", ([, start]) => {
    const allowed = new Set(["p", "code", "ul", "li", "blockquote"]);
    fc.assert(
      fc.property(hostileText, (text) => {
        const html = toHtml(`${start}${sentence(text)}`);
        expect(elementsOf(html).filter((name) => !allowed.has(name))).toEqual([]);
        expect(elementsOf(html).filter((name) => name === "ul").length).toBeLessThanOrEqual(1);
        expect(proseOf(html)).not.toMatch(liveInProse);
      }),
      runs,
    );
  });

  test("a code block is not closed from within", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const html = toHtml(`<details>\n\n${codeBlock(text)}\n\n</details>\n\nafter`);
        expect(elementsOf(html)).toEqual(["details", "pre", "code", "p"]);
        expect(html.endsWith("</details>\n<p>after</p>")).toBe(true);
        expect(codeBlock(text)).not.toContain("<!--");
        expect(codeBlock(text)).not.toMatch(unseen);
      }),
      runs,
    );
  });
});

describe.for([
  ["codeSpan", codeSpan],
  ["sentence", sentence],
  ["codeBlock", codeBlock],
  ["tableRow", (text: string) => tableRow([text])],
] as const)("%s takes linear time", ([, escaped]) => {
  const pieces =
    "a|<|`|\\|\\\\|` |\u0001|\u001b|\u001b]|\u001b[0|\u001b[31m|a\u0301\u0316|\u0301|\n|\r| |(|)|@a |é|::|##[".split(
      "|",
    );
  test.for([...pieces, "|", "\\|"])("for a megabyte of %j", (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    // The best of three at most: the first one compiles. Anything quadratic takes minutes.
    let seconds = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 3 && seconds >= 1; tries += 1) {
      const start = cpuMs();
      escaped(text);
      seconds = (cpuMs() - start) / 1_000;
    }
    expect(seconds).toBeLessThan(1);
  });
});
