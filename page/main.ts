import { showCells } from "./cell-section.ts";
import { readData, readTrends } from "./data.ts";
import { showOverview } from "./overview.ts";
import { makeSortable } from "./sorting.ts";
import { showTrends } from "./trends.ts";

// The page is complete without this script: headline, tables and notes are in it already. The script adds tools for a
// closer look: filters, and the charts of one cell at a time.
const data = readData(document);
for (const table of document.querySelectorAll(".scroll")) makeReachable(table);
if (data !== undefined && data.cells.length > 0) {
  const cells = showCells(data, document.getElementById("cell"));
  showOverview(data, document.getElementById("overview"));
  for (const table of document.querySelectorAll<HTMLTableElement>("main > .scroll > table:not(.chart)"))
    makeSortable(table);
  cells.follow(window);
}
const trends = readTrends(document);
if (trends !== undefined) {
  for (const table of document.querySelectorAll<HTMLTableElement>("main > .scroll > table"))
    makeSortable(table);
  showTrends(trends, document.getElementById("cells"));
}

/** Lets the keyboard scroll everything that scrolls sideways. */
function makeReachable(scroll: Element): void {
  const titles = [...scroll.querySelectorAll("thead th")].map((title) => title.textContent);
  scroll.setAttribute("tabindex", "0");
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", titles.join(", ") || "Table");
}
