import { expect, test } from "vitest";

import {
  code,
  data,
  joined,
  line,
  link,
  name,
  sentence,
  strong,
} from "../../../src/report/document/inline.ts";
import { inHtml } from "../../../src/report/render/html/blocks.ts";
import { inElement, inMarkdown } from "../../../src/report/render/markdown/blocks.ts";
import { inTerminal } from "../../../src/report/render/terminal/terminal.ts";

const long = `/${"a".repeat(100)}/end`;

test.for([
  ["our own words", line("a & b, "), "a & b, ", "a &amp; b, ", "a & b, "],
  ["words that stand out", line(strong("slower")), "**slower**", "<strong>slower</strong>", "slower"],
  ["code", line(code("a|<b>")), "`a|<b>`", "<code>a|&lt;b&gt;</code>", "a|<b>"],
  ["a name", line(name("/x<i>")), "`/x<i>`", "<code>/x&lt;i&gt;</code>", "/x<i>"],
  ["a value", line(data("AMD <b>")), "`AMD <b>`", "AMD &lt;b&gt;", "AMD <b>"],
  [
    "a sentence",
    sentence("see `x` of @team <b>"),
    "see `x` of `@team <b>`",
    "see <code>x</code> of @team &lt;b&gt;",
    "see x of @team <b>",
  ],
  [
    "a link",
    line(link("run <1>", "https://a.example/1")),
    "[run `<1>`](https://a.example/1)",
    '<a href="https://a.example/1">run &lt;1&gt;</a>',
    "run <1>",
  ],
  [
    "a command of a runner",
    line("Why: ", sentence("##[error]x")),
    "Why: `##[error]x`",
    "Why: ##[error]x",
    "Why: ## [error]x",
  ],
  [
    "several",
    joined([line("a"), line(name("b")), line("c")], ", "),
    "a, `b`, c",
    "a, <code>b</code>, c",
    "a, b, c",
  ],
  ["nothing", line("", sentence("")), "", "", ""],
] as const)("%s", ([, pieces, markdown, html, terminal]) => {
  expect(inMarkdown(pieces)).toBe(markdown);
  expect(inHtml(pieces).markup).toBe(html);
  expect(inTerminal(pieces)).toBe(terminal);
});

test("markdown leaves out the middle of a name, and nothing of code", () => {
  expect(inMarkdown(line(name(long)))).toMatch(/^`\/a+….*\/end`$/);
  expect(inMarkdown(line(code(long)))).toBe(`\`${long}\``);
});

test("the title of a fold is HTML", () => {
  expect(inElement(line(name(long), ", 1 worker"))).toMatch(/^<code>\/a+….*\/end<\/code>, 1 worker$/);
  expect(inElement(line(code("<a>"), sentence(" & b")))).toBe("<code>&lt;a&gt;</code>&amp; b");
});
