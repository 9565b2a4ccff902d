import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Browser } from "playwright-core";
import { announcedText } from "../src/forge/announced.ts";
import { openTrends, trendsOf } from "../src/history/trends/trends.ts";
import { renderTrends } from "../src/history/trends/trends-page.ts";
import { renderAnnouncement, renderWithdrawal } from "../src/report/forge/announcement.ts";
import { renderNoReport } from "../src/report/forge/check-run.ts";
import { openPage, startBrowser } from "../test/page/browser.ts";
import { answeredChanges, picturedLines, textOf } from "../test/page/histories.ts";
import { comparisonOf, pageOf, pageScript } from "../test/page/recorded.ts";
import { states } from "../test/page/states.ts";
import { recording } from "../test/recordings/recording.ts";
import { renderComment } from "../test/report/forms.ts";

const folder = process.argv[2] ?? "docs/images";
const links = { runUrl: "https://github.com/octo/app/actions/runs/7", runLabel: "run 12" };
const headSha = "15564db2a7c0f3e1d2b4a6978899aabbccddeeff";
const schemes = ["light", "dark"] as const;

/** Rules that GitHub's stylesheet lacks: the width of a comment, and its border. */
const around = "body.markdown-body{margin:0;padding:16px;font-size:14px}";

async function commentPage(markdown: string): Promise<string> {
  const body = micromark(markdown, {
    allowDangerousHtml: true, // our own <details>; GitHub allows them too
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const style = await readFile("node_modules/github-markdown-css/github-markdown.css", "utf8");
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${style} ${around}</style><body class="markdown-body"><article>${body}</article>`;
}

interface Look {
  readonly width: number;
  readonly colorScheme: (typeof schemes)[number];
}
const desktop: Look = { width: 862, colorScheme: "light" }; // GitHub gives a comment 830, and 32 are the border
const phone: Look = { width: 320, colorScheme: "light" };

/** The top of a comment as PNG in base64: the rest of a long one is more of the same. */
async function pictureOfComment(
  browser: Browser,
  file: string,
  { width, colorScheme }: Look,
  most = 600,
): Promise<string> {
  const context = await browser.newContext({ viewport: { width, height: most }, colorScheme });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  const tall: number = await page.evaluate("document.querySelector('article').offsetHeight + 64");
  await page.setViewportSize({ width, height: Math.min(most, tall) });
  const picture = await page.screenshot();
  await context.close();
  return picture.toString("base64");
}

/** Pictures side by side with their names, as one file: a repository should not carry dozens. */
async function sheet(
  browser: Browser,
  name: string,
  columns: number,
  pictures: readonly (readonly [name: string, look: Look, png: string])[],
): Promise<void> {
  const width = Math.max(...pictures.map(([, look]) => look.width));
  const figures = pictures.map(
    ([title, { colorScheme }, png]) =>
      `<figure><figcaption>${title}, ${colorScheme}</figcaption><img src="data:image/png;base64,${png}"></figure>`,
  );
  const style = `body{margin:0;padding:12px;background:#d0d7de;font:600 15px sans-serif;column-count:${columns};column-gap:12px} figure{margin:0 0 12px;break-inside:avoid} figcaption{padding:2px 0 4px} img{display:block;max-width:100%}`;
  const page = await browser.newPage({
    viewport: { width: columns * (width + 12) + 12, height: 100 },
  });
  await page.setContent(`<!doctype html><style>${style}</style>${figures.join("")}`);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.close();
}

/** Every state's comment as a file that a browser can open. */
async function writeComments(work: string): Promise<ReadonlyMap<string, string>> {
  const comments = new Map(
    states.map(([name, comparison]) => [
      name,
      renderComment(comparison(), { ...links, isPullRequest: true, marker: "<!-- marker -->" }),
    ]),
  );
  comments.set("superseded: no result of this commit", renderNoReport({ ...links, headSha }));
  const run = { runNumber: 11, attempt: 1, headSha: "9d1f".repeat(10) };
  const earlier = { run, text: comments.get("slower") ?? "" };
  comments.set("cancelled before any result", renderWithdrawal({ ...links, headSha }));
  comments.set("in progress", announcedText(renderAnnouncement({ ...links, headSha }), earlier));
  const files = new Map<string, string>();
  for (const [name, markdown] of comments) {
    const file = join(work, `comment-${files.size}.html`);
    await writeFile(file, await commentPage(markdown));
    files.set(name, file);
  }
  return files;
}

/** A comment's section on worker counts, with its chart as GitHub's Mermaid draws it. */
async function takeWorkerCounts(browser: Browser, work: string): Promise<void> {
  const comment = renderComment(comparisonOf(recording("workers")), { ...links, marker: "<!-- marker -->" });
  const file = join(work, "comment-workers.html");
  await writeFile(file, await commentPage(comment));
  const page = await browser.newPage({ viewport: { width: desktop.width, height: 900 } });
  await page.goto(`file://${file}`);
  await page.addScriptTag({ path: "node_modules/mermaid/dist/mermaid.min.js" });
  const section = page.locator("details", { has: page.getByText("Worker counts", { exact: true }) });
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  await page.evaluate(`mermaid.run({ querySelector: "code.language-mermaid" })`);
  await section.screenshot({ path: join(folder, "comment-workers.png") });
  await page.close();
}

/** Flame graph of the pull request that the README shows: the difference, and the head. */
async function takeFlames(browser: Browser, work: string): Promise<void> {
  const file = join(work, "change.html");
  await writeFile(file, pageOf(recording("change")));
  const { page } = await openPage(browser, file, { viewport: { width: 800, height: 900 } });
  const graph = page.locator("figure", { hasText: "CPU time of a request, by function" }).first();
  for (const view of ["difference", "head"]) {
    await graph.getByLabel("View").selectOption(view);
    await graph.screenshot({ path: join(folder, `page-flame-${view}.png`) });
  }
  await page.context().close();
}

/** The page of a history; docs/history.md describes its source. */
async function takeTrends(browser: Browser, work: string): Promise<void> {
  const text = JSON.stringify({ schemaVersion: 1, changes: answeredChanges });
  const trends = trendsOf(openTrends([textOf(picturedLines())]), { kind: "answer", text });
  const file = join(work, "trends.html");
  await writeFile(file, renderTrends(trends, pageScript));
  for (const colorScheme of schemes) {
    const { page } = await openPage(browser, file, {
      colorScheme,
      viewport: { width: 1_180, height: 1_000 },
    });
    await page.screenshot({ path: join(folder, `trends-${colorScheme}.png`) });
    await page.context().close();
  }
  const { page } = await openPage(browser, file, { viewport: { width: 700, height: 900 } });
  for (const [name, cell] of [
    ["machines", "cell-1"],
    ["change", "cell-2"],
  ] as const)
    await page
      .locator("section", { has: page.locator(`#${cell}`) })
      .locator("figure")
      .first()
      .screenshot({ path: join(folder, `trends-${name}.png`) });
}

await mkdir(folder, { recursive: true });
const work = await mkdtemp(join(tmpdir(), "pictures-"));
const browser = await startBrowser();
try {
  const comments = await writeComments(work);
  const pictures = async (names: readonly string[], looks: readonly Look[]) => {
    const taken: [string, Look, string][] = [];
    for (const name of names)
      for (const look of looks)
        taken.push([name, look, await pictureOfComment(browser, comments.get(name) ?? "", look)]);
    return taken;
  };
  await sheet(browser, "comment-states", 2, await pictures([...comments.keys()], [desktop]));
  const whole = await pictureOfComment(
    browser,
    comments.get("slower") ?? "",
    { ...desktop, width: 1_012 },
    900,
  );
  await writeFile(join(folder, "comment.png"), Buffer.from(whole, "base64"));
  const small = ["slower", "some cells invalid, failed or missing", "unchanged"];
  await sheet(browser, "comment-phone", 3, await pictures(small, [phone, { ...phone, colorScheme: "dark" }]));
  await takeWorkerCounts(browser, work);
  const report = join(work, "report.html");
  await writeFile(report, pageOf(recording("shop")));
  for (const colorScheme of schemes) {
    const { page } = await openPage(browser, report, {
      colorScheme,
      viewport: { width: 1_000, height: colorScheme === "light" ? 1_100 : 700 },
    });
    await page.screenshot({ path: join(folder, `page-${colorScheme}.png`) });
    await page.context().close();
  }
  const workers = join(work, "workers.html");
  await writeFile(workers, pageOf(recording("workers")));
  const { page } = await openPage(browser, workers, { viewport: { width: 800, height: 900 } });
  for (const [name, title] of [
    ["replicates", "Change in each replicate"],
    ["workers", "Throughput by workers"],
    ["percentiles", "Latency by percentile"],
    ["over-time", "Throughput over the run"],
  ] as const)
    await page
      .locator("figure", { has: page.getByText(title, { exact: true }) })
      .screenshot({ path: join(folder, `page-${name}.png`) });
  await takeFlames(browser, work);
  await takeTrends(browser, work);
} finally {
  await browser.close();
  await rm(work, { recursive: true, force: true });
}
