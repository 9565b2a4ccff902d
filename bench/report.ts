// Size of the page, and time until a browser has opened it. Both arms come from a real run: a few cells, many cells,
// and many cells with as many replicates as a cell can have.
// Usage: npm run bench -- report
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";

import { looks } from "../src/engine.ts";
import { openPage, startBrowser } from "../test/page/browser.ts";
import { manyCells, pageOf } from "../test/page/recorded.ts";
import type { Results } from "../test/recordings/recording.ts";
import { median } from "./parts/timing.ts";

const rounds = 5;
const mostReplicates = looks.at(-1) ?? 0;

/** Every cell with this many replicates, its own ones repeated. */
function withReplicates({ plan, measurements }: Results, count: number): Results {
  const longer = measurements.map((each) => ({
    ...each,
    replicates: Array.from(
      { length: count },
      (_, index) => each.replicates[index % each.replicates.length],
    ).filter((replicate) => replicate !== undefined),
  }));
  return { plan, measurements: longer };
}

async function figuresOf(browser: Browser, path: string) {
  const opened: number[] = [];
  const drawn: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { page } = await openPage(browser, path);
    opened.push(await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"));
    drawn.push(await page.evaluate("performance.getEntriesByName('drawn')[0].startTime"));
    await page.context().close();
  }
  const { size } = await stat(path);
  return { bytes: size, openedMs: Math.round(median(opened)), drawnMs: Math.round(median(drawn)) };
}

const pages = [
  ["1Cell", "1 cell", manyCells(1)],
  ["8Cells", "8 cells", manyCells(8)],
  ["64Cells", "64 cells", manyCells(64)],
  [
    "64CellsMost",
    `64 cells with ${mostReplicates} replicates each`,
    withReplicates(manyCells(64), mostReplicates),
  ],
] as const;

const folder = await mkdtemp(join(tmpdir(), "bench-report-"));
const browser = await startBrowser();
const all: Record<string, number> = {};
try {
  for (const [key, title, results] of pages) {
    const path = join(folder, `${key}.html`);
    await writeFile(path, pageOf(results));
    const { bytes, openedMs, drawnMs } = await figuresOf(browser, path);
    console.log(
      `page of ${title}: ${(bytes / 1e6).toFixed(2)} MB, opened in ${openedMs} ms, all charts drawn after ${drawnMs} ms`,
    );
    Object.assign(all, { [`bytes${key}`]: bytes, [`openedMs${key}`]: openedMs, [`drawnMs${key}`]: drawnMs });
  }
  console.log(JSON.stringify(all));
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
