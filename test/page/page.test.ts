import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Results, recording } from "../recordings/recording.ts";
import { accessibilityProblems, keepPicture, type Opened, openPage, startBrowser } from "./browser.ts";
import { manyCells, oneCell, pageOf, troubled } from "./recorded.ts";

let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await startBrowser();
  folder = await mkdtemp(join(tmpdir(), "page-"));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const written = new Map<string, string>();

/** Writes a page, once for each name, and returns its path. */
async function write(name: string, results: () => Results): Promise<string> {
  const path = written.get(name) ?? join(folder, `${name}.html`);
  if (!written.has(name)) await writeFile(path, pageOf(results()));
  written.set(name, path);
  return path;
}

/** Whatever a reader did: no error, and nothing asked of any network. */
async function expectQuiet({ page, complaints, requests }: Opened): Promise<void> {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([page.url().split("#")[0]]);
  await page.context().close();
}

/** Axes that name two ticks alike. */
function repeatedTicks(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("figure svg.plot g")]
    .map((axis) => [...axis.children].filter((each) => each.matches("text")).map((each) => each.textContent).filter((words) => words !== "▶"))
    .filter((texts) => new Set(texts).size < texts.length)
    .map((texts) => texts.join(" | "))`);
}

/** Charts of which a line, a bar or a word leaves the drawing. */
function linesBeyond(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("figure svg.plot")].flatMap((svg) => {
    const outer = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("path, line, rect, circle, text")]
      .filter((each) => {
        const box = each.getBoundingClientRect();
        return box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 || box.bottom > outer.bottom + 1;
      })
      .map((each) => svg.getAttribute("aria-label") + ": " + each.outerHTML.slice(0, 120));
  })`);
}

const kinds: readonly (readonly [name: string, results: () => Results, cells: number])[] = [
  ["one-cell", oneCell, 1],
  ["base-and-head", () => recording("shop"), 3],
  ["workers", () => recording("workers"), 5],
  ["heads", () => recording("heads"), 8],
  ["troubled", troubled, 4],
  ["64-cells", () => manyCells(64), 64],
];

/** Pages that have all colours between them: contrast takes axe longer than all its other rules. */
const withEveryColour: ReadonlySet<string> = new Set(["base-and-head", "troubled"]);

test.for(kinds)(
  "%s: small, said as tables and charts, readable for everybody in light and dark",
  async ([name, results, cells]) => {
    const path = await write(name, results);
    expect((await stat(path)).size).toBeLessThan(2_000_000);
    const opened = await openPage(browser, path);
    const { page } = opened;
    expect(await page.locator("#cell select").first().locator("option").count()).toBe(
      cells === 1 ? 0 : cells,
    );
    const figures: { drawings: number; rows: number }[] = await page.evaluate(
      "[...document.querySelectorAll('figure')].map((each) => ({ drawings: each.querySelectorAll('svg[aria-label]').length, rows: each.querySelectorAll('details table tbody tr').length }))",
    );
    expect(figures.length).toBeGreaterThan(4);
    expect(figures.filter(({ drawings, rows }) => drawings !== 1 || rows === 0)).toEqual([]);
    expect(await repeatedTicks(page)).toEqual([]);
    expect(await linesBeyond(page)).toEqual([]);
    await keepPicture(page, `page-${name}`, cells <= 8);
    const isWatchedOnce = withEveryColour.has(name);
    expect(await accessibilityProblems(page, isWatchedOnce ? {} : { without: "color-contrast" })).toEqual([]);
    if (isWatchedOnce) {
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await accessibilityProblems(page, { only: "color-contrast" })).toEqual([]);
      await keepPicture(page, `page-${name}-dark`, false);
    }
    await expectQuiet(opened);
  },
);

