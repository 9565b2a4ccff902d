/** A field with its end: quoted, with doubled quotes inside, or plain. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;

/** Why a CSV file gives no values, for the sentence that names the file. */
type CsvProblem = { readonly problem: string };

/** The values of a column of a CSV file (RFC 4180) whose first line names the columns. Empty lines are skipped. */
export function csvColumn(text: string, column: string): readonly string[] | CsvProblem {
  const lines = linesOf(text.replace(/^\uFEFF/, ""));
  if (lines === undefined) return { problem: "has an unclosed quote" };
  const [header, ...rows] = lines;
  if (header === undefined) return { problem: "is empty; its first line must name the columns" };
  const index = header.indexOf(column);
  if (index < 0) return { problem: `has no column ${column}, only ${header.join(", ").slice(0, 200)}` };
  if (rows.length === 0) return { problem: "has no rows after its header" };
  const values = rows.map((row) => row[index] ?? "");
  const missing = values.indexOf("");
  return missing < 0 ? values : { problem: `has nothing in column ${column} of row ${missing + 1}` };
}

/** Each row as a mapping by the columns' names. */
export function csvRows(text: string): readonly Readonly<Record<string, string>>[] | CsvProblem {
  const lines = linesOf(text.replace(/^\uFEFF/, ""));
  if (lines === undefined) return { problem: "has an unclosed quote" };
  const [header, ...rows] = lines;
  if (header === undefined) return { problem: "is empty; its first line must name the columns" };
  if (rows.length === 0) return { problem: "has no rows after its header" };
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""])));
}

function linesOf(text: string): string[][] | undefined {
  const lines: string[][] = [];
  let line: string[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = "", end] = match;
    line.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === ",") {
      if (field.lastIndex === text.length)
        line.push(""); // the file ends with a comma
      else continue;
    }
    if (line.some((each) => each !== "")) lines.push(line);
    line = [];
  }
  return lines;
}

/** One user: values by the names of their columns. */
export type ListedUser = Readonly<Record<string, string>>;

/** Users as a program prints them: a JSON list of objects, or CSV (RFC 4180) whose first line names the columns. */
export function usersIn(text: string): readonly ListedUser[] | CsvProblem {
  const listed = text.replace(/^\uFEFF/, "").trim();
  if (listed === "") return { problem: "is empty" };
  if (!/^[[{]/.test(listed)) return csvRows(listed);
  try {
    const rows: unknown = JSON.parse(listed);
    if (!Array.isArray(rows)) return { problem: "is JSON, but not a list" };
    return rows.length === 0 ? { problem: "is an empty list" } : rows.map(userOf);
  } catch {
    return { problem: "starts like JSON, but is not valid JSON" };
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
