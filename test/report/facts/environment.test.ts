import { expect, test } from "vitest";

import { factsOf, machinesSentence, packageDifferencesOf } from "../../../src/report/facts/environment.ts";
import { environmentMarkup } from "../../../src/report/render/html/sections.ts";
import { environmentFolds } from "../../../src/report/render/markdown/folds.ts";
import { environmentSection } from "../../../src/report/sections/environment-section.ts";
import { cell, environment } from "../../fixtures/measurement.ts";
import { row } from "../compared.ts";

const at = cell();
const factOf = (name: string, rows: Parameters<typeof factsOf>[0]) =>
  factsOf(rows).find((fact) => fact.name === name);
const on = (appCpus: string, otherCpus: string) =>
  row({ cell: at, environment: environment({ appCpus, otherCpus }) });

test("says which CPUs the app had, and which k6 and Postgres, right after the cores", () => {
  const facts = factsOf([on("0", "1-3")]);
  expect(facts.slice(0, 5)).toEqual([
    { name: "CPU", values: [{ text: "AMD EPYC 7763 64-Core Processor", cells: 1 }] },
    { name: "Cores", values: [{ text: "4 cores", cells: 1 }] },
    { name: "CPUs of the app", values: [{ text: "0", cells: 1 }] },
    { name: "CPUs of k6 and Postgres", values: [{ text: "1-3", cells: 1 }] },
    { name: "Memory", values: [{ text: "16.8 GB", cells: 1 }] },
  ]);
});

test("leaves them out where they were not kept apart", () => {
  const rows = [row({ cell: at })];
  expect(factOf("CPUs of the app", rows)).toBeUndefined();
  expect(factOf("CPUs of k6 and Postgres", rows)).toBeUndefined();
});

test("counts cells with other CPUs, the most frequent first", () => {
  const rows = [on("0-1", "2-3"), on("0", "1-3"), on("0", "1-3"), row({ cell: at })];
  expect(factOf("CPUs of the app", rows)?.values).toEqual([
    { text: "0", cells: 2 },
    { text: "0-1", cells: 1 },
  ]);
  expect(factOf("CPUs of k6 and Postgres", rows)?.values).toEqual([
    { text: "1-3", cells: 2 },
    { text: "2-3", cells: 1 },
  ]);
});

test("tells the packages that base has in another version, or only one of the arms has, each once", () => {
  const packages = { fastapi: "0.165.0", httptools: "0.7.1", uvicorn: "0.54.0" };
  const basePackages = { uvicorn: "0.53.0", httptools: "", ujson: "5.1.0" };
  const changed = row({ cell: at, environment: environment({ packages, basePackages }) });
  const rows = [changed, changed, row({ cell: at, environment: undefined })];
  expect(packageDifferencesOf(rows)).toEqual([
    { name: "httptools", base: "", head: "0.7.1" },
    { name: "ujson", base: "5.1.0", head: "" },
    { name: "uvicorn", base: "0.53.0", head: "0.54.0" },
  ]);
  expect(environmentFolds(environmentSection(rows))).toContain(
    "| `httptools` | – | `0.7.1` |\n| `ujson` | `5.1.0` | – |",
  );
  expect(environmentMarkup(environmentSection(rows))?.markup).toContain(
    '<tr><th scope="row">ujson</th><td>5.1.0</td><td>–</td></tr>',
  );
  expect(packageDifferencesOf([row({ cell: at })])).toEqual([]);
  expect(environmentFolds(environmentSection([row({ cell: at })]))).not.toContain("another version");
});

test("other CPUs of one machine do not make it two", () => {
  expect(machinesSentence([on("0", "1-3"), on("0-1", "2-3")])).toBeUndefined();
});
