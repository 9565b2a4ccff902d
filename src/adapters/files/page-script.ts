import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import type { PageScript } from "../../report/render/html/page.ts";

/** Reads the page's own script, which ships beside the program. */
export async function readPageScript(path: string): Promise<Pick<PageScript, "script" | "scriptHash">> {
  const script = await readFile(path, "utf8");
  return { script, scriptHash: createHash("sha256").update(script).digest("base64") };
}
