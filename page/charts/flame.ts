import type { PageCell } from "../../src/report/page/page-cell.ts";
import { figure } from "../../src/text/numbers.ts";
import { element, figureOf, tableOf } from "../elements.ts";
import { flameControl, keys } from "./flame-control.ts";
import { extraMs, type FlameData, type FlameView, treeOf } from "./flame-tree.ts";

const mostRows = 12;
const views = { head: "Head", difference: "Difference (red: more, blue: less)" } as const;

/** Where the CPU time of a request goes, by function: zoomed and searched with mouse and keyboard. */
export function flameFigure({ diagnosis }: PageCell, width: number): HTMLElement | undefined {
  const flame = diagnosis.head?.flame;
  const whole = flame && treeOf(flame, "head");
  if (flame === undefined || whole === undefined) return undefined;
  const hasBase = flame.nodes.some(([, , , baseMs]) => baseMs !== null);
  const status = element("p", { class: "small", role: "status" }, keys);
  const drawing = element("div", { class: "flame" });
  const control = flameControl({ drawing, status, width, whole });
  const choice = element(
    "select",
    {},
    ...Object.entries(views).map(([value, words]) => element("option", { value }, words)),
  );
  const show = (view: FlameView) => control.show(treeOf(flame, view) ?? whole, view);
  choice.addEventListener("change", () => show(choice.value === "difference" ? "difference" : "head"));
  const search = element("input", { type: "search", placeholder: "Function or file" });
  search.addEventListener("input", () => control.search(search.value));
  const reset = element("button", { type: "button" }, "Whole request");
  reset.addEventListener("click", () => control.reset());
  const toolbar = element(
    "div",
    { class: "toolbar" },
    hasBase ? element("label", {}, "View ", choice) : undefined,
    element("label", {}, "Find ", search),
    reset,
  );
  if (hasBase) choice.value = "difference";
  show(hasBase ? "difference" : "head");
  return figureOf({
    title: "CPU time of a request, by function",
    note: `${figure(whole.headMs)} ms per request in head${whole.baseMs === undefined ? "" : `, ${figure(whole.baseMs)} ms in base`}, from stack samples. Each function sits on top of its caller.`,
    chart: element("div", {}, toolbar, drawing, status),
    table: tableOf(
      ["Function", "Head [ms]", ...(hasBase ? ["Base [ms]", "Difference [ms]"] : [])],
      rowsOf(whole, hasBase),
    ),
  });
}

/** Each function once, with all that it calls; the largest change first. */
function rowsOf(whole: FlameData, hasBase: boolean): string[][] {
  const found = new Map<string, FlameData>();
  const visit = (node: FlameData) => {
    const known = found.get(node.name);
    if (known === undefined || known.headMs < node.headMs) found.set(node.name, node);
    for (const each of node.children) visit(each);
  };
  for (const each of whole.children) visit(each);
  const size = (node: FlameData) => (hasBase ? Math.abs(extraMs(node)) : node.headMs);
  return [...found.values()]
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, mostRows)
    .map((node) => [
      node.name,
      figure(node.headMs),
      ...(hasBase ? [figure(node.baseMs), figure(extraMs(node))] : []),
    ]);
}
