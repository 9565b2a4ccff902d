import type { PageCell } from "../src/report/page/page-cell.ts";
import type { PageData } from "../src/report/page/page-data.ts";
import { plural } from "../src/text/numbers.ts";
import type { LinkedRow } from "./cell-links.ts";
import { partsOf } from "./cell-parts.ts";
import { element } from "./elements.ts";

/** Shows one cell at a time, below the first table: the one that the address names, otherwise the worst one. */
export function showCells(data: PageData, rows: readonly LinkedRow[], place: HTMLElement): void {
  const { cells } = data;
  const title = element("h2", { tabindex: "-1" });
  const choice = element(
    "select",
    {},
    ...cells.map((cell) => element("option", { value: cell.id }, nameOf(cell))),
  );
  const body = element("div", { class: "charts" });
  let shown = named(cells) ?? worst(cells);
  let turn = 0;
  const draw = () => {
    const cell = shown;
    body.replaceChildren();
    delete body.dataset["drawn"];
    turn += 1;
    const own = turn;
    // Its width is known once the browser has laid the page out, which it does before anybody could look.
    setTimeout(() => cell && drawInTurns(body, partsOf(cell, data, body.clientWidth), () => turn === own));
  };
  const show = (cell: PageCell | undefined) => {
    if (cell === undefined) return;
    shown = cell;
    choice.value = cell.id;
    title.id = addressOf(cell);
    place.setAttribute("aria-labelledby", title.id);
    title.replaceChildren(element("code", {}, cell.endpoint), `, ${plural(cell.workers, "worker")}`);
    for (const each of rows) {
      if (each.cell === cell) each.link.setAttribute("aria-current", "true");
      else each.link.removeAttribute("aria-current");
    }
    draw();
  };
  const open = (cell: PageCell | undefined) => {
    show(cell);
    title.focus({ preventScroll: true });
    title.scrollIntoView();
  };
  const go = (cell: PageCell | undefined) => {
    if (cell === undefined) return;
    if (cell === named(cells)) open(cell);
    else window.location.hash = addressOf(cell);
  };
  const step = (label: string, by: number) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      if (shown !== undefined) go(cells.at((cells.indexOf(shown) + by) % cells.length));
    });
    return button;
  };
  choice.addEventListener("change", () => go(cells.find(({ id }) => id === choice.value)));
  for (const { cell, link } of rows)
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own
      event.preventDefault();
      go(cell);
    });
  const tools = element(
    "div",
    { class: "toolbar" },
    element("label", {}, "Cell ", choice),
    step("Previous", -1),
    step("Next", 1),
  );
  place.append(title, ...(cells.length > 1 ? [tools] : []), body);
  if (named(cells) === undefined) show(shown);
  else open(shown);
  window.addEventListener("hashchange", () => {
    const cell = named(cells);
    if (cell !== undefined) open(cell);
  });
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return; // phones hide their bars while one scrolls
    width = window.innerWidth;
    draw();
  });
}

/** Draws one part after the other, so that the first can be read while the others are drawn. */
function drawInTurns(
  body: HTMLElement,
  [part, ...others]: ReturnType<typeof partsOf>,
  isCurrent: () => boolean,
): void {
  if (!isCurrent()) return; // another cell was chosen meanwhile
  if (part === undefined) {
    body.dataset["drawn"] = "";
    performance.mark("drawn");
    return;
  }
  body.append(...part().filter((each) => each !== undefined));
  setTimeout(() => drawInTurns(body, others, isCurrent));
}

function addressOf({ id }: PageCell): string {
  return `cell-${id}`;
}

function named(cells: readonly PageCell[]): PageCell | undefined {
  return cells.find((cell) => window.location.hash === `#${addressOf(cell)}`);
}

function nameOf(cell: PageCell): string {
  const state = cell.state === "not compared" ? "" : ` – ${cell.state}`;
  return `${cell.endpoint}, ${plural(cell.workers, "worker")}${state}`;
}

/** The largest slowdown, else the largest gain or possible slowdown. Without a base: the slowest with a cause. */
function worst(cells: readonly PageCell[]): PageCell | undefined {
  const change = ({ effect }: PageCell) => effect?.[0] ?? 0;
  const speed = ({ arms }: PageCell) => (arms.head ?? arms.base)?.throughput[0] ?? Number.POSITIVE_INFINITY;
  const hasCause = ({ diagnosis }: PageCell) => (diagnosis.head?.findings.length ?? 0) > 0;
  const choices: readonly (readonly [(cell: PageCell) => boolean, (cell: PageCell) => number])[] = [
    [({ tone }) => tone === "bad", change],
    [({ tone }) => tone === "good", (cell) => -change(cell)],
    [({ effect }) => effect !== undefined, change],
    [hasCause, speed],
    [() => true, speed],
  ];
  const [first] = choices.flatMap(([isOne, rank]) =>
    cells.filter(isOne).toSorted((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b)))),
  );
  return first;
}
