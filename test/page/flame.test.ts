import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FlameData, treeOf } from "../../page/charts/flame-tree.ts";
import type { Flame } from "../../src/model/findings/diagnosis.ts";
import { accessibilityProblems, keepPicture, openPage, startBrowser } from "./browser.ts";
import { oneCell, pageOf } from "./recorded.ts";

/** `quote()` takes 0.6 ms more, `old()` is gone, and one function has a name that looks like markup. */
const flame: Flame = {
  names: ["request", "starlette:app", "app/price.py:quote", "app/price.py:old", "app/<b>x</b>.py:rows"],
  nodes: [
    [0, 0, 4, 3.9],
    [1, 1, 4, 3.9],
    [2, 2, 1.8, 1.2],
    [2, 4, 1.2, 1.2],
    [3, 2, 0.6, 0.6],
    [2, 3, 0, 0.5],
  ],
};

const told = ({ name, value, children }: FlameData): string =>
  `${name} ${value.toFixed(1)}${children.length === 0 ? "" : ` (${children.map(told).join(", ")})`}`;

describe("the tree of a flame graph", () => {
  test("is as wide as the head's time, without what only the base has", () => {
    const tree = treeOf(flame, "head");
    expect(tree && told(tree)).toBe(
      "request 4.0 (starlette:app 4.0 (app/price.py:quote 1.8, app/<b>x</b>.py:rows 1.2 (app/price.py:quote 0.6)))",
    );
  });

  test("is as wide as the longer of both, so that what is gone has its place", () => {
    const tree = treeOf(flame, "difference");
    expect(tree && told(tree)).toBe(
      "request 4.5 (starlette:app 4.5 (app/price.py:quote 1.8, app/<b>x</b>.py:rows 1.2 (app/price.py:quote 0.6), app/price.py:old 0.5))",
    );
  });

  test("of nothing is none", () => {
    expect(treeOf({ names: [], nodes: [] }, "head")).toBeUndefined();
    expect(treeOf({ names: ["request"], nodes: [[0, 0, 0, null]] }, "head")).toBeUndefined();
  });
});

let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await startBrowser();
  folder = await mkdtemp(join(tmpdir(), "flame-"));
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The page of a cell that was looked into, and its flame graph. */
async function opened(shown: Flame) {
  const { plan, measurements } = oneCell();
  const looked = measurements.map((each) => ({
    ...each,
    diagnosis: { head: { findings: [], unseen: [], flame: shown } },
  }));
  const path = join(folder, "page.html");
  await writeFile(path, pageOf({ plan, measurements: looked }));
  const made = await openPage(browser, path);
  const graph = made.page.locator("figure", { hasText: "CPU time of a request, by function" });
  const frames = async (): Promise<readonly string[]> =>
    graph
      .locator("g.frame:not(.fade)")
      .evaluateAll((all) => all.map((each) => each.getAttribute("name") ?? ""));
  return { ...made, graph, frames, says: () => graph.locator("[role=status]").textContent() };
}

test("head and base: more is red, less is blue, zoomed and searched by mouse and keyboard", async () => {
  const { page, complaints, graph, frames, says } = await opened(flame);
  const colourOf = (name: string) => graph.locator(`g[name="${name}"] rect`).first().getAttribute("fill");
  const channels = async (name: string) => ((await colourOf(name)) ?? "").match(/\d+/g)?.map(Number) ?? [];
  const [red = 0, , blueOfRed = 0] = await channels("app/price.py:quote");
  expect(red).toBeGreaterThan(blueOfRed);
  const [redOfBlue = 0, , blue = 0] = await channels("app/price.py:old");
  expect(blue).toBeGreaterThan(redOfBlue);
  expect((await frames()).toSorted()).toEqual([
    ...["app/<b>x</b>.py:rows", "app/price.py:old", "app/price.py:quote", "app/price.py:quote"],
    ...["request", "starlette:app"],
  ]);
  expect(await graph.locator("b").count()).toBe(0);
  expect(await graph.locator("details tbody tr").first().textContent()).toContain("app/price.py:quote");
  expect(await accessibilityProblems(page)).toEqual([]);
  await graph.scrollIntoViewIfNeeded();
  await keepPicture(page, "flame-graph", false);

  await graph.getByLabel("View").selectOption("head");
  expect(await frames()).not.toContain("app/price.py:old");

  await graph.getByLabel("Find").fill("QUOTE");
  expect(await says()).toBe("2 found, 60% of the time.");
  await graph.getByLabel("Find").fill("(");
  expect(await says()).toBe("0 found, 0% of the time.");
  await graph.getByLabel("Find").fill("");

  await graph.locator(".flame").focus();
  for (const key of ["ArrowUp", "ArrowUp", "ArrowRight"]) await page.keyboard.press(key);
  expect(await says()).toBe("app/<b>x</b>.py:rows: 1.20 ms per request (30%), 0 ms compared with base");
  await page.keyboard.press("Enter");
  expect((await frames()).toSorted()).toEqual(["app/<b>x</b>.py:rows", "app/price.py:quote"]);
  await page.keyboard.press("ArrowUp");
  expect(await says()).toContain("app/price.py:quote: 0.600 ms");
  await page.keyboard.press("Escape");
  expect(await frames()).toHaveLength(5);

  await graph.locator('g[name="app/price.py:quote"]').first().click();
  expect(await frames()).toEqual(["app/price.py:quote"]);
  await graph.getByRole("button", { name: "Whole request" }).click();
  expect(await frames()).toHaveLength(5);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a head alone has its own colours and no choice of views", async () => {
  const alone: Flame = {
    ...flame,
    nodes: flame.nodes.slice(0, 5).map(([depth, name, head]) => [depth, name, head, null]),
  };
  const { page, complaints, graph, frames } = await opened(alone);
  expect(await graph.getByLabel("View").count()).toBe(0);
  expect(await frames()).toHaveLength(5);
  const titles = await graph.locator("thead").textContent();
  expect(titles).toBe("FunctionHead [ms]");
  expect(complaints).toEqual([]);
  await page.context().close();
});
