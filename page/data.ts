import type { TrendsData } from "../src/history/trends/page-data.ts";
import type { PageData } from "../src/report/page/page-data.ts";

/**
 * What the report put into the page. It was made and escaped by the program that wrote this very file, so its form is
 * taken as given; all its texts are foreign and are shown as text only.
 */
export function readData(document: Document): PageData | undefined {
  const block = document.getElementById("data")?.textContent;
  return block ? JSON.parse(block) : undefined;
}

/** The same of a page of trends. */
export function readTrends(document: Document): TrendsData | undefined {
  const block = document.getElementById("trends")?.textContent;
  return block ? JSON.parse(block) : undefined;
}
