import { linkCells } from "./cell-links.ts";
import { showCells } from "./cell-section.ts";
import { readData, readTrends } from "./data.ts";
import { makeSortable } from "./sorting.ts";
import { showTrends } from "./trends.ts";

// The page is complete without this script: headline, tables and notes are in it already. The script adds tools for a
// closer look: a filter, an order of choice, and the charts of one cell at a time.
for (const table of document.querySelectorAll(".scroll")) makeReachable(table);
for (const table of document.querySelectorAll("table")) makeSortable(table);
const data = readData(document);
const place = document.getElementById("cell");
if (data !== undefined && data.cells.length > 0 && place !== null) showCells(data, linkCells(data), place);
const trends = readTrends(document);
if (trends !== undefined) showTrends(trends, document.getElementById("cells"));

/** Lets the keyboard scroll everything that scrolls sideways. */
function makeReachable(scroll: Element): void {
  const titles = [...scroll.querySelectorAll("thead th")].map((title) => title.textContent);
  scroll.setAttribute("tabindex", "0");
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", titles.join(", ") || "Table");
}
