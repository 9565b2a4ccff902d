import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { watchFiles } from "../../../src/adapters/files/index.ts";

describe("watched files", () => {
  const folder = mkdtempSync(join(tmpdir(), "watched-"));
  const path = join(folder, "loadtest.yml");

  test.for<readonly [what: string, change: () => void]>([
    ["one comes", () => writeFileSync(path, "app: a:b\n")],
    ["one changes", () => writeFileSync(path, "app: longer:b\n")],
    ["one goes", () => rmSync(path)],
  ])("end the wait when %s", async ([, change]) => {
    const changed = watchFiles([path], new AbortController().signal);
    change();
    expect(await changed).toBe(true);
  });

  test("end it when the run is cancelled", async () => {
    const cancelled = new AbortController();
    const changed = watchFiles([path], cancelled.signal);
    cancelled.abort();
    expect(await changed).toBe(false);
  });
});
