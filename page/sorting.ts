import { element } from "./elements.ts";

export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (body === undefined || body.rows.length < 2) return;
  const heads = [...table.querySelectorAll<HTMLTableCellElement>("thead th")];
  heads.forEach((head, column) => {
    if ([...body.rows].every((row) => keyOf(row, column) === undefined)) return;
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    button.addEventListener("click", () => {
      const isUp = head.getAttribute("aria-sort") !== "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      body.append(...[...body.rows].toSorted(comparing(column, isUp ? 1 : -1)));
    });
    head.replaceChildren(button);
  });
}

function comparing(column: number, sign: 1 | -1) {
  return (one: HTMLTableRowElement, other: HTMLTableRowElement): number => {
    const [a, b] = [keyOf(one, column), keyOf(other, column)];
    // Rows without a value stay last in both directions.
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    const difference = Number(a) - Number(b);
    return sign * (Number.isNaN(difference) ? a.localeCompare(b, "en", { numeric: true }) : difference);
  };
}

/** The value behind the text, which the page has as data. */
function keyOf(row: HTMLTableRowElement, column: number): string | undefined {
  return row.cells[column]?.dataset["sort"];
}
