import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import type { QueriedTable } from "../../ports/database.ts";
import { lastLines } from "../../text/length.ts";
import { makeWorkFolder, readTail, runProcess } from "../process/index.ts";

// Nothing is written: a file that is missing is not made, and one that a server has open stays as it is.
const script = `
import json, sqlite3, sys
answer, path, query, most = sys.argv[1:]
connection = sqlite3.connect("file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23") + "?mode=ro", uri=True)
cursor = connection.execute(query)
plain = lambda value: value if isinstance(value, (int, float, str, type(None))) else str(value)
columns = [name for name, *_ in cursor.description or []]
rows = [[plain(value) for value in row] for row in cursor.fetchmany(int(most))]
with open(answer, "w", encoding="utf-8") as file:
    json.dump({"columns": columns, "rows": rows}, file)
`;

const answerSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

/** The result of a query. Throws an `EnvironmentError` in SQLite's words. */
export async function tableOf(
  path: string,
  query: string,
  mostRows: number,
  signal: AbortSignal,
): Promise<QueriedTable> {
  const folder = await makeWorkFolder();
  const [answer, logPath] = [join(folder, "answer.json"), join(folder, "log")];
  try {
    const argv = ["python3", "-c", script, answer, path, query, String(mostRows)] as const;
    const { code } = await runProcess({ argv, folder, logPath }, signal);
    if (code === 0) return answerSchema.parse(JSON.parse(await readFile(answer, "utf8")));
    throw new EnvironmentError("seed", lastLines((await readTail(logPath)).trim(), 300));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
