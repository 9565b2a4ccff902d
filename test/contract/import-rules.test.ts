import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";

import { root, textOf } from "./files.ts";
import { importable, order } from "./rooms.ts";

const importOf = (source: string) => `import { x } from "${source}";\nx();\n`;
const imports = "lint/style/noRestrictedImports";
/** Of our own rules, in scripts/lint-rules/. */
const rooms = "plugin";
const globals = "lint/style/noRestrictedGlobals";

/** Each room with each other one, by whether its row in docs/internals/architecture.md lets it import that. */
const pairs = order
  .flatMap((room) => order.map((other) => ({ room, other, isFine: importable(room).includes(other) })))
  .filter(({ room, other }) => room !== other);
const pathIn = (room: string, other: string) =>
  room === "adapters" ? `src/adapters/git/to-${other}.ts` : `src/${room}/to-${other}.ts`;
const sourceOf = (room: string, other: string) =>
  `${room === "adapters" ? "../../" : "../"}${other}/${other === "adapters" ? "git/index.ts" : "a.ts"}`;

/** What the table of rooms forbids: file, its text, the rule that must fire. */
const offences: readonly (readonly [path: string, text: string, rule: string])[] = [
  ...pairs
    .filter(({ isFine }) => !isFine)
    .map(({ room, other }) => [pathIn(room, other), importOf(sourceOf(room, other)), rooms] as const),
  ["src/model/deep/b.ts", importOf("../../compare/c.ts"), rooms],
  ["src/model/deep/c.ts", 'export const x = await import("../../compare/c.ts");\n', rooms],
  ["src/model/deep/d.ts", 'import "../../compare/c.ts";\n', rooms],
  ["src/adapters/git/reads-a.ts", 'import { open } from "node:fs/promises";\nopen("x");\n', rooms],
  ["src/adapters/git/reads-b.ts", 'import { readFileSync } from "node:fs";\nreadFileSync("x");\n', rooms],
  [
    "src/adapters/git/reads-c.ts",
    'import { copyFile } from "node:fs/promises";\ncopyFile("x", "y");\n',
    rooms,
  ],
  ["src/model/c.ts", importOf("node:fs"), imports],
  ["src/config/b.ts", importOf("@actions/core"), imports],
  ["src/report/f.ts", importOf("pg"), imports],
  ["src/report/g.ts", importOf("../../reproduce/page.ts"), imports],
  ["src/report/h.ts", 'export type { X } from "../ports/report.ts";\n', rooms],
  ["src/report/i.ts", 'export const x = await import("node:fs");\n', imports],
  ["src/report/j.ts", "export const x = process.env;\n", globals],
  ["src/report/k.ts", "export const x = Date.now();\n", globals],
  ["src/report/l.ts", 'export const x = fetch("/");\n', globals],
  ["src/report/m.ts", "export const x = performance.now();\n", globals],
  ["src/report/n.ts", "setTimeout(() => undefined, 1);\n", globals],
  ["src/report/o.ts", 'export const x = Buffer.from("");\n', globals],
  ["src/report/render/a.ts", importOf("../../compare/judgement.ts"), imports],
  ["src/report/render/html/b.ts", importOf("../../facts/reasons.ts"), imports],
  ["src/report/render/html/c.ts", importOf("../../../model/plan/cell.ts"), imports],
  ["src/report/render/html/d.ts", importOf("node:fs"), imports],
  ["src/measure/a.ts", importOf("node:fs"), imports],
  ["src/measure/pair/a.ts", importOf("node:fs"), imports],
  ["src/measure/b.ts", importOf("./pair/rounds.ts"), rooms],
  ["src/measure/pair/b.ts", importOf("../preparation/log-in.ts"), rooms],
  ["src/measure/pair/c.ts", 'export const x = await import("../causes/diagnose.ts");\n', rooms],
  ["src/commands/b.ts", importOf("../measure/preparation/prepared.ts"), rooms],
  ["test/commands/a.ts", importOf("../../src/measure/pair/rounds.ts"), rooms],
  ["bench/b.ts", importOf("../src/measure/pair/rounds.ts"), imports],
  ["src/commands/a.ts", importOf("node:fs"), imports],
  ["src/commands/d.ts", importOf("@actions/core"), imports],
  ["src/adapters/git/a.ts", importOf("../postgres/index.ts"), imports],
  ["src/adapters/git/e.ts", importOf("../process/child-process.ts"), imports],
  ["src/adapters/git/d.ts", 'export { x } from "../postgres/template.ts";\n', imports],
  ["src/wiring/a.ts", importOf("../adapters/git/command.ts"), imports],
  ["src/wiring/b.ts", 'export const x = await import("../adapters/forge/client.ts");\n', imports],
  ["src/wiring/c.ts", importOf("../../reproduce/wiring.ts"), imports],
  ["src/main.ts", importOf("../reproduce/commands/reproduce.ts"), imports],
  ["test/measure/a.ts", importOf("../../src/adapters/k6/load-generator.ts"), imports],
  ["bench/a.ts", importOf("../src/adapters/k6/load-generator.ts"), imports],
  ["bench/verdict/a.ts", importOf("../../src/compare/compare.ts"), imports],
  ["reproduce/a.ts", importOf("../src/wiring/measure.ts"), imports],
  ["reproduce/test/a.ts", importOf("../../src/cli.ts"), imports],
  ["src/adapters/git/c.ts", "export const x = AbortSignal.timeout(1);\n", "plugin"],
  ["src/measure/d.ts", "export const x = (y: AbortSignal) => AbortSignal.any([y]);\n", "plugin"],
  ["test/a.ts", importOf("../src/cli.ts"), imports],
  ["test/p.ts", 'console.log("x");\n', "lint/suspicious/noConsole"],
  ["src/report/q.ts", "export const x = (y: any) => y;\n", "lint/suspicious/noExplicitAny"],
  ["src/report/r.ts", "export const x = (y?: string) => y!;\n", "lint/style/noNonNullAssertion"],
  ["src/report/s.ts", 'import { X } from "./x.ts";\nexport type Y = X;\n', "lint/style/useImportType"],
  ["src/adapters/git/p.ts", 'export const x = await readFile("/a", "utf8");\n', rooms],
  ["src/wiring/p.ts", 'export const x = createReadStream("/a");\n', rooms],
  ["src/adapters/git/q.ts", 'export const x = openSync("/a", "r");\n', rooms],
  ["src/endpoints/p.ts", "export const x = (y: string) => new RegExp(y);\n", rooms],
  [
    "src/report/one.ts",
    'import type { Two } from "./two.ts";\nexport type One = Two;\n',
    "lint/suspicious/noImportCycles",
  ],
  [
    "src/report/two.ts",
    'import type { One } from "./one.ts";\nexport type Two = One;\n',
    "lint/suspicious/noImportCycles",
  ],
];

