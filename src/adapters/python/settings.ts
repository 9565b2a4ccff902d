import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import type { ReadVariable } from "../../init/project.ts";
import type { SourceFile } from "../../repository/apps.ts";
import { startDeadline } from "../process/index.ts";
import { askPython } from "./interpreter-facts.ts";

const schema = z.array(
  z.object({
    name: z.string(),
    path: z.string(),
    isNeeded: z.boolean(),
    type: z.string().nullable(),
    value: z.string().nullable(),
    field: z.string().nullable(),
  }),
);

const withinSeconds = 30;

/** Variables that Python code reads, needed if any reader needs them. None without a Python for parsing. */
export async function readVariables(
  files: readonly SourceFile[],
  signal: AbortSignal,
): Promise<readonly ReadVariable[]> {
  const folder = await mkdtemp(join(tmpdir(), "loadtest-settings-"));
  const path = join(folder, "sources.json");
  using deadline = startDeadline({ ms: withinSeconds * 1_000, signal });
  try {
    await writeFile(path, JSON.stringify(files.filter((file) => file.path.endsWith(".py"))));
    const answer = await askPython("python3", "read_variables", [path], deadline.signal);
    return merged(
      schema.parse(JSON.parse(answer)).map(({ type, value, field, ...each }) => ({
        ...each,
        type: type ?? undefined,
        value: value ?? undefined,
        isField: field !== null,
      })),
    );
  } catch (error) {
    if (!deadline.isOver && !(error instanceof EnvironmentError)) throw error;
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function merged(all: readonly ReadVariable[]): readonly ReadVariable[] {
  const found = new Map<string, ReadVariable>();
  for (const each of all) {
    const before = found.get(each.name);
    if (before === undefined) found.set(each.name, each);
    else
      found.set(each.name, {
        ...(each.isNeeded && !before.isNeeded ? each : before),
        type: before.type ?? each.type,
        value: before.value ?? each.value,
        isField: before.isField || each.isField,
      });
  }
  return [...found.values()];
}
