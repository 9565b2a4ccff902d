import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { init } from "../../src/commands/init.ts";
import { EnvironmentError } from "../../src/errors/errors.ts";
import type { Initialisation } from "../../src/init/initialisation.ts";
import type { InitPorts } from "../../src/ports/init.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";

const document = {
  paths: { "/items": { get: {} }, "/items/{id}": { get: {} }, "/orders": { post: {} } },
};

async function initialised({
  present = [],
  wanted = {},
  ...overrides
}: Partial<InitPorts> & {
  readonly present?: readonly string[];
  readonly wanted?: Partial<Initialisation>;
} = {}) {
  const written = new Map<string, string>();
  const printed: string[] = [];
  const events: ProgressEvent[] = [];
  const asked: unknown[] = [];
  const ports: InitPorts = {
    progress: (event) => events.push(event),
    files: {
      resolve: (path, folder = "/repo") => `${folder}/${path}`,
      isFile: () => true,
      isFolder: () => true,
      findApps: () => [],
    },
    folder: "/repo",
    fromHere: (path) => path,
    isFile: (path) => present.includes(path),
    readRepository: () => [
      { path: "requirements.txt", text: "fastapi\npsycopg\n" },
      { path: "main.py", text: '@app.get("/named")\nurl = os.environ["DATABASE_URL"]\n' },
    ],
    findApps: () => [{ importString: "main:app", folder: ".", framework: "FastAPI" }],
    readOpenApi: async ({ workload }, variables) => {
      asked.push([workload.app.importString, variables]);
      return { document };
    },
    write: async (path, text) => void written.set(path, text),
    print: (text) => printed.push(text),
    ...overrides,
  };
  const request = await init({ apps: [], appFolders: [], overwrites: false, ...wanted }, ports);
  const warnings = events.flatMap((event) => (event.kind === "warning" ? [event.text] : []));
  return { request, written, printed, warnings, asked };
}

