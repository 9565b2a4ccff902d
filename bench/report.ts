// Size of the page, and how long a browser takes to open it, for 64 cells with both arms from a real run.
// Usage: npm run bench -- report
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openPage, startBrowser } from "../test/page/browser.ts";
import { manyCells, pageOf } from "../test/page/recorded.ts";
import { median } from "./parts/timing.ts";

const cells = 64;
const rounds = 5;

const folder = await mkdtemp(join(tmpdir(), "bench-report-"));
const browser = await startBrowser();
try {
  const path = join(folder, "report.html");
  await writeFile(path, pageOf(manyCells(cells)));
  const { size } = await stat(path);
  const opened: number[] = [];
  const drawn: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { page } = await openPage(browser, path);
    opened.push(await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"));
    drawn.push(await page.evaluate("performance.getEntriesByName('drawn')[0].startTime"));
    await page.context().close();
  }
  console.log(
    `page of ${cells} cells: ${(size / 1e6).toFixed(2)} MB, opened in ${median(opened).toFixed(0)} ms, all charts drawn after ${median(drawn).toFixed(0)} ms`,
  );
  console.log(JSON.stringify({ cells, bytes: size, openedMs: median(opened), drawnMs: median(drawn) }));
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
