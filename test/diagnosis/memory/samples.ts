import type { Place } from "../../../src/model/findings/probe-document.ts";
import type { MemoryDocument } from "../../../src/model/findings/stack-document.ts";

export const place = (changes: Partial<Place> = {}): Place => ({
  file: "main.py",
  line: 8,
  function: "remember",
  code: "seen.append(text)",
  ...changes,
});

/** What a process keeps: so many bytes by these lines, and by nobody's else unless told. */
export function keeping(
  lines: readonly (readonly [place: Place, bytes: number])[],
  changes: Partial<MemoryDocument> = {},
): MemoryDocument {
  return {
    schemaVersion: 1,
    window: "w",
    keptBytes: lines.reduce((total, [, bytes]) => total + bytes, 0),
    lines: lines.map(([at, bytes]) => ({ place: at, bytes })),
    unseen: [],
    ...changes,
  };
}
