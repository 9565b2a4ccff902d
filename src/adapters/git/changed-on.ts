import { type GitOptions, gitIn, lastLine } from "./command.ts";

/** The day of the last commit that changed one of the files, e.g. `2024-01-26`; `undefined` when there is none. */
export async function changedOn(
  folder: string,
  paths: readonly string[],
  options: GitOptions,
): Promise<string | undefined> {
  const literal = paths.map((path) => `:(literal)${path}`);
  const answer = await gitIn(folder, options)(["log", "-1", "--format=%cs", "--", ...literal]);
  const line = lastLine(answer);
  return answer.outcome === "ok" && /^\d{4}-\d{2}-\d{2}$/.test(line) ? line : undefined;
}
