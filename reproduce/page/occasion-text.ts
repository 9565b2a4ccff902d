import { codeBlock, figure, plural, sentence } from "../../src/engine.ts";
import type { MachineOfPage, Occasion } from "./report-page-input.ts";

/** Time and machine of the measurement, as a list. */
export function machineLines({ size, date, machine }: Occasion): string {
  const { cpuModel, cores, memoryBytes, kernel, python, k6, postgres, packages } = machine;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ["Date", dayOf(date)],
    ["Size", sizeWords[size]],
    ["CPU", `${cpuModel}, ${plural(cores, "core")}`],
    ["Memory", `${figure(memoryBytes / 1e9)} GB`],
    ["Kernel", kernel],
    ["Python", python],
    ["k6", k6],
    ["Postgres", postgres],
    ["Packages", packageWords(packages)],
  ];
  return facts
    .flatMap(([name, value]) => (value === undefined ? [] : `- ${name}: ${sentence(value)}`))
    .join("\n");
}

/** Packages that serve requests or talk to the database: their versions decide many figures. */
const shownPackages = [
  ...["uvicorn", "uvloop", "httptools", "h11", "anyio", "fastapi", "starlette"],
  ...["gunicorn", "uvicorn-worker", "gevent", "werkzeug", "httpcore"],
  ...["psycopg", "psycopg-pool", "psycopg2-binary", "asyncpg", "sqlalchemy", "polars"],
];

function packageWords(packages: MachineOfPage["packages"]): string | undefined {
  const versions = new Map(
    Object.entries(packages ?? {}).map(([name, version]) => [
      name.toLowerCase().replaceAll("_", "-"),
      version,
    ]),
  );
  const found = shownPackages.flatMap((name) => (versions.has(name) ? `${name} ${versions.get(name)}` : []));
  return found.length === 0 ? undefined : found.join(", ");
}

/** The day of an ISO date. */
export function dayOf(date: string): string {
  return date.slice(0, "2026-01-31".length);
}

/** The commands that measure again. */
export function rerunBlock(name: string): string {
  const command = `node reproduce/dist/reproduce.js ${name}`;
  return [
    codeBlock(`${command} --size quick`),
    "`--size full` uses the published loads, durations and data.",
  ].join("\n\n");
}

const sizeWords: Readonly<Record<Occasion["size"], string>> = {
  quick: "quick (loads and data scaled down)",
  full: "full (loads and data as published)",
};
