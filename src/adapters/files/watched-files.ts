import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 200;

/** Resolves to true once a file of these absolute paths has changed; to false when the signal aborts. */
export async function watchFiles(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
  const before = stateOf(paths);
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && stateOf(paths) !== before) return true;
  }
  return false;
}

function stateOf(paths: readonly string[]): string {
  return paths
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.mtimeMs} ${stats?.size} ${stats?.ino}`)
    .join("\n");
}
