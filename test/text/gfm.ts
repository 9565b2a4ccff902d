import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** HTML of GitHub-flavoured markdown; raw HTML stays, so that a test can see it. */
export function toHtml(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

/** Names of all elements in HTML, in order. */
export function elementsOf(html: string): string[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => (name ?? "").toLowerCase());
}

/** The text that GitHub searches for mentions, references and addresses: everything outside of code. */
export function proseOf(html: string): string {
  return html
    .replaceAll(/<pre>[\s\S]*?<\/pre>/g, "§")
    .replaceAll(/<code>[\s\S]*?<\/code>/g, "§")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Prose that GitHub makes live by itself. */
export const liveInProse =
  /(^|[^\w§])@\w|#\d|\bGH-\d|\b[\w.-]+\/[\w.-]+#\d|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|www\.|:\/\/|\w@\w|:\w+:|\$|!\[|<!--/im;

/** Forbidden in any report: an invisible character. */
export const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Pieces of text that attack, for fast-check to combine. */
export const hostilePieces: readonly string[] = [
  "|",
  "\\",
  "\\|",
  "`",
  "```",
  "~~~",
  "\n",
  "\r\n",
  "\n\n",
  "\n| a | b |\n",
  "\n---\n",
  "<",
  ">",
  "<b>",
  "<img src=x onerror=alert(1)>",
  "<script>",
  "</details>",
  "</summary>",
  "<!-- fastapi-loadtest:default -->",
  "<!--",
  "-->",
  "![x](https://a.example/x.png)",
  "[x](https://a.example)",
  "[x]: https://a.example",
  "https://a.example",
  "www.a.example",
  "a@b.example",
  "@octocat",
  "(@octocat)",
  "&#64;octocat",
  "&lt;",
  "#12",
  "GH-12",
  "octo/app#1",
  "octo/app@0123456789abcdef0123456789abcdef01234567",
  "0123456789abcdef0123456789abcdef01234567",
  "deadbeef",
  ":tada:",
  "$x$",
  "$`x`$",
  "**b**",
  "_i_",
  "~~s~~",
  "[^1]",
  "- [ ] x",
  "# h",
  "1. x",
  "> [!NOTE]",
  "\u202e",
  "\u200b",
  "\u0000",
  "\u001b[31m",
  "\u001b]0;x\u0007",
  "\u{e0041}",
  "\ud800",
  "\u2028",
  "\u00ad",
  "\ufe0f",
  "é",
  "e\u0301",
  "👩‍👩‍👧",
  " ",
  "\t",
  "word",
  "/users/{id}",
  "::set-output name=x::y",
  "##[error]x",
  "__proto__",
];
