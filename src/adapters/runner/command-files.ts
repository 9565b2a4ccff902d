import { rmSync, writeFileSync } from "node:fs";
import { readPlainFile } from "../process/index.ts";

/**
 * What is written there becomes a variable, or the first folder of PATH, of every later step, or appears above the report
 * as if it were one. We write to the summary alone, once the app has ended.
 */
export type CommandFile = "GITHUB_ENV" | "GITHUB_PATH" | "GITHUB_STEP_SUMMARY";
const largestBytes = 1_100_000;

/** Remembers files that the runner reads after the step. The function takes back what was written to them. */
export function guardCommandFiles(
  names: readonly CommandFile[],
  variables: Readonly<Record<string, string | undefined>>,
  warn: (text: string) => void,
): () => void {
  const guarded = names.flatMap((name) => {
    const path = variables[name];
    const before = path ? readPlainFile(path, { largestBytes }) : undefined;
    return path && before?.kind === "text" ? [{ name, path, text: before.text }] : [];
  });
  return () => {
    const written = guarded.flatMap(({ name, path, text }) => {
      const now = readPlainFile(path, { largestBytes, followsLinks: false });
      if (now.kind === "text" && now.text === text) return [];
      rmSync(path, { recursive: true, force: true }); // a link in its place would lead our writing elsewhere
      writeFileSync(path, text, { flag: "wx" });
      return [name];
    });
    if (written.length > 0)
      warn(
        `the measured app wrote to ${written.join(" and ")}, which the runner reads; the change was undone`,
      );
  };
}
