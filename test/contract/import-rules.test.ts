import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";

import { root } from "./files.ts";

const importOf = (source: string) => `import { x } from "${source}";\nx();\n`;
const imports = "lint/style/noRestrictedImports";
const globals = "lint/style/noRestrictedGlobals";

/** What the table of folders forbids: file, its text, the rule that must fire. */
const offences: readonly (readonly [path: string, text: string, rule: string])[] = [
  ["src/core/a.ts", importOf("node:fs"), imports],
  ["src/core/b.ts", importOf("@actions/core"), imports],
  ["src/core/c.ts", importOf("../adapters/k6.ts"), imports],
  ["src/core/d.ts", importOf("../commands/plan.ts"), imports],
  ["src/core/e.ts", importOf("../ports.ts"), imports],
  ["src/core/f.ts", importOf("pg"), imports],
  ["src/core/deep/g.ts", importOf("../../adapters/k6.ts"), imports],
  ["src/core/h.ts", 'export type { X } from "../ports.ts";\n', imports],
  ["src/core/i.ts", 'export const x = await import("node:fs");\n', imports],
  ["src/core/j.ts", "export const x = process.env;\n", globals],
  ["src/core/k.ts", "export const x = Date.now();\n", globals],
  ["src/core/l.ts", 'export const x = fetch("/");\n', globals],
  ["src/core/m.ts", "export const x = performance.now();\n", globals],
  ["src/core/n.ts", "setTimeout(() => undefined, 1);\n", globals],
  ["src/core/o.ts", 'export const x = Buffer.from("");\n', globals],
  ["src/commands/a.ts", importOf("node:fs"), imports],
  ["src/commands/b.ts", importOf("../adapters/k6.ts"), imports],
  ["src/commands/c.ts", importOf("../wiring.ts"), imports],
  ["src/commands/d.ts", importOf("@octokit/core"), imports],
  ["src/ports.ts", importOf("./adapters/k6.ts"), imports],
  ["src/adapters/a.ts", importOf("./postgres.ts"), imports],
  ["src/adapters/b.ts", importOf("../commands/plan.ts"), imports],
  ["src/adapters/c.ts", importOf("../cli.ts"), imports],
  ["src/adapters/postgres-a.ts", importOf("./k6.ts"), imports],
  ["src/adapters/git-a.ts", importOf("./k6.ts"), imports],
  ["src/adapters/git-b.ts", importOf("./github.ts"), imports],
  ["test/a.ts", importOf("../src/cli.ts"), imports],
  ["test/p.ts", 'console.log("x");\n', "lint/suspicious/noConsole"],
  ["src/core/q.ts", "export const x = (y: any) => y;\n", "lint/suspicious/noExplicitAny"],
  ["src/core/r.ts", "export const x = (y?: string) => y!;\n", "lint/style/noNonNullAssertion"],
  ["src/core/s.ts", 'import { X } from "./x.ts";\nexport type Y = X;\n', "lint/style/useImportType"],
];

/** What it allows. */
const fine: readonly (readonly [path: string, text: string])[] = [
  ["src/core/z.ts", importOf("zod")],
  ["src/core/deep/z.ts", importOf("../cell.ts")],
  ["src/commands/z.ts", importOf("../core/cell.ts") + importOf("../ports.ts").replaceAll("x", "y")],
  ["src/adapters/z.ts", importOf("./process.ts") + importOf("node:fs").replaceAll("x", "y")],
  ["src/adapters/postgres-z.ts", importOf("./postgres-binaries.ts")],
  ["src/adapters/git-z.ts", importOf("./git-command.ts") + importOf("./git.ts").replaceAll("x", "y")],
  ["src/adapters/server/app-server.ts", importOf("./server-log.ts")],
  ["src/cli.ts", importOf("./wiring.ts")],
  ["src/wiring.ts", importOf("./adapters/k6.ts")],
  ["scripts/z.ts", 'console.log("x");\n'],
];

const reportSchema = z.object({
  diagnostics: z.array(
    z.object({ severity: z.string(), category: z.string(), location: z.object({ path: z.string() }) }),
  ),
});

/** Lints a tree of these files with our configuration; the rule that fired in each. */
async function lint(
  files: readonly (readonly [string, string, ...unknown[]])[],
): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), "import-rules-"));
  try {
    for (const name of ["biome.json", ".gitignore"]) await copyFile(join(root, name), join(folder, name));
    for (const [path, text] of files) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const argv = ["lint", "--reporter=json", "--max-diagnostics=none"];
    const biome = join(root, "node_modules/.bin/biome");
    const { stdout } = await promisify(execFile)(biome, argv, { cwd: folder }).catch((error: unknown) => {
      return z.object({ stdout: z.string() }).parse(error); // it fails when it finds something, as it should
    });
    const found: Record<string, string[]> = {};
    for (const { severity, category, location } of reportSchema.parse(JSON.parse(stdout)).diagnostics) {
      if (severity === "error") found[location.path] = [...(found[location.path] ?? []), category];
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("the linter finds every import and global that the table of folders forbids", async () => {
  expect(await lint(offences)).toEqual(Object.fromEntries(offences.map(([path, , rule]) => [path, [rule]])));
});

test("the linter allows what the table of folders allows", async () => {
  expect(await lint(fine)).toEqual({});
});
