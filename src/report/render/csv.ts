import { visibleLine } from "../../text/visible.ts";
import type { ArmFigures, CellFigures, Figures } from "../figures/figures-schema.ts";

type Value = string | number | boolean | null | undefined;

const armColumns = [
  "throughputRequestsPerSecond",
  "throughputLowRequestsPerSecond",
  "throughputHighRequestsPerSecond",
  "p50Ms",
  "p95Ms",
  "p99Ms",
  "requests",
  "failures",
  "cpuPerRequestMs",
  "statementsPerRequest",
  "instructionsPerRequest",
] as const satisfies readonly (keyof ArmFigures)[];

const effectColumns = [
  "throughputEffect",
  "throughputEffectLow",
  "throughputEffectHigh",
  "cpuEffect",
  "instructionsEffect",
  "instructionsEffectLow",
  "instructionsEffectHigh",
  "p50Effect",
  "p95Effect",
  "openP50Effect",
  "openP95Effect",
  "openP99Effect",
] as const satisfies readonly (keyof CellFigures)[];

type Column = readonly [title: string, value: (cell: CellFigures) => Value];

const columns: readonly Column[] = [
  ["id", ({ id }) => id],
  ["endpoint", ({ endpoint }) => endpoint],
  ["workers", ({ workers }) => workers],
  ["status", ({ status }) => status],
  ["verdict", ({ verdict }) => verdict],
  ["isSmall", ({ isSmall }) => isSmall],
  ["replicates", ({ replicates }) => replicates],
  ...effectColumns.map((name) => [name, (cell: CellFigures) => cell[name]] as const),
  ...armColumns.map((name) => [`head.${name}`, (cell: CellFigures) => cell[name]] as const),
  ...armColumns.map((name) => [`base.${name}`, (cell: CellFigures) => cell.base?.[name]] as const),
  ["reason", ({ reason }) => reason],
];

const appColumn: Column = ["app", ({ app }) => app];

/** A line for each cell (RFC 4180). A text that could be a formula has an apostrophe before it. */
export function renderCsv({ cells }: Figures): string {
  // The app is last, so that the other columns keep their places.
  const shown = cells.some(({ app }) => app !== undefined) ? [...columns, appColumn] : columns;
  const lines = cells.map((cell) => shown.map(([, value]) => field(value(cell))));
  return [shown.map(([title]) => title), ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

function field(value: Value): string {
  if (typeof value !== "string") return value === null || value === undefined ? "" : String(value);
  const text = visibleLine(value);
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
