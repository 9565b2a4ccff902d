import { rmSync, writeFileSync } from "node:fs";
import { readPlainFile } from "../process/index.ts";

/** What is written there becomes a variable, or the first folder of PATH, of every later step. We never write there. */
const names = ["GITHUB_ENV", "GITHUB_PATH"] as const;
const largestBytes = 1_000_000;

/** Remembers the files that set later steps' variables. The function takes back what was written to them. */
export function guardCommandFiles(
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
        `the measured app wrote to ${written.join(" and ")}, which later steps read; the change was undone`,
      );
  };
}
