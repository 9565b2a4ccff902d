import type { PageCell } from "../src/report/page/page-cell.ts";
import type { PageData } from "../src/report/page/page-data.ts";
import { plural } from "../src/text/numbers.ts";
import { partsOf } from "./cell-parts.ts";
import { element } from "./elements.ts";

/** Shows one cell at a time: the one that the address names, otherwise the most telling one. */
export function showCells(data: PageData, place: HTMLElement | null) {
  const title = element("h2", { id: "cell-title", tabindex: "-1" });
  const choice = element(
    "select",
    { id: "cell-choice" },
    ...data.cells.map((cell) => element("option", { value: cell.id }, nameOf(cell))),
  );
  const step = (label: string, by: number) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      const index = data.cells.findIndex(({ id }) => id === choice.value);
      const next = data.cells.at((index + by) % data.cells.length);
      if (next !== undefined) go(next);
    });
    return button;
  };
  const body = element("div", { class: "charts" });
  choice.addEventListener("change", () => {
    const chosen = data.cells.find(({ id }) => id === choice.value);
    if (chosen !== undefined) go(chosen);
  });
  place?.append(
    title,
    element(
      "div",
      { class: "toolbar" },
      element("label", { for: "cell-choice" }, "Cell ", choice),
      ...(data.cells.length > 1 ? [step("Previous", -1), step("Next", 1)] : []),
    ),
    body,
  );
  let shown: PageCell | undefined;
  let turn = 0;
  const draw = () => {
    if (shown === undefined) return;
    const cell = shown;
    body.replaceChildren();
    delete body.dataset["drawn"];
    turn += 1;
    const own = turn;
    // Its width is known once the browser has laid the page out, which it does before anybody could look.
    setTimeout(() => drawInTurns(body, partsOf(cell, data, body.clientWidth), () => turn, own));
  };
  const show = (cell: PageCell) => {
    shown = cell;
    choice.value = cell.id;
    title.replaceChildren(element("code", {}, cell.endpoint), `, ${plural(cell.workers, "worker")}`);
    for (const link of document.querySelectorAll("a.place")) {
      if (link.getAttribute("href") === `#cell-${cell.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    draw();
  };
  return {
    /** Follows the address, and the width of the window. */
    follow: (window: Window) => {
      const named = () => data.cells.find(({ id }) => window.location.hash === `#cell-${id}`);
      const first = named() ?? mostTelling(data.cells);
      if (first !== undefined) show(first);
      if (named() !== undefined) title.scrollIntoView();
      window.addEventListener("hashchange", () => {
        const cell = named();
        if (cell === undefined) return;
        show(cell);
        title.focus();
        title.scrollIntoView();
      });
      let width = window.innerWidth;
      window.addEventListener("resize", () => {
        if (window.innerWidth === width) return; // phones hide their bars while one scrolls
        width = window.innerWidth;
        draw();
      });
    },
  };
}

/** Draws one part after the other, so that the first can be read while the others are drawn. A later cell ends it. */
function drawInTurns(
  body: HTMLElement,
  [part, ...others]: ReturnType<typeof partsOf>,
  current: () => number,
  own: number,
): void {
  if (current() !== own) return; // another cell was chosen meanwhile
  if (part === undefined) {
    body.dataset["drawn"] = String(own);
    performance.mark("drawn");
    return;
  }
  body.append(...part().filter((each) => each !== undefined));
  setTimeout(() => drawInTurns(body, others, current, own));
}

function go(cell: PageCell): void {
  window.location.hash = `cell-${cell.id}`;
}

function nameOf(cell: PageCell): string {
  const state = cell.state === "not compared" ? "" : ` – ${cell.state}`;
  return `${cell.endpoint}, ${plural(cell.workers, "worker")}${state}`;
}

/** The cell with the largest certain change; otherwise the first cell that has figures. */
function mostTelling(cells: readonly PageCell[]): PageCell | undefined {
  const size = ({ effect }: PageCell) => Math.abs(effect?.[0] ?? 0);
  const changed = cells.filter(({ tone }) => tone === "bad" || tone === "good");
  const [largest] = changed.toSorted((a, b) => size(b) - size(a));
  return largest ?? cells.find(({ arms }) => arms.head !== undefined) ?? cells[0];
}
