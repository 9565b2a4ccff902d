import type { PageArm } from "../src/report/page/page-arm.ts";
import type { PageCell } from "../src/report/page/page-cell.ts";
import type { PageData } from "../src/report/page/page-data.ts";
import { count, figure } from "../src/text/numbers.ts";
import { signedPercent } from "../src/text/percent.ts";
import { flameFigure } from "./charts/flame.ts";
import { forestFigure } from "./charts/forest.ts";
import { curveFigure, histogramFigure } from "./charts/latency.ts";
import { scalingFigure } from "./charts/scaling.ts";
import { seriesFigures } from "./charts/series.ts";
import { amountTables, timeFigure } from "./charts/time.ts";
import { element, sentence, tableOf } from "./elements.ts";
import { estimateText } from "./words.ts";

/** Everything about one cell, what readers want first on top. Each part is made when its turn comes. */
export function partsOf(
  cell: PageCell,
  data: PageData,
  width: number,
): readonly (() => readonly (HTMLElement | undefined)[])[] {
  return [
    () => [summaryOf(cell), findingsOf(cell), figuresOf(cell)],
    () => [timeFigure(cell, width), amountTables(cell)],
    () => [flameFigure(cell, width)],
    () => [forestFigure(cell, data.minChange, width)],
    () => [scalingFigure(cell, data, width)],
    () => [curveFigure(cell, width)],
    () => [histogramFigure(cell, width)],
    () => seriesFigures(cell, width),
    () => [gatesOf(cell), againOf(cell)],
  ];
}

function summaryOf(cell: PageCell): HTMLElement {
  const effect = cell.effectText === "" ? "" : `, ${cell.effectText}`;
  const state = cell.state === "not compared" ? "measured, not compared" : cell.state;
  const shortened = cell.isShortened ? " Its charts are left out to keep the page small." : "";
  return element(
    "p",
    {},
    element("strong", { class: cell.tone }, `${state}${effect}.`),
    ` ${cell.load}. ${asSentence(cell.reason)}${shortened}`,
  );
}

function asSentence(text: string): string {
  if (text === "") return "";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

function findingsOf({ diagnosis }: PageCell): HTMLElement | undefined {
  const parts = (["head", "base"] as const).flatMap((arm) => {
    const { findings = [], unseen = [] } = diagnosis[arm] ?? {};
    const items = findings.map((each) => {
      const { place } = each;
      return element(
        "li",
        {},
        element("strong", {}, each.cause),
        each.isInDiff ? " (changed in this pull request): " : ": ",
        ...sentence(each.summary),
        " ",
        place && element("code", {}, `${place.at} in ${place.function}`),
        place && place.code !== "" ? element("pre", {}, place.code) : undefined,
        element("p", { class: "small" }, `Evidence: ${each.evidence}.`),
        element("p", {}, ...sentence(each.advice)),
      );
    });
    const missing = unseen.map((text) => element("li", { class: "small" }, `Not diagnosed: ${text}`));
    if (items.length + missing.length === 0) return [];
    return [element("h4", {}, `In the ${arm}`), element("ul", { class: "findings" }, ...items, ...missing)];
  });
  return parts.length === 0 ? undefined : element("section", {}, element("h3", {}, "Causes"), ...parts);
}

function figuresOf({ arms, effect }: PageCell): HTMLElement | undefined {
  const { base, head } = arms;
  const known = [base, head].filter((arm) => arm !== undefined);
  if (known.length === 0) return undefined;
  const names = [...new Set(known.flatMap((arm) => arm.figures.map(([name]) => name)))];
  const of = (arm: PageArm | undefined, name: string) => arm?.figures.find(([each]) => each === name)?.[1];
  const isBoth = base !== undefined && head !== undefined;
  const shownFigure = (value: number | undefined) => (Number.isInteger(value) ? count(value) : figure(value));
  const throughput = known.map((arm) => estimateText(arm.throughput, figure));
  const rows = names.map((name) => {
    const values = [of(base, name), of(head, name)];
    const [before, after] = values;
    const shown = isBoth
      ? values.map(shownFigure)
      : values.filter((value) => value !== undefined).map(shownFigure);
    return [name, ...shown, ...(isBoth ? [changeOf(before, after)] : [])];
  });
  const titles = isBoth
    ? ["Figure", "base", "head", "Change"]
    : ["Figure", head === undefined ? "base" : "head"];
  const last = isBoth ? [estimateText(effect, signedPercent)] : [];
  return element(
    "section",
    {},
    element("h3", {}, isBoth ? "Base and head" : "Figures"),
    tableOf(titles, [["Throughput [req/s]", ...throughput, ...last], ...rows]),
  );
}

function changeOf(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return "–";
  if (before === after) return "same";
  return before === 0 ? "–" : signedPercent(after / before - 1);
}

function gatesOf({ gates }: PageCell): HTMLElement | undefined {
  if (gates.length === 0) return undefined;
  const rows = gates.map(({ name, isMet, evidence }) =>
    element("li", {}, element("strong", {}, isMet ? "passed" : "failed"), ` ${name}: ${evidence}`),
  );
  return element("section", {}, element("h3", {}, "Checks on this comparison"), element("ul", {}, ...rows));
}

function againOf({ again }: PageCell): HTMLElement | undefined {
  if (again === undefined) return undefined;
  const copy = element("button", { type: "button" }, "Copy");
  const status = element("span", { class: "small", role: "status" });
  copy.addEventListener("click", () => {
    const say = (text: string) => {
      status.textContent = ` ${text}`;
    };
    const refused = "Could not copy it. Select the line instead.";
    const clipboard: Clipboard | undefined = navigator.clipboard; // absent where the browser trusts no local file
    if (clipboard === undefined) return say(refused);
    clipboard.writeText(again).then(
      () => say("Copied."),
      () => say(refused),
    );
  });
  return element(
    "section",
    {},
    element("h3", {}, "Measure this cell again"),
    element(
      "p",
      { class: "small" },
      "Run this in a checkout of the pull request. It reads the configuration file.",
    ),
    element("pre", { class: "command", tabindex: "0" }, again),
    copy,
    status,
  );
}
