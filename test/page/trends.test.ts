import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HistoryLine } from "../../src/history/history-line.ts";
import { openTrends, trendsOf } from "../../src/history/trends/trends.ts";
import { renderTrends } from "../../src/history/trends/trends-page.ts";
import { nights } from "../history/trends/lines.ts";
import { accessibilityProblems, keepPicture, type Opened, openPage, startBrowser } from "./browser.ts";
import { answeredChanges, picturedLines, textOf } from "./histories.ts";
import { pageScript } from "./recorded.ts";

let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await startBrowser();
  folder = await mkdtemp(join(tmpdir(), "trends-"));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a page, with what the engine once answered to the pictured history, and returns its path. */
async function write(name: string, lines: readonly HistoryLine[], changes: readonly object[] = []) {
  const path = join(folder, `${name}.html`);
  const text = JSON.stringify({ schemaVersion: 1, changes });
  const trends = trendsOf(openTrends([textOf(lines)]), { kind: "answer", text });
  await writeFile(path, renderTrends(trends, pageScript));
  return path;
}

/** Whatever a reader did: no error, and nothing asked of any network. */
async function expectQuiet({ page, complaints, requests }: Opened): Promise<void> {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([page.url().split("#")[0]]);
  await page.context().close();
}

test("draws throughput and latency of each cell, and is readable for everybody in light and dark", async () => {
  const opened = await openPage(browser, await write("recorded", picturedLines(), answeredChanges));
  const { page } = opened;
  const sections = page.locator("#cells > section");
  expect(await sections.count()).toBe(4);
  for (const name of ["Throughput by commit", "Latency by commit"])
    expect(await page.locator("figure", { hasText: name }).locator("svg").count()).toBe(4);
  const orders = sections.nth(1);
  expect(await orders.locator("h2").textContent()).toBe("/orders, 1 worker");
  expect(await orders.locator("svg").first().getAttribute("aria-label")).toMatch(
    /^Throughput of 8 commits: 389 to 1,411 req\/s; ▼ −67%, slower\.$/,
  );
  // The two machines of the first cell: a line for each, and a mark where another goes on.
  const cpu = sections.first().locator("figure").first();
  expect(await cpu.locator("figcaption").textContent()).toContain("Machines: A (circle), B (square)");
  const joined: number[] = await cpu
    .locator('g[stroke-opacity="0.55"] path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")?.match(/[ML]/g)?.length ?? 0));
  expect(joined.toSorted()).toEqual([13, 3]); // points of each, and none of both
  expect(await cpu.locator("svg text", { hasText: /^[AB]$/ }).allTextContents()).toEqual(["A", "B", "A"]);
  await keepPicture(page, "trends");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await accessibilityProblems(page, { only: "color-contrast" })).toEqual([]);
  await keepPicture(page, "trends-dark", false);
  await expectQuiet(opened);
});

test("tables sort, link to their cells, and the figures unfold", async () => {
  const opened = await openPage(browser, await write("used", picturedLines(), answeredChanges));
  const { page } = opened;
  const changes = page.locator("main > .scroll > table").first();
  const first = () => changes.locator("tbody tr").first().textContent();
  expect(await first()).toContain("Throughput");
  await changes.getByRole("button", { name: "Change" }).click();
  await changes.getByRole("button", { name: "Change" }).click();
  expect(await first()).toContain("+333%");
  await changes.getByRole("link").first().click();
  expect(page.url()).toMatch(/#cell-2$/);
  const section = page.locator("section", { has: page.locator("#cell-2") });
  await section.locator("summary").click();
  expect(await section.locator("table tbody tr").count()).toBe(8);
  expect(await section.locator("table").isVisible()).toBe(true);
  await expectQuiet(opened);
});

test("fits a phone, and is drawn again where the window gets another width", async () => {
  const path = await write("phone", picturedLines(), answeredChanges);
  const opened = await openPage(browser, path, { viewport: { width: 360, height: 740 } });
  const { page } = opened;
  const wider = () =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect(await wider()).toBeLessThanOrEqual(0);
  await keepPicture(page, "trends-phone");
  const width = () => page.locator("figure svg").first().getAttribute("width");
  const narrow = Number(await width());
  await page.setViewportSize({ width: 900, height: 740 });
  // A picture of the whole page resizes the window, too, so nobody knows how often it was drawn.
  await expect.poll(async () => Number(await width()), { timeout: 30_000 }).toBeGreaterThan(narrow);
  await page.locator(".charts[data-drawn]").waitFor();
  expect(await page.locator("figure").count()).toBe(8);
  await expectQuiet(opened);
});

test("has every table without script, and no empty place for charts", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${await write("plain", picturedLines(), answeredChanges)}`);
  expect(await page.locator("table").count()).toBe(3 + 4);
  expect(await page.locator("main").textContent()).toContain("never decides a pull request");
  expect(await page.locator("figure").count()).toBe(0);
  await context.close();
});

test("foreign text stays text, and unknown figures leave no mark", async () => {
  const attack = "</script><img src=x onerror=alert(1)><b>\u202e`x`";
  const lines = nights(9, (night) => ({
    endpoint: attack,
    ...(night > 6 && { throughputRequestsPerSecond: null, p50Ms: null, p95Ms: null, p99Ms: null }),
  }));
  const none = nights(2, () => ({
    cell: "none",
    ...{ throughputRequestsPerSecond: null, p50Ms: null, p95Ms: null, p99Ms: null },
  }));
  const opened = await openPage(browser, await write("attack", [...lines, ...none]));
  const { page } = opened;
  expect(await page.locator("img, b").count()).toBe(0);
  const label = await page.locator("figure svg").first().getAttribute("aria-label");
  expect(label).toBe("Throughput of 7 commits: 1,000 to 1,002 req/s; no change point.");
  expect(await page.locator("figure").count()).toBe(2); // none of the cell without figures
  await expectQuiet(opened);
});
