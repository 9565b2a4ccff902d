// Pictures for the docs: the comment as GitHub renders it, in GitHub's own stylesheet, from a real run.
// Usage: node scripts/picture.mjs loadtest-results/report.md docs/images/comment.png
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

import { root } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";

const [markdownPath, picturePath, width = "1012", height = "900"] = process.argv.slice(2);
if (markdownPath === undefined || picturePath === undefined) {
  console.error("usage: node scripts/picture.mjs MARKDOWN PNG [WIDTH HEIGHT]");
  process.exit(2);
}

const body = micromark(readFileSync(markdownPath, "utf8"), {
  allowDangerousHtml: true, // our own <details>; GitHub allows them too
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()],
});
const style = readFileSync(join(root, "node_modules", "github-markdown-css", "github-markdown.css"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "picture-"));
const page = join(folder, "page.html");
writeFileSync(
  page,
  `<!doctype html><meta charset="utf-8"><style>${style} body { margin: 0; padding: 24px; }</style><article class="markdown-body">${body}</article>`,
);
process.exitCode = await run([
  "chromium",
  ...["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync"],
  ...[
    "--disable-background-networking",
    "--disable-component-update",
    `--user-data-dir=${join(folder, "profile")}`,
  ],
  `--window-size=${width},${height}`,
  `--screenshot=${resolve(picturePath)}`,
  `file://${page}`,
]);
rmSync(folder, { recursive: true, force: true });
