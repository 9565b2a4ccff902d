import type { PageCell } from "../src/report/page/page-cell.ts";
import type { PageData } from "../src/report/page/page-data.ts";
import { figure, plural } from "../src/text/numbers.ts";
import { signedPercent } from "../src/text/percent.ts";
import { element } from "./elements.ts";

/** A shape for each state, so that nobody has to see a colour. */
const shapes: readonly (readonly [start: string, shape: string])[] = [
  ["slower", "▼"],
  ["faster", "▲"],
  ["unchanged", "="],
  ["inconclusive", "?"],
  ["invalid", "!"],
  ["new", "+"],
  ["removed", "−"],
];

/** Endpoints by worker counts, with a filter. Each place leads to its cell. */
export function showOverview(data: PageData, place: HTMLElement | null): void {
  if (place === null || data.cells.length < 2) return;
  const states = [...new Set(data.cells.map(({ state }) => state))];
  const counts = [...new Set(data.cells.map(({ workers }) => workers))].toSorted((a, b) => a - b);
  const search = element("input", { type: "search", id: "filter-endpoint", autocomplete: "off" });
  const choice = element(
    "select",
    { id: "filter-state" },
    element("option", { value: "" }, "all"),
    ...states.map((state) => element("option", { value: state }, state)),
  );
  const shown = element("p", { class: "small", role: "status" });
  const rows = rowsOf(data, counts);
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    let visible = 0;
    for (const { endpoint, row, links } of rows) {
      const isNamed = endpoint.toLowerCase().includes(wanted);
      let any = false;
      for (const { cell, link } of links) {
        const isShown = isNamed && (choice.value === "" || cell.state === choice.value);
        link.hidden = !isShown;
        any ||= isShown;
        visible += isShown ? 1 : 0;
      }
      row.hidden = !any;
    }
    shown.textContent = `${visible} of ${data.cells.length} cells shown.`;
  };
  search.addEventListener("input", filter);
  choice.addEventListener("change", filter);
  const head = [
    element("th", { scope: "col" }, "Endpoint"),
    ...counts.map((each) => element("th", { scope: "col" }, plural(each, "worker"))),
  ];
  place.append(
    element("h2", {}, "Overview"),
    element(
      "div",
      { class: "toolbar" },
      element("label", { for: "filter-endpoint" }, "Endpoint has ", search),
      element("label", { for: "filter-state" }, "State ", choice),
    ),
    shown,
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Overview of all cells" },
      element(
        "table",
        { class: "grid" },
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows.map(({ row }) => row)),
      ),
    ),
    element("p", { class: "small legend" }, legendOf(data)),
  );
  filter();
}

function rowsOf({ cells }: PageData, counts: readonly number[]) {
  const endpoints = [...new Set(cells.map(({ endpoint }) => endpoint))];
  return endpoints.map((endpoint) => {
    const links: { cell: PageCell; link: HTMLAnchorElement }[] = [];
    const places = counts.map((workers) => {
      const here = cells.filter((cell) => cell.endpoint === endpoint && cell.workers === workers);
      const made = here.map((cell) => {
        const link = linkOf(cell);
        links.push({ cell, link });
        return link;
      });
      return element("td", {}, ...made);
    });
    const name = element("th", { scope: "row" }, element("code", {}, endpoint));
    return { endpoint, links, row: element("tr", {}, name, ...places) };
  });
}

function linkOf(cell: PageCell): HTMLAnchorElement {
  const size = cell.effect === undefined ? rateText(cell) : signedPercent(cell.effect[0]);
  const shape = shapes.find(([start]) => cell.state.startsWith(start))?.[1] ?? "";
  const isPlain = cell.state === "not compared" || cell.state === "no base";
  const name = `${cell.endpoint}, ${plural(cell.workers, "worker")}: `;
  return element(
    "a",
    { href: `#cell-${cell.id}`, class: `place ${cell.tone}` },
    element("span", { class: "unseen" }, name),
    element("span", { class: "size" }, [shape, size].filter((text) => text !== "").join(" ")),
    element("span", { class: "state" }, isPlain ? "" : cell.state),
  );
}

function rateText({ arms }: PageCell): string {
  const rate = (arms.head ?? arms.base)?.throughput[0];
  return rate === undefined ? "" : `${figure(rate)} req/s`;
}

function legendOf({ cells, leftOut }: PageData): string {
  const isCompared = cells.some(({ effect }) => effect !== undefined);
  const what = isCompared
    ? "Change of throughput, head against base: ▼ slower, ▲ faster, = unchanged, ? inconclusive, ! invalid."
    : "Throughput of each cell.";
  const more = leftOut > 0 ? ` ${leftOut} cells have no charts here, for the page's length.` : "";
  return `${what} Choose a place for its charts.${more}`;
}