describe("init", () => {
  test("writes a configuration and a workflow, shows them, and returns what they mean", async () => {
    const { request, written, printed, warnings, asked } = await initialised();
    expect([...written.keys()]).toEqual([".github/loadtest.yml", ".github/workflows/loadtest.yml"]);
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toEqual({
      app: "main:app",
      "database-variable": "DATABASE_URL",
      workers: [1, 2],
      endpoints: ["/items"],
    });
    expect(written.get(".github/loadtest.yml")).toContain("#  - POST /orders # ");
    expect(asked).toEqual([["main:app", { DATABASE_URL: expect.stringContaining("postgresql://") }]]);
    expect(printed.join("\n")).toContain("wrote .github/loadtest.yml\n\n    # yaml-language-server");
    expect(printed).toHaveLength(2);
    expect(warnings).toEqual([]);
    expect(request).toMatchObject({
      verb: "plan",
      apps: [{ workload: { app: { importString: "main:app", folder: "/repo/." } } }],
    });
  });

  test.for([
    [".github/loadtest.yml", "is there already; `init --overwrite true` replaces it, or move it away"],
    [".github/loadtest.yaml", "would not be read any more; remove it, or give `--overwrite true`"],
    [
      ".github/workflows/loadtest.yml",
      "is there already; `init --overwrite true` replaces it, or move it away",
    ],
  ])("writes nothing when %s is there already", async ([path = "", problem = ""]) => {
    await expect(
      initialised({ present: [path], write: () => Promise.reject(new Error("wrote")) }),
    ).rejects.toThrow(`${path} ${problem}`);
  });

  test("replaces files only when it is told to, and says so", async () => {
    const present = [".github/loadtest.yml", ".github/loadtest.yaml"];
    const { written, printed, warnings } = await initialised({ present, wanted: { overwrites: true } });
    expect(written.size).toBe(2);
    expect(printed.map((text) => text.split("\n")[0])).toEqual([
      "replaced .github/loadtest.yml",
      "wrote .github/workflows/loadtest.yml",
    ]);
    expect(warnings).toEqual([".github/loadtest.yaml is not read any more; remove it"]);
  });

  test.for<readonly [what: string, read: InitPorts["readOpenApi"], reason: RegExp]>([
    ["has no document", async () => ({ problem: "AttributeError: openapi" }), /\(AttributeError: openapi\)/],
    [
      "cannot be installed",
      () => Promise.reject(new EnvironmentError("install", "pip ended with code 1")),
      /\(install: pip ended with code 1\)/,
    ],
  ])("of an app that %s the endpoints are those of its code", async ([, readOpenApi, reason]) => {
    const { written, warnings } = await initialised({ readOpenApi });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({ endpoints: ["/named"] });
    expect(warnings).toEqual([expect.stringMatching(reason)]);
  });

  test("writes a configuration for each of several apps, and a workflow that measures all of them", async () => {
    const found = (folder: string) => ({ importString: `${folder}:app`, folder, framework: "FastAPI" });
    const repository = {
      findApps: () => [found("shop"), found("bills")],
      readRepository: () => [
        { path: "shop/requirements.txt", text: "fastapi\npsycopg\n" },
        { path: "shop/data.sql", text: "CREATE TABLE a ()" },
        { path: "bills/requirements.txt", text: "fastapi\n" },
        { path: "bills/bills.py", text: '@app.get("/bills")\n' },
      ],
    };
    const { request, written, printed, warnings } = await initialised({
      ...repository,
      present: [".github/loadtest.yml", "shop/loadtest.yml"],
      wanted: { overwrites: true },
      readOpenApi: async ({ workload }) =>
        workload.name === "shop" ? { document } : { problem: "ImportError: no bills" },
    });
    expect([...written.keys()]).toEqual([
      "shop/loadtest.yml",
      "bills/loadtest.yml",
      ".github/workflows/loadtest.yml",
    ]);
    expect(parse(written.get("shop/loadtest.yml") ?? "")).toMatchObject({
      name: "shop",
      seed: ["data.sql"],
      endpoints: ["/items", "/items/{id}"],
    });
    expect(parse(written.get("bills/loadtest.yml") ?? "")).toMatchObject({
      name: "bills",
      endpoints: ["/bills"],
    });
    expect(parse(written.get(".github/workflows/loadtest.yml") ?? "").jobs.loadtest.steps[1].with).toEqual({
      config: "shop/loadtest.yml\nbills/loadtest.yml\n",
    });
    expect(printed.map((text) => text.split("\n")[0])).toEqual([
      "replaced shop/loadtest.yml",
      "wrote bills/loadtest.yml",
      "wrote .github/workflows/loadtest.yml",
      "measure them here: run --config shop/loadtest.yml --config bills/loadtest.yml",
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/^the app bills could not be asked for its endpoints \(ImportError: no bills\)/),
      ".github/loadtest.yml is not read any more; remove it",
    ]);
    expect(request.apps.map(({ workload, config }) => [workload.name, config, workload.app.folder])).toEqual([
      ["shop", "shop/loadtest.yml", "/repo/shop/."],
      ["bills", "bills/loadtest.yml", "/repo/bills/."],
    ]);
    const below = await initialised({ ...repository, fromHere: (path) => `../${path}` });
    expect(below.printed.at(-1)).toBe(
      "measure them here: run --config ../shop/loadtest.yml --config ../bills/loadtest.yml\n",
    );
    const present = ["bills/loadtest.yml", ".github/loadtest.yml"];
    await expect(initialised({ ...repository, present })).rejects.toMatchObject({
      problems: [
        "bills/loadtest.yml is there already; `init --overwrite true` replaces it, or move it away",
        ".github/loadtest.yml would not be read any more; remove it, or give `--overwrite true`",
      ],
    });
  });

  test("falls back to the root, and hides no fault of ours", async () => {
    const { written } = await initialised({ readOpenApi: async () => ({ document: {} }) });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({ endpoints: ["/"] });
    const fault = () => Promise.reject(new Error("ours"));
    await expect(initialised({ readOpenApi: fault })).rejects.toThrow("ours");
  });
});
