import { readdirSync } from "node:fs";
import { join } from "node:path";

import { root, textOf } from "./files.ts";

/** docs/internals/architecture.md. Each row of its tables begins with one folder or two and ends with their allowed imports. */
export const page = textOf("docs/internals/architecture.md");

export const rows = [...page.matchAll(/^\|`([\w-]+)\/`(?:, `([\w-]+)\/`)?\|.*\|(.*?)\|$/gm)].map(
  ([, name = "", second, mayImport = ""]) => ({
    names: second === undefined ? [name] : [name, second],
    mayImport,
  }),
);

export function folders(path: string): readonly string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Rooms of `src/` in the order of the document. */
export const order = rows
  .flatMap(({ names: [name = ""] }) => name)
  .filter((name) => folders("src").includes(name));

/** A room's allowed imports by its row: `a/` to `b/`, single rooms, or all above. */
export function importable(room: string): readonly string[] {
  const { mayImport = "" } = rows.find(({ names }) => names.includes(room)) ?? {};
  if (mayImport.startsWith("everything")) return order.filter((name) => name !== room);
  if (mayImport.startsWith("all above")) return order.slice(0, order.indexOf(room));
  const [, first = "", last = "", others = mayImport] =
    /^`([\w-]+)\/` to `([\w-]+)\/`(.*)/.exec(mayImport) ?? [];
  const between = first === "" ? [] : order.slice(order.indexOf(first), order.indexOf(last) + 1);
  return [...between, ...[...others.matchAll(/`([\w-]+)\/`/g)].map(([, name = ""]) => name)];
}
