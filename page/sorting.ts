import { element } from "./elements.ts";

type Direction = "ascending" | "descending";

/** Gives each column of a table a button that sorts by it. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (body === undefined || body.rows.length < 2) return;
  const heads = [...table.querySelectorAll<HTMLTableCellElement>("thead th")];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort" }, ...head.childNodes);
    button.addEventListener("click", () => {
      const direction: Direction =
        head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction);
      body.append(...[...body.rows].toSorted(comparing(column, direction)));
    });
    head.replaceChildren(button);
  });
}

function comparing(column: number, direction: Direction) {
  const sign = direction === "ascending" ? 1 : -1;
  return (one: HTMLTableRowElement, other: HTMLTableRowElement): number => {
    const [a, b] = [keyOf(one, column), keyOf(other, column)];
    // Rows without a figure stay last in both directions.
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  };
}

/** The last figure of `base → head`, or the first of a figure with its interval. Other text stays as it is. */
function keyOf(row: HTMLTableRowElement, column: number): number | string | undefined {
  const cell = row.cells[column];
  const text = cell?.textContent?.trim() ?? "";
  if (text === "" || text === "–" || (cell?.colSpan ?? 1) > 1) return undefined;
  if (text.startsWith("none (")) return 0; // no change
  const change = /([−+]\d[\d,]*(?:\.\d+)?)%/.exec(text)?.[1];
  if (change !== undefined && cell?.classList.contains("verdict")) return numberOf(change);
  if (!cell?.classList.contains("number")) return text;
  const figures = text.match(/[−-]?\d[\d,]*(?:\.\d+)?/g);
  const chosen = text.includes("→") ? figures?.at(-1) : figures?.[0];
  return chosen === undefined ? undefined : numberOf(chosen);
}

function numberOf(figure: string): number {
  return Number(figure.replaceAll(",", "").replace("−", "-"));
}
