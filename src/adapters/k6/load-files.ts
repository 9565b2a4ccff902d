import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { inputName, type LoadFiles } from "../../model/scale/k6-operator.ts";
import type { LoadRequest } from "../../ports/load.ts";
import { ordersOf } from "./orders.ts";

const rowsName = "rows.json";

/** Our script and its orders as files that lie side by side; k6 reads those that the script names from beside it. */
export async function loadFiles(request: LoadRequest, scriptFolder: string): Promise<LoadFiles> {
  const { script, rows } = ordersOf(request, `./${rowsName}`);
  const names = (await readdir(scriptFolder)).filter((name) => name.endsWith(".ts")).toSorted();
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(scriptFolder, name), "utf8")] as const),
  );
  return {
    ...Object.fromEntries(texts),
    [inputName]: JSON.stringify(script),
    ...(rows !== undefined && { [rowsName]: JSON.stringify(rows) }),
  };
}
