import { readdir } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { growth } from "../../model/load/histogram.ts";
import { lineMark } from "../../model/scale/generator-records.ts";
import { inputName, type LoadFiles } from "../../model/scale/k6-operator.ts";
import type { LoadRequest } from "../../ports/load.ts";
import { fingerprint } from "../../text/fingerprint.ts";
import { textOfOwnFile } from "../process/index.ts";

/** The orders of `k6/load.ts`, declared in `k6/scenario.ts`, and the rows of all steps (`rowsPath`). */
export function ordersOf(request: LoadRequest, rowsPath: string) {
  const { targets, endpoint, materials, load, detailed, sliceMs, guard, renewMs, seed, generator } = request;
  const lists = materials?.map((each) => each?.rows ?? []);
  const headers = materials?.map((each) => each?.headers ?? {});
  const captures = materials?.some((each) => each?.captures !== undefined)
    ? materials.map((each) => each?.captures ?? [])
    : undefined;
  const rows = lists?.flat();
  const answeredBy = materials?.[0]?.answeredBy;
  const common = {
    endpoint,
    headers,
    captures,
    answeredBy,
    load,
    detailed,
    sliceMs,
    guard,
    renewMs,
    growth,
    seed,
  };
  const counts = lists === undefined ? {} : { rowsPath, rowCounts: lists.map(({ length }) => length) };
  if (generator === undefined) return { script: { ...common, targets, ...counts }, rows };
  const { cell, run, plan, startMs } = generator;
  // Without headers of a login, which each generator may have of its own.
  const urls = targets.map(({ arm, baseUrl }) => [arm, baseUrl]);
  const mark = fingerprint(JSON.stringify([common, urls, rows]));
  const orders = { mark: lineMark, cell, run, plan, startMs, script: mark, version: packageJson.version };
  return { script: { ...common, targets, ...counts, generator: orders }, rows };
}

const rowsName = "rows.json";

/** Our script and its orders as files that lie side by side; k6 reads those that the script names from its folder. */
export async function loadFiles(request: LoadRequest, scriptFolder: string): Promise<LoadFiles> {
  const { script, rows } = ordersOf(request, `./${rowsName}`);
  const names = (await readdir(scriptFolder)).filter((name) => name.endsWith(".ts")).toSorted();
  const texts = names.map((name) => [name, textOfOwnFile(join(scriptFolder, name))] as const);
  return {
    ...Object.fromEntries(texts),
    [inputName]: JSON.stringify(script),
    ...(rows !== undefined && { [rowsName]: JSON.stringify(rows) }),
  };
}