test("filters, sorts, steps through the cells and copies, and each cell has an address", async () => {
  const opened = await openPage(browser, await write("64-cells", () => manyCells(64)));
  const { page } = opened;
  const table = page.locator("main > .scroll > table").first();
  const places = table.locator("tbody a:visible");
  expect(await places.count()).toBe(64);

  await page.getByRole("searchbox", { name: "Endpoint" }).fill("orders");
  expect(await places.count()).toBe(12);
  expect(await page.getByRole("status").first().textContent()).toBe("12 of 64 shown");
  await page.getByRole("combobox", { name: "Result" }).selectOption("slower");
  const slower = await places.count();
  expect(slower).toBeGreaterThan(0);
  expect(slower).toBeLessThan(12);
  await page.getByRole("searchbox", { name: "Endpoint" }).fill("");
  await page.getByRole("combobox", { name: "Result" }).selectOption("");

  await places.nth(5).click();
  const address = page.url();
  expect(address).toMatch(/#cell-[a-z0-9-]+$/);
  expect(await page.locator("a[aria-current=true]").count()).toBe(1);
  // The cell follows its address a moment later.
  const shown = () => expect.poll(() => page.locator("#cell h2").textContent(), { timeout: 30_000 });
  const title = await page.locator("#cell h2").textContent();
  await page.getByRole("button", { name: "Next" }).click();
  await shown().not.toBe(title);
  await page.getByRole("button", { name: "Previous" }).click();
  await shown().toBe(title);
  await page.goBack();
  await page.goForward();
  await expect.poll(() => page.url(), { timeout: 30_000 }).toBe(address);
  await shown().toBe(title);
  await page.getByRole("combobox", { name: "Cell" }).selectOption({ index: 0 });
  await shown().not.toBe(title);

  const changes = () =>
    table
      .locator("td.verdict")
      .evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-sort"))));
  const effect = table.getByRole("button", { name: "Change" });
  await effect.click();
  expect(await table.locator("[aria-sort=ascending]").count()).toBe(1);
  const rising = await changes();
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  await effect.click();
  expect(await table.locator("[aria-sort=descending]").count()).toBe(1);
  expect(await changes()).toEqual(rising.toReversed());

  await page.locator(".charts[data-drawn]").waitFor();
  const curve = page.locator("figure", { hasText: "Latency by percentile" }).locator("svg");
  const closed = await curve.getAttribute("aria-label");
  await page.getByLabel("at the same arrival rate for both").check();
  expect(await curve.getAttribute("aria-label")).not.toBe(closed);
  await page.getByText("Figures as a table").first().click();
  expect(await page.locator("figure details[open] table").first().isVisible()).toBe(true);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByText(/^ ?(Copied\.|Not possible here)/).waitFor();
  await expectQuiet(opened);
});

test("opens at the cell that the address names", { tags: ["smoke"] }, async () => {
  const wanted = recording("workers").plan.cells[3];
  const path = await write("workers", () => recording("workers"));
  const opened = await openPage(browser, `${path}#cell-${wanted?.id}`);
  const title = opened.page.locator("#cell h2");
  expect(await title.textContent()).toContain("4 workers");
  const top = async () => (await title.boundingBox())?.y ?? -1;
  expect(await top()).toBeGreaterThanOrEqual(0);
  expect(await top()).toBeLessThan(200);
  await expectQuiet(opened);
});

test("answers on the first screen, without a filter, and opens the worst cell", async () => {
  for (const [name, cell] of [
    ["change", "/orders, 1 worker"],
    ["heads", "/async_endpoint_sync_processing"],
  ] as const)
    for (const viewport of [
      { width: 1_280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const opened = await openPage(browser, await write(name, () => recording(name)), { viewport });
      const { page } = opened;
      expect(await page.locator("#cell h2").textContent()).toContain(cell);
      expect(await page.locator("main > .toolbar").count()).toBe(0);
      const { y = 9_999 } = (await page.locator("main tbody tr").first().boundingBox()) ?? {};
      expect(y).toBeLessThan(viewport.height);
      await keepPicture(page, `first-${name}-${viewport.width}`, false);
      await expectQuiet(opened);
    }
});

test("everything can be reached with the keyboard, in the order of reading", async () => {
  const opened = await openPage(browser, await write("base-and-head", () => recording("shop")));
  const { page } = opened;
  const reached: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    const name: string = await page.evaluate(
      "document.activeElement === document.body ? '' : document.activeElement.id || document.activeElement.tagName.toLowerCase() + '.' + document.activeElement.className",
    );
    if (name === "") break;
    reached.push(name);
  }
  const at = (name: string) => reached.indexOf(name);
  expect(at("a.")).toBe(0); // that the check failed
  expect(at("button.sort")).toBe(3); // in the table, which can be scrolled; the answer's own fold comes before it
  const endpoint = reached.indexOf("a.", 1);
  expect(endpoint).toBeGreaterThan(at("button.sort"));
  expect(at("select.")).toBeGreaterThan(endpoint);
  expect(reached.some((name) => name.startsWith("summary"))).toBe(true);
  const position: number[] = await page.evaluate(
    "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')].filter((each) => each.tabIndex > 0).map((each) => each.tabIndex)",
  );
  expect(position).toEqual([]); // nothing jumps the queue
  await page.locator("tbody a").nth(1).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction("document.activeElement.parentElement.id === 'cell'");
  await expectQuiet(opened);
});

test("fits a phone", async () => {
  const path = await write("base-and-head", () => recording("shop"));
  const opened = await openPage(browser, path, { viewport: { width: 360, height: 740 } });
  const { page } = opened;
  const wider: number = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(wider).toBeLessThanOrEqual(0);
  await keepPicture(page, "page-phone");
  await expectQuiet(opened);
});

test("prints its charts and none of its controls", async () => {
  const opened = await openPage(browser, await write("base-and-head", () => recording("shop")));
  const { page } = opened;
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".toolbar").first().isVisible()).toBe(false);
  expect(await page.locator("figure svg").first().isVisible()).toBe(true);
  await keepPicture(page, "page-print");
  await expectQuiet(opened);
});

