import type { PageCell } from "../src/report/page/page-cell.ts";
import type { PageData } from "../src/report/page/page-data.ts";
import { element } from "./elements.ts";

/** From so many cells on, a filter is worth its room. */
const fewestToFilter = 10;

export interface LinkedRow {
  readonly cell: PageCell;
  readonly row: HTMLTableRowElement;
  readonly link: HTMLAnchorElement;
}

/** Makes the endpoints of the first table links to their cells, and adds a filter where there are many. */
export function linkCells({ cells }: PageData): readonly LinkedRow[] {
  const linked = cells.flatMap((cell): LinkedRow[] => {
    const row = document.querySelector<HTMLTableRowElement>(`tr[id="cell-${cell.id}"]`);
    const name = row?.querySelector("td")?.previousElementSibling; // the endpoint is left of its workers
    if (!row || !name) return [];
    row.removeAttribute("id"); // without a script the address leads to the row, now to the open cell
    const link = element("a", { href: `#cell-${cell.id}` }, ...name.childNodes);
    name.append(link);
    return [{ cell, row, link }];
  });
  const table = linked[0]?.row.closest(".scroll");
  if (table && cells.length >= fewestToFilter) table.before(...filterOf(linked));
  return linked;
}

function filterOf(rows: readonly LinkedRow[]): HTMLElement[] {
  const states = [...new Set(rows.map(({ cell }) => cell.state))];
  const search = element("input", { type: "search", autocomplete: "off" });
  const choice = element(
    "select",
    {},
    element("option", { value: "" }, "all"),
    ...states.map((state) => element("option", { value: state }, state)),
  );
  const status = element("span", { class: "small", role: "status" });
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const { cell, row } of rows) {
      const isNamed = cell.endpoint.toLowerCase().includes(wanted);
      row.hidden = !(isNamed && (choice.value === "" || cell.state === choice.value));
    }
    status.textContent = `${rows.filter(({ row }) => !row.hidden).length} of ${rows.length} shown`;
  };
  search.addEventListener("input", filter);
  choice.addEventListener("change", filter);
  filter();
  return [
    element(
      "div",
      { class: "toolbar" },
      element("label", {}, "Endpoint ", search),
      element("label", {}, "Result ", choice),
      status,
    ),
  ];
}
