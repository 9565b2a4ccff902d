import { type CsvProblem, csvRows } from "./csv.ts";

/** One user: values by the names of their columns. */
export type ListedUser = Readonly<Record<string, string>>;

/** Users as a program prints them: a JSON list of objects, or CSV (RFC 4180) whose first line names the columns. */
export function usersIn(text: string): readonly ListedUser[] | CsvProblem {
  const listed = text.replace(/^\uFEFF/, "").trim();
  if (listed === "") return { problem: "is empty" };
  if (!/^[[{]/.test(listed)) return csvRows(listed);
  try {
    const rows: unknown = JSON.parse(listed);
    if (!Array.isArray(rows)) return { problem: "is JSON, but no list" };
    return rows.length === 0 ? { problem: "is an empty list" } : rows.map(userOf);
  } catch {
    return { problem: "begins like JSON, but is none" };
  }
}

/** Values as texts; of one that has none, such as `null` or a list, the text is empty. */
export function userOf(row: unknown): ListedUser {
  const texts = Object.entries(Object(row)).map(([name, value]) => [name, textOf(value)]);
  return Object.fromEntries(texts);
}

function textOf(value: unknown): string {
  return typeof value === "object" || value === undefined ? "" : String(value);
}
