import type { TrendsData } from "../src/history/trends/page-data.ts";
import type { PageData } from "../src/report/page/page-data.ts";

/**
 * The data that the report put into the page. The program that wrote this file also made and escaped them, so their
 * form is taken as given. All their texts are foreign and are shown as text only.
 */
export function readData(document: Document): PageData | undefined {
  const block = document.getElementById("data")?.textContent;
  return block ? JSON.parse(block) : undefined;
}

/** The same for a page of trends. */
export function readTrends(document: Document): TrendsData | undefined {
  const block = document.getElementById("trends")?.textContent;
  return block ? JSON.parse(block) : undefined;
}
