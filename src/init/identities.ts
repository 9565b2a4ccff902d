import { csvRows } from "../endpoints/csv.ts";
import { mostUsers } from "../model/endpoint/login.ts";
import type { Account } from "./accounts.ts";
import { nameOf, type ProjectFile } from "./source-file.ts";

/** Users of the app that a file of its repository lists, with their passwords. */
export interface Identities {
  /** A CSV file whose rows they are, below the app's folder. */
  readonly path: string;
  /** Fields of the first of them. */
  readonly first: Account["fields"];
  /** The same fields, each with its column's name in braces. */
  readonly columns: Account["fields"];
}

const isOfUsers = /user|account|member|identit|credential|login|people|person/i;
const fields: readonly (readonly [field: string, column: RegExp])[] = [
  ["email", /^e?mail(?:_?address)?$/i],
  ["username", /^(?:user_?name|user|login|name)$/i],
  ["password", /^(?:plain_?)?pass(?:word|wd|phrase)?$/i],
];

/** The first file whose rows all have a name, or an address, and a password; `undefined` without one. */
export function findIdentities(files: readonly ProjectFile[]): Identities | undefined {
  for (const { path, text } of files) {
    if (!path.endsWith(".csv") || !isOfUsers.test(nameOf(path))) continue;
    const rows = csvRows(text);
    const [row] = "problem" in rows ? [] : rows;
    if (row === undefined || "problem" in rows) continue;
    const found = fields.flatMap(([field, pattern]) => {
      const column = Object.keys(row).find((each) => pattern.test(each));
      return column === undefined ? [] : [[field, column] as const];
    });
    const names = found.map(([field]) => field);
    const isWhole = rows.slice(0, mostUsers).every((each) => found.every(([, column]) => each[column]));
    if (!isWhole || names.length < 2 || !names.includes("password")) continue;
    return {
      path,
      first: Object.fromEntries(found.map(([field, column]) => [field, row[column] ?? ""])),
      columns: Object.fromEntries(found.map(([field, column]) => [field, `{${column}}`])),
    };
  }
  return undefined;
}