test("shows where the time goes, what held the loop and the statements of both arms", async () => {
  const { plan, measurements } = oneCell();
  const parts = {
    ...{ total: 20, cpu: 1, loopWait: 3, threadWait: 0, poolWait: 0 },
    ...{ connect: 0, inThreads: 0 },
  };
  const place = { file: "shop/orders.py", line: 37, function: "orders", code: "time.sleep(0.01)" };
  const amount = { place, count: 200, totalMs: 400, longestMs: 9 };
  const seenOf = (blocked: number, database: number) => ({
    requests: 100,
    partsMs: { ...parts, blocked, database, elsewhere: 0 },
    stalls: [{ ...amount, cpuMs: 1 }],
    statements: [{ ...amount, text: "SELECT * FROM item WHERE order_id = $1" }],
  });
  const diagnosis = {
    base: { findings: [], unseen: [], seen: seenOf(0, 4) },
    head: { findings: [], unseen: [], seen: seenOf(12, 8) },
  };
  const results = { plan, measurements: measurements.map((each) => ({ ...each, diagnosis })) };
  const opened = await openPage(browser, await write("time", () => results));
  const { page } = opened;
  const figure = page.locator("figure", { hasText: "Where a request's time goes" });
  expect(await figure.locator("svg").getAttribute("aria-label")).toContain("blocking the event loop");
  await figure.locator("summary").click();
  expect(await figure.getByRole("row", { name: "in the database" }).textContent()).toBe(
    "in the database4.008.00",
  );
  expect(await page.getByText("shop/orders.py:37 in orders: time.sleep(0.01)").count()).toBe(2);
  expect(await page.getByText("SELECT * FROM item").count()).toBe(2);
  expect(await accessibilityProblems(page)).toEqual([]);
  await keepPicture(page, "page-time");
  await expectQuiet(opened);
});

test("foreign text in the data stays text", async () => {
  const { plan, measurements } = oneCell();
  const [measured] = measurements;
  if (measured === undefined) throw new Error("one cell was measured");
  const attack = "</script><img src=x onerror=alert(1)><b>\u202e`x`";
  const finding = measured.diagnosis?.head?.findings?.[0];
  const results: Results = {
    plan,
    measurements: [
      {
        ...measured,
        diagnosis: {
          head: { unseen: [attack], ...(finding && { findings: [{ ...finding, summary: attack }] }) },
        },
      },
    ],
  };
  const opened = await openPage(browser, await write("attack", () => results));
  const { page } = opened;
  expect(await page.locator("img, b").count()).toBe(0);
  expect(await page.locator("#cell").textContent()).toContain(
    "</script><img src=x onerror=alert(1)><b>⟨U+202E⟩",
  );
  await expectQuiet(opened);
});
