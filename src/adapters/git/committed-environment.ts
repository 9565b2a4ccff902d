import { join } from "node:path";

import type { SourceFile } from "../../repository/apps.ts";
import { textOfPlainFile } from "../process/index.ts";
import { type GitOptions, gitIn } from "./command.ts";

const names = [".env", ".env.local", ".env.dev", ".env.development", ".env.docker"];
const limits = { largestBytes: 100_000, followsLinks: false };

/**
 * Files of variables that are in the repository itself, with paths from the folder. One that git ignores, or does not
 * know yet, may hold secrets: it is not read, and neither is what a link in the repository points at.
 */
export async function committedEnvironment(
  folder: string,
  options: GitOptions,
): Promise<readonly SourceFile[]> {
  const wanted = names.map((name) => `:(glob)**/${name}`);
  const { outcome, text } = await gitIn(folder, options)(["ls-files", "-z", "--", ...wanted]);
  if (outcome !== "ok") return [];
  return text.split("\0").flatMap((path) => {
    const found = path === "" ? undefined : textOfPlainFile(join(folder, path), limits);
    return found === undefined ? [] : [{ path, text: found }];
  });
}
