import flamegraph, { type FlameFrame } from "d3-flame-graph";
import { select } from "d3-selection";
import { figure } from "../../src/text/numbers.ts";
import { percent } from "../../src/text/percent.ts";
import { extraMs, type FlameData, type FlameView } from "./flame-tree.ts";

type Frame = FlameFrame<FlameData>;

const frameHeight = 18;

export const keys = "Click a function to zoom, or use the arrow keys, Enter and Escape.";

interface Parts {
  readonly drawing: HTMLElement;
  readonly status: HTMLElement;
  readonly width: number;
  readonly whole: FlameData;
}

export function flameControl({ drawing, status, width, whole }: Parts) {
  let view: FlameView = "head";
  let current: Frame | undefined;
  let most = 0;
  let isDrawn = false;
  const say = (frame: Frame) => {
    status.textContent = wordsOf(frame.data, whole);
  };
  const chart = flamegraph<FlameData>()
    .width(Math.max(280, Math.min(1_000, width)))
    .cellHeight(frameHeight)
    .minFrameSize(1)
    .transitionDuration(0)
    .selfValue(false)
    .label(({ data }) => wordsOf(data, whole))
    .color((frame) => colourOf(frame, frame === current, view, most))
    .onHover(say)
    .onClick((frame) => {
      current = frame;
      say(frame);
      chart.update();
    })
    .setDetailsHandler(() => undefined)
    .setSearchMatch(({ data }, term) => term !== "" && data.name.toLowerCase().includes(term.toLowerCase()))
    .setSearchHandler((found, sum, all) => {
      status.textContent = `${found.length} found, ${percent(all > 0 ? sum / all : 0, "whole")} of the time.`;
    });
  const mark = (frame: Frame) => {
    current = frame;
    say(frame);
    chart.update();
  };
  drawing.setAttribute("tabindex", "0");
  drawing.setAttribute("role", "application");
  drawing.setAttribute("aria-label", `Flame graph. ${keys}`);
  drawing.addEventListener("keydown", (event) => {
    const from = current ?? chart.findById(0);
    if (from === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") chart.zoomTo(from);
    else if (event.key === "Escape") chart.resetZoom();
    else {
      const to = neighbour(from, event.key);
      if (to === undefined) return;
      mark(to);
    }
    event.preventDefault();
  });
  return {
    show: (tree: FlameData, wanted: FlameView) => {
      view = wanted;
      current = undefined;
      most = Math.max(...differencesIn(tree));
      if (isDrawn) chart.update(tree);
      else {
        const selection = select(drawing);
        selection.datum(tree);
        chart(selection);
        isDrawn = true;
      }
      nameDrawing(drawing, tree);
    },
    search: (term: string) => {
      if (term !== "") return chart.search(term);
      chart.clear();
      status.textContent = keys;
    },
    reset: () => chart.resetZoom(),
  };
}

/** The library's drawing has no name, and the page's style for charts would change its size. */
function nameDrawing(drawing: HTMLElement, { name, headMs }: FlameData): void {
  const svg = drawing.querySelector("svg");
  if (svg === null) return;
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${name}: ${figure(headMs)} ms of CPU`);
  svg.style.height = `${svg.getAttribute("height")}px`;
  svg.style.width = `${svg.getAttribute("width")}px`;
}

/** The frame that a key leads to: up to its costliest call, down to its caller, left and right to its siblings. */
function neighbour(frame: Frame, key: string): Frame | undefined {
  if (key === "ArrowDown") return frame.parent ?? undefined;
  if (key === "ArrowUp") return frame.children?.toSorted((a, b) => b.value - a.value)[0];
  const siblings = frame.parent?.children ?? [];
  const at = siblings.indexOf(frame);
  if (key === "ArrowRight") return siblings[at + 1];
  return key === "ArrowLeft" ? siblings[at - 1] : undefined;
}

function colourOf({ data, highlight }: Frame, isCurrent: boolean, view: FlameView, most: number): string {
  if (isCurrent) return "#ffd54d";
  if (highlight) return "#d6a8ff";
  if (view === "head") return data.name.includes(".py:") ? "#f5b982" : "#d5dde5";
  const share = most > 0 ? Math.min(1, Math.abs(extraMs(data)) / most) : 0;
  const [red, green, blue] = extraMs(data) > 0 ? [232, 110, 100] : [104, 160, 232];
  const mixed = [red, green, blue].map((value) => Math.round(236 + (value - 236) * Math.sqrt(share)));
  return `rgb(${mixed.join()})`;
}

function wordsOf(data: FlameData, whole: FlameData): string {
  const extra = extraMs(data);
  const change =
    data.baseMs === undefined ? "" : `, ${extra > 0 ? "+" : ""}${figure(extra)} ms compared with base`;
  return `${data.name}: ${figure(data.headMs)} ms per request (${percent(data.headMs / whole.headMs, "whole")})${change}`;
}

function differencesIn(node: FlameData): readonly number[] {
  return [Math.abs(extraMs(node)), ...node.children.flatMap(differencesIn)];
}
