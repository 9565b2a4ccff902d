import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readOpenApi, tryImport } from "../../../src/adapters/python/imported-app.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openapi-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const python = { interpreter: "python3", binFolder: "", version: "", packages: {} };

/** An app whose document is made by these lines; the file that it goes to is `path`. */
async function read(module: string, lines: string) {
  return await readModule(
    module,
    `import os, sys\npath = sys.argv[2]\nclass app:\n    def openapi():\n        ${lines}\n`,
  );
}

async function readModule(module: string, source: string) {
  await writeFile(join(folder, `${module}.py`), source);
  const app = {
    folder,
    importString: `${module}:app`,
    variables: {},
    python: "python3",
    install: "none",
  } as const;
  return readOpenApi(python, app, {}, { signal: AbortSignal.timeout(20_000), workFolder: folder });
}

test.for<readonly [name: string, lines: string, expected: unknown]>([
  ["plain", 'return {"paths": {}}', { document: { paths: {} } }],
  ["link", 'os.symlink("/dev/zero", path); os._exit(0)', { problem: expect.any(String) }],
  ["pipe", "os.mkfifo(path); os._exit(0)", { problem: "it is not a plain file" }],
  ["gone", "os._exit(0)", { problem: "it was not written" }],
  ["large", 'return "x" * 11_000_000', { problem: expect.stringContaining("at most 10000000 are allowed") }],
  ["broken", 'open(path, "w").write("{"); os._exit(0)', { problem: expect.stringContaining("JSON") }],
])("T36: an app's document: %s", async ([name, lines, expected]) => {
  expect(await read(name, lines)).toEqual(expected);
});

test.for<readonly [name: string, source: string, expected: object]>([
  [
    "bare",
    "app = 1",
    { problem: "bare:app has no OpenAPI document of its own", detail: { kind: "no document" } },
  ],
  [
    "leaves",
    'import sys\nprint("read the notes")\nprint("and set NOTES")\nsys.exit(66)',
    { problem: "SystemExit: 66 (read the notes and set NOTES)" },
  ],
  ["silent", "raise SystemExit(66)", { problem: "SystemExit: 66" }],
])("why an app has no document: %s", async ([module, source, expected]) => {
  expect(await readModule(module, source)).toEqual(expected);
});

test("WebSockets stand beside the paths, those of mounted apps and behind a middleware, too", async () => {
  const source = `
class WebSocketRoute:
    def __init__(self, path):
        self.path, self.endpoint = path, None
class Route(WebSocketRoute):
    pass
Route.__name__ = "APIRoute"
class Mount:
    def __init__(self, path, app):
        self.path, self.app = path, app
class Inner:
    routes = [WebSocketRoute("/feed")]
class App:
    routes = [WebSocketRoute("/chat/{room}"), Route("/plain"), Mount("/in/", Inner)]
    def openapi():
        return {"paths": {}}
class Middleware:
    app = App
    def __call__(self):
        pass
app = Middleware
`;
  await writeFile(join(folder, "sockets.py"), source);
  const app = {
    folder,
    importString: "sockets:app",
    variables: {},
    python: "python3",
    install: "none",
  } as const;
  expect(
    await readOpenApi(python, app, {}, { signal: AbortSignal.timeout(20_000), workFolder: folder }),
  ).toEqual({
    document: { paths: {}, "x-websockets": ["/chat/{room}", "/in/feed"] },
  });
});

test.for<readonly [name: string, source: string, replaced: readonly string[]]>([
  ["none", "class app:\n    dependency_overrides = {}\n", []],
  ["own", "def user(): ...\nclass app:\n    dependency_overrides = {user: 1, 'no function': 2}\n", ["user"]],
  [
    "strange",
    "class App:\n    def __getattr__(self, name): raise RuntimeError(name)\n    def __call__(self): ...\napp = App()\n",
    [],
  ],
  ["list", "class app:\n    dependency_overrides = [1]\n", []],
  ["late", "raise ConnectionError('no database')\n", []],
  ["odd", "import os, sys\nopen(sys.argv[2], 'w').write('[\"a b\", 1, \"c\"]')\nos._exit(0)\n", ["c"]],
  ["junk", "import os, sys\nopen(sys.argv[2], 'w').write('[')\nos._exit(0)\n", []],
])("the dependencies that an app replaces are named: %s", async ([name, source, replaced]) => {
  const module = `replacing_${name}`;
  await writeFile(join(folder, `${module}.py`), source);
  const app = {
    ...{ folder, importString: `${module}:app`, variables: {} },
    ...({ python: "python3", install: "none" } as const),
  };
  const options = { signal: AbortSignal.timeout(20_000), workFolder: folder };
  expect(await tryImport(python, app, {}, options)).toEqual({ replaced });
});
