import type { TrendsData } from "../src/history/trends/page-data.ts";
import { latencyTrend, throughputTrend } from "./charts/trend.ts";

export function showTrends(data: TrendsData, place: HTMLElement | null): void {
  if (place === null) return;
  let turn = 0;
  const draw = (index: number, own: number): void => {
    if (turn !== own) return; // the window has another width meanwhile
    const cell = data.cells[index];
    if (cell === undefined) {
      place.dataset["drawn"] = String(own);
      return;
    }
    const section = document.getElementById(cell.id)?.parentElement;
    for (const old of section?.querySelectorAll("figure") ?? []) old.remove();
    const figures = [throughputTrend, latencyTrend].map((make) => make(cell, data, place.clientWidth));
    document.getElementById(cell.id)?.after(...figures.filter((figure) => figure !== undefined));
    setTimeout(() => draw(index + 1, own));
  };
  const begin = () => {
    delete place.dataset["drawn"];
    turn += 1;
    draw(0, turn);
  };
  begin();
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return; // phones hide their bars while one scrolls
    width = window.innerWidth;
    begin();
  });
}
