import { statfs } from "node:fs/promises";
import { diskProblem, seedDiskBytes } from "../../model/workload/seed-files.ts";
import type { Seed } from "../../model/workload/workload.ts";
import { textOfPlainFile } from "../process/index.ts";

/** A sentence when the databases of a private server will not fit into the folder, judged by the seed files. */
export async function seedDiskProblem(
  { seedFiles, scale }: Seed,
  { arms, folder }: { readonly arms: number; readonly folder: string },
): Promise<string | undefined> {
  // A file that cannot be read gets its own message in its turn.
  const texts = seedFiles.map((path) => textOfPlainFile(path, { largestBytes: 500_000_000 }) ?? "");
  const { bavail, bsize } = await statfs(folder);
  return diskProblem(seedDiskBytes(texts, scale), { arms, folder, scale, freeBytes: bavail * bsize });
}