/** What it allows. */
const fine: readonly (readonly [path: string, text: string])[] = [
  ...pairs
    .filter(({ isFine }) => isFine)
    .map(({ room, other }) => [pathIn(room, other), importOf(sourceOf(room, other))] as const),
  ["src/model/z.ts", importOf("zod")],
  ["src/model/findings/z.ts", importOf("../plan/cell.ts")],
  ["src/compare/z.ts", importOf("../model/plan/cell.ts")],
  [
    "src/report/render/html/z.ts",
    importOf("./inline.ts") + importOf("../../document/table.ts").replaceAll("x", "y"),
  ],
  ["src/report/render/html/y.ts", importOf("../../../text/length.ts")],
  ["src/report/render/z.ts", importOf("../figures/figures-schema.ts")],
  ["src/history/z.ts", importOf("../report/report.ts")],
  ["src/config/z.ts", importOf("../model/plan/cell.ts") + importOf("../text/length.ts").replaceAll("x", "y")],
  [
    "src/commands/z.ts",
    importOf("../model/plan/cell.ts") + importOf("../ports/plan.ts").replaceAll("x", "y"),
  ],
  ["src/measure/z.ts", importOf("./pair/index.ts") + importOf("../diagnosis/links.ts").replaceAll("x", "y")],
  ["src/measure/pair/z.ts", importOf("../causes/index.ts") + importOf("./rounds.ts").replaceAll("x", "y")],
  ["src/commands/y.ts", importOf("../measure/preparation/index.ts")],
  ["test/measure/pair/z.ts", importOf("../../../src/measure/pair/rounds.ts")],
  ["src/adapters/git/z.ts", importOf("../process/index.ts") + importOf("node:fs").replaceAll("x", "y")],
  [
    "src/adapters/git/y.ts",
    importOf("./command.ts") + importOf("../../ports/repository.ts").replaceAll("x", "y"),
  ],
  ["src/adapters/git/x.ts", importOf("../../history/lines.ts")],
  ["src/main.ts", importOf("./wiring/wiring.ts")],
  ["src/wiring/wiring.ts", importOf("../adapters/k6/index.ts")],
  ["src/wiring/z.ts", 'export const x = await import("../adapters/forge/index.ts");\n'],
  ["bench/verdict/z.ts", importOf("../../src/engine.ts")],
  ["test/adapters/k6/z.ts", importOf("../../../src/adapters/k6/load-generator.ts")],
  ["src/adapters/process/plain-file.ts", 'export const x = openSync("/a", 0);\n'],
  ["src/adapters/git/v.ts", "export const x = textOfPlainFile(path, limits);\n"],
  ["src/endpoints/pattern-text.ts", "export const x = (y: string) => new RegExp(y);\n"],
  ["reproduce/z.ts", importOf("../src/engine.ts")],
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
    await cp(join(root, "scripts/lint-rules"), join(folder, "scripts/lint-rules"), { recursive: true });
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

test("the linter finds every import and global that the table of rooms forbids", async () => {
  expect(new Set(offences.map(([path]) => path)).size).toBe(offences.length); // none takes another's place
  expect(await lint(offences)).toEqual(Object.fromEntries(offences.map(([path, , rule]) => [path, [rule]])));
});

test("the linter allows what the table of rooms allows", async () => {
  expect(await lint(fine)).toEqual({});
});

test("a subject's tests look inside of no other subject", () => {
  const inside = /from "(?:\.\.\/)+src\/adapters\/([\w-]+)\/(?!index\.ts")[^"]+"/g;
  const files = readdirSync(join(root, "test/adapters")).flatMap((own) =>
    readdirSync(join(root, "test/adapters", own), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => ({ own, name })),
  );
  const looks = files.flatMap(({ own, name }) =>
    [...textOf(`test/adapters/${own}/${name}`).matchAll(inside)].map(([, subject]) => [own, name, subject]),
  );
  expect(looks.length).toBeGreaterThan(30);
  expect(looks.filter(([own, , subject]) => subject !== own)).toEqual([]);
});
