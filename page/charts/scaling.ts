import { dot, line, link } from "@observablehq/plot";
import type { PageCell } from "../../src/report/page/page-cell.ts";
import type { PageData } from "../../src/report/page/page-data.ts";
import { figure, plural } from "../../src/text/numbers.ts";
import { figureOf, tableOf } from "../elements.ts";
import { estimateText } from "../words.ts";
import { armNames, bottomAxis, chart, colours, upAxis } from "./frame.ts";

export function scalingFigure(cell: PageCell, data: PageData, width: number): HTMLElement | undefined {
  const cells = data.cells.filter(
    (each) => each.endpoint === cell.endpoint && each.server === cell.server && each.load === cell.load,
  );
  const points = armNames.flatMap((name) =>
    cells.flatMap(({ workers, arms }) => {
      const [value, low, high] = arms[name]?.throughput ?? [];
      return value === undefined ? [] : [{ name, workers, value, low, high }];
    }),
  );
  const counts = [...new Set(points.map(({ workers }) => workers))].toSorted((a, b) => a - b);
  const [first] = points.filter(({ name }) => name === "head").toSorted((a, b) => a.workers - b.workers);
  const last = counts.at(-1);
  if (counts.length < 2 || first === undefined || last === undefined) return undefined;
  const perWorker = first.value / first.workers;
  const ideal = [first.workers, last].map((workers) => ({ workers, value: workers * perWorker }));
  const ends = [...points.map(({ value, high = value }) => high), last * perWorker];
  const law = data.laws.find((each) => each.endpoint === cell.endpoint && each.isFitting);
  const fitted =
    law === undefined
      ? []
      : Array.from({ length: 60 }, (_, index) => {
          const workers = 1 + ((last - 1) * index) / 59;
          const { rate, serial, crosstalk } = law;
          const value = (rate * workers) / (1 + serial * (workers - 1) + crosstalk * workers * (workers - 1));
          return { workers, value };
        });
  const known = points.flatMap(({ low, high, ...point }) =>
    low === undefined || high === undefined ? [] : [{ ...point, low, high }],
  );
  const words = points
    .filter(({ name }) => name === "head")
    .map(({ workers, value }) => `${plural(workers, "worker")} ${figure(value)}`)
    .join(", ");
  return figureOf({
    title: "Throughput by workers",
    note: `Filled dots are head, open ones base, with their 95% intervals. The thin dashed line is ideal scaling${fitted.length > 0 ? "; the thin solid one is the Universal Scalability Law" : ""}.`,
    chart: chart(`Requests per second of head: ${words}.`, width, {
      x: { domain: [Math.min(...counts) - 0.2, last + 0.2] },
      y: { domain: [0, Math.max(...ends) * 1.05] },
      marks: [
        ...upAxis("req/s", 5),
        bottomAxis("workers", counts, { tickFormat: String }),
        line(ideal, {
          x: "workers",
          y: "value",
          stroke: colours.soft,
          strokeDasharray: "2 4",
          strokeWidth: 1.5,
        }),
        line(fitted, { x: "workers", y: "value", stroke: colours.soft, strokeWidth: 1.5 }),
        ...armNames.flatMap((name) => {
          const dx = name === "base" ? -4 : 4;
          return [
            link(
              known.filter((point) => point.name === name),
              {
                x1: "workers",
                x2: "workers",
                y1: "low",
                y2: "high",
                dx,
                stroke: colours[name],
                strokeWidth: 2,
              },
            ),
            dot(
              points.filter((point) => point.name === name),
              {
                x: "workers",
                y: "value",
                dx,
                r: 4.5,
                stroke: colours[name],
                strokeWidth: 2,
                fill: name === "head" ? colours.head : "transparent",
              },
            ),
          ];
        }),
      ],
    }),
    table: tableOf(
      [
        "Workers",
        ...armNames
          .filter((name) => points.some((point) => point.name === name))
          .map((name) => `${name} [req/s]`),
      ],
      counts.map((workers) => [
        String(workers),
        ...armNames
          .filter((name) => points.some((point) => point.name === name))
          .map((name) => {
            const found = points.find((point) => point.name === name && point.workers === workers);
            const { value, low, high } = found ?? {};
            return estimateText(
              [value, low, high].filter((each) => each !== undefined),
              figure,
            );
          }),
      ]),
    ),
  });
}
