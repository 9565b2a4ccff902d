import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { readVariables } from "../../src/adapters/python/index.ts";
import { init } from "../../src/commands/init.ts";
import { EnvironmentError } from "../../src/errors/errors.ts";
import type { Initialisation } from "../../src/init/options.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { InitPorts } from "../../src/ports/trial.ts";
import { requestOf } from "../init/tests/recorded.ts";
import { type AppOfTrial, trialPorts } from "../trial/fake-trial.ts";

const id = { in: "path", name: "id", required: true, schema: { type: "string" } };
const document = {
  paths: { "/items": { get: {} }, "/items/{id}": { get: { parameters: [id] } }, "/orders": { post: {} } },
};
const usual: AppOfTrial = { documentFor: () => document };

async function initialised({
  present = [],
  wanted = {},
  app = usual,
  ...overrides
}: Partial<InitPorts> & {
  readonly present?: readonly string[];
  readonly wanted?: Partial<Initialisation>;
  readonly app?: AppOfTrial;
} = {}) {
  const written = new Map<string, string>();
  const printed: string[] = [];
  const events: ProgressEvent[] = [];
  const asked: unknown[] = [];
  const keptTexts: string[] = [];
  const ports: InitPorts = {
    progress: (event) => events.push(event),
    files: {
      resolve: (path, folder = "/repo") => `${folder}/${path}`,
      isFile: () => true,
      isFolder: () => true,
      findApps: () => [],
    },
    folder: "/repo",
    here: ".",
    fromHere: (path) => path,
    isFile: (path) => present.includes(path),
    textOf: (path) => (present.includes(path) ? "app: other:app # mine\nendpoints: [/mine]\n" : undefined),
    readRepository: async () => [
      { path: "requirements.txt", text: "fastapi\npsycopg\n" },
      { path: "main.py", text: '@app.get("/named")\nurl = os.environ["DATABASE_URL"]\n' },
    ],
    readScripts: () => [],
    findApps: () => [{ importString: "main:app", folder: ".", framework: "FastAPI" }],
    presetsHere: async () => new Set(),
    readVariables: (files) => readVariables(files, new AbortController().signal),
    trialPorts: async ({ workload }) => trialPorts(workload, { asked, keptTexts, events, ...app }),
    changedOn: async () => undefined,
    write: async (path, text) => void written.set(path, text),
    print: (text) => printed.push(text),
    ...overrides,
  };
  const request = await init({ apps: [], appFolders: [], overwrites: false, ...wanted }, ports);
  const warnings = events.flatMap((event) => (event.kind === "warning" ? [event.text] : []));
  const steps = events.flatMap((event) => (event.kind === "step" ? [event.text] : []));
  return { request, written, printed, warnings, steps, asked };
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
    const start = [
      expect.stringContaining("uvicorn main:app"),
      { PYTHONUNBUFFERED: "1", PGPORT: "5555", DATABASE_URL: expect.stringContaining(":5555/") },
    ];
    const read = ["main:app", { PGPORT: "1", DATABASE_URL: expect.stringContaining("127.0.0.1:1/") }];
    expect(asked).toEqual([read, start, start]);
    expect(printed.join("\n")).toContain("wrote .github/loadtest.yml\n\n    # yaml-language-server");
    expect(printed).toHaveLength(2);
    expect(warnings).toEqual([]);
    expect(request).toMatchObject({
      verb: "plan",
      apps: [{ workload: { app: { importString: "main:app", folder: "/repo/." } } }],
    });
  });

  test("writes nothing when a file that is there would not be read any more", async () => {
    const write = () => Promise.reject(new Error("wrote"));
    await expect(initialised({ present: [".github/loadtest.yaml"], write })).rejects.toThrow(
      ".github/loadtest.yaml would no longer be read; remove it, or add `--overwrite`",
    );
  });

  test("run again, it keeps what was written by hand and adds what lacks", async () => {
    const present = [".github/loadtest.yml", ".github/workflows/loadtest.yml"];
    const { written, printed } = await initialised({ present, wanted: { python: "python3.14" } });
    expect([...written.keys()]).toEqual([".github/loadtest.yml"]);
    expect(written.get(".github/loadtest.yml")).toMatch(
      /^app: other:app # mine\nendpoints: \[ ?\/mine ?\]\n/,
    );
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toEqual({
      app: "other:app",
      endpoints: ["/mine"],
      "database-variable": "DATABASE_URL",
      python: "python3.14",
      workers: [1, 2],
    });
    expect(printed.map((text) => text.split("\n")[0])).toEqual([
      "added to .github/loadtest.yml",
      "left .github/workflows/loadtest.yml unchanged",
    ]);
  });

  test.for([
    [9, undefined],
    [14, "3m"],
  ] as const)(
    "a start that takes %s s gets the time that it may need elsewhere",
    async ([startSeconds, limit]) => {
      const { written } = await initialised({ app: { ...usual, startSeconds } });
      const text = written.get(".github/loadtest.yml") ?? "";
      expect(parse(text)["ready-timeout"]).toBe(limit);
      if (limit !== undefined)
        expect(text).toContain(
          "# its start took 14 s here, and may take longer elsewhere\nready-timeout: 3m\n",
        );
    },
  );

  test("a script that is asked for takes the place of the endpoints, which are shown", async () => {
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\n" },
      { path: "requirements-dev.txt", text: "locust\n" },
      { path: "main.py", text: "" },
    ];
    const wanted = { script: "locustfile.py" };
    const { written } = await initialised({ present: [wanted.script], wanted, readRepository });
    const text = written.get(".github/loadtest.yml") ?? "";
    expect(parse(text)).toEqual({
      app: "main:app",
      install: "requirements-dev.txt",
      database: "none",
      script: "locustfile.py",
      workers: [1, 2],
    });
    expect(text).toContain("pip (requirements-dev.txt) installs the app.\n");
    expect(text).toMatch(/\n# Without `script`, .*\n# Endpoints .*\n# endpoints:\n# {2}- \/items\n# {2}- /);
    // Run again, it does not add them.
    const isFile = (path: string) => path.endsWith(".yml");
    const again = await initialised({ isFile, textOf: () => text, readRepository });
    expect(again.printed[0]).toBe("left .github/loadtest.yml unchanged\n");
  });

  test("a script is refused beside endpoints that somebody wrote", async () => {
    const wanted = { script: "load/a.js" };
    const present = [wanted.script, ".github/loadtest.yml"];
    await expect(initialised({ wanted, present })).rejects.toThrow(
      ".github/loadtest.yml has `endpoints`, which a script replaces; remove them, or replace the file with `--overwrite`",
    );
  });

  test("a script that is not there is refused, and so is one in no app's folder", async () => {
    const words = "--script: must be a file in the repository, inside an app's folder (got";
    const wanted = { script: "load/a.js" };
    await expect(initialised({ wanted })).rejects.toThrow(`${words} "load/a.js")`);
    const findApps = () =>
      ["a", "b"].map((folder) => ({ importString: "main:app", folder, framework: "FastAPI" }) as const);
    const isFile = (path: string) => path === wanted.script;
    await expect(initialised({ wanted, isFile, findApps })).rejects.toThrow(`${words} "load/a.js")`);
  });

  test("a variable that is new is added to those that are there, once", async () => {
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\nredis\n" },
      { path: "main.py", text: 'import os\nimport redis\na, b = os.environ["AA"], os.environ["BB"]\n' },
    ];
    const kept = "app: main:app\ndatabase: none\nworkers: 1\nendpoints: /items\napp-env:\n  AA: mine\n";
    const isFile = (path: string) => path.endsWith("loadtest.yml");
    const texts = (text: string) => ({ isFile, textOf: () => text, readRepository });
    const { written, warnings } = await initialised(texts(kept));
    const text = `${kept}  BB: made-up-for-the-load-test\n`;
    expect([...written]).toEqual([
      [".github/loadtest.yml", text],
      [".gitignore", expect.anything()],
    ]);
    expect(warnings).toEqual([expect.stringContaining("the app may need Redis")]);
    const again = await initialised(texts(text));
    expect(again.printed[0]).toBe("left .github/loadtest.yml unchanged\n");
  });

  test.for<readonly [what: string, failure: (mode: string) => string, kept: unknown]>([
    ["taken back when they change nothing", () => "RuntimeError: no port 4711", undefined],
    ["kept when another failure follows", (mode) => `RuntimeError: ${mode}`, { MODE: "x" }],
  ])("values of examples are %s", async ([, failure, kept]) => {
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\nalembic\npsycopg\n" },
      { path: "alembic.ini", text: "" },
      { path: ".env.example", text: "MODE=x\n" },
      { path: "main.py", text: 'import os\nmode = os.getenv("MODE", "y")\n' },
    ];
    let mode = "";
    const documentFor = (variables: Readonly<Record<string, string>>) => {
      mode = variables["MODE"] ?? "";
      return { paths: { "/": { get: {} } } };
    };
    const app: AppOfTrial = { documentFor, commandFails: () => failure(mode) };
    const { written, warnings } = await initialised({ readRepository, app });
    const text = written.get(".github/loadtest.yml") ?? "";
    expect(parse(text)["app-env"]).toEqual(kept);
    expect(text).not.toContain("migrate-command:");
    expect(warnings[0]).toContain("it is tried with MODE as .env.example has them");
  });

  test.for<readonly [what: string, app: AppOfTrial, kept: string | undefined]>([
    ["taken back when they change nothing", { documentFor: () => "TypeError: x" }, undefined],
    [
      "taken back when they cannot be installed",
      {
        documentFor: () => "TypeError: x",
        installFails: ({ excludeNewer }) => (excludeNewer === undefined ? undefined : "no such version"),
      },
      undefined,
    ],
  ])("packages of the day of the requirements are %s", async ([, app, kept]) => {
    const asked: unknown[] = [];
    const changedOn = async (...about: unknown[]) => {
      asked.push(about);
      return "2024-01-26";
    };
    const { written, warnings } = await initialised({ app, changedOn });
    expect(asked).toEqual([[".", ["requirements.txt"]]]);
    expect(parse(written.get(".github/loadtest.yml") ?? "")["exclude-newer"]).toBe(kept);
    expect(warnings[0]).toContain("it is tried with those up to 2024-01-26");
    expect(warnings[1]).toContain("endpoints could not be read (TypeError: x)");
  });

  test("an extension that this Postgres has not is the only thing that is reported", async () => {
    const app = { documentFor: () => 'Error: extension "vector" is not available' };
    const { warnings } = await initialised({ app, changedOn: async () => "2024-01-26" });
    expect(warnings).toEqual([
      expect.stringContaining("(the database needs the Postgres extension vector, "),
    ]);
  });

  test.for<readonly [what: string, oldStatus: number, kept: string | undefined]>([
    ["kept when more endpoints answer", 200, "2024-01-26"],
    ["taken back when no more answer", 500, undefined],
  ])("packages of the day of the requirements are %s", async ([, oldStatus, kept]) => {
    let day: string | undefined;
    const app: AppOfTrial = {
      installFails: ({ excludeNewer }) => {
        day = excludeNewer;
        return undefined;
      },
      documentFor: () => ({ paths: { "/": { get: {} }, "/page": { get: {} } } }),
      replyTo: ({ url }) =>
        url.endsWith("/page")
          ? { status: day === undefined ? 500 : oldStatus, body: "" }
          : { status: 200, body: "" },
      log: "TypeError: unhashable type: 'dict'",
    };
    const { written, warnings } = await initialised({ app, changedOn: async () => "2024-01-26" });
    const { "exclude-newer": taken, endpoints } = parse(written.get(".github/loadtest.yml") ?? "");
    expect(taken).toBe(kept);
    expect(endpoints).toEqual(kept === undefined ? ["/"] : ["/", "/page"]);
    expect(warnings[0]).toContain("it is tried with those up to 2024-01-26");
    expect(warnings.slice(1)).toEqual(
      kept === undefined ? ["that did not help, so it is removed again"] : [],
    );
  });

  test("packages of the day of the requirements are kept when the app starts with them", async () => {
    let day: string | undefined;
    const app: AppOfTrial = {
      installFails: ({ excludeNewer }) => {
        day = excludeNewer;
        return undefined;
      },
      documentFor: () => (day === undefined ? "TypeError: x" : { paths: { "/": { get: {} } } }),
    };
    const { written, warnings } = await initialised({ app, changedOn: async () => "2024-01-26" });
    const text = written.get(".github/loadtest.yml") ?? "";
    expect(parse(text)["exclude-newer"]).toBe("2024-01-26");
    expect(text).toContain("requirements.txt last changed on that day");
    expect(warnings).toHaveLength(1);
  });

  test("what cannot be read is not mended", async () => {
    const wrong = initialised({ present: [".github/loadtest.yml"], textOf: () => "- a" });
    await expect(wrong).rejects.toThrow(".github/loadtest.yml is not a YAML mapping; fix it, or replace it");
  });

  test.for<readonly [text: string | undefined, expected: string | undefined]>([
    ["*.pyc", "*.pyc\nloadtest-results/\n"],
    ["", "loadtest-results/\n"],
    ["a\n/loadtest-results\n", undefined],
    [undefined, undefined],
  ])("of a .gitignore with %j", async ([text, expected]) => {
    const textOf = (path: string) => (path === ".gitignore" ? text : undefined);
    const { written } = await initialised({ textOf });
    expect(written.get(".gitignore")).toBe(expected);
  });

  test("replaces files only when it is told to, and says so", async () => {
    const present = [".github/loadtest.yml", ".github/loadtest.yaml"];
    const { written, printed, warnings } = await initialised({ present, wanted: { overwrites: true } });
    expect(written.size).toBe(2);
    expect(printed.map((text) => text.split("\n")[0])).toEqual([
      "replaced .github/loadtest.yml",
      "wrote .github/workflows/loadtest.yml",
    ]);
    expect(warnings).toEqual([".github/loadtest.yaml is no longer read; remove it"]);
  });

  test.for<readonly [what: string, app: AppOfTrial, reason: RegExp]>([
    ["has no document", { documentFor: () => "AttributeError: openapi" }, /\(AttributeError: openapi\)/],
    ["cannot be installed", { installFails: "pip ended with code 1" }, /\(install: pip ended with code 1\)/],
  ])("an app that %s is asked where it is measured", async ([, app, reason]) => {
    const { written, warnings, request } = await initialised({ app });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({ endpoints: "auto" });
    expect(warnings).toEqual([expect.stringMatching(reason)]);
    expect(request).toBeUndefined();
  });

  test("of an app without a document the endpoints are those that its code names", async () => {
    const findApps = () => [{ importString: "main:app", folder: ".", framework: "Starlette" }];
    const { written, request } = await initialised({ app: { documentFor: () => "none" }, findApps });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({ endpoints: ["/named"] });
    expect(request).toBeDefined();
  });

  test("a variable that the app asks for is added, told, and the app is asked again", async () => {
    const app: AppOfTrial = {
      documentFor: ({ TOKEN }) => (TOKEN === undefined ? "KeyError: 'TOKEN'" : document),
    };
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\n" },
      { path: "main.py", text: 'import os\ndef later():\n    return os.getenv("TOKEN")\n' },
      { path: ".env.example", text: "TOKEN=abc\n" },
    ];
    const { written, warnings } = await initialised({ app, readRepository });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({
      "app-env": { TOKEN: "abc" },
      endpoints: ["/items"],
    });
    expect(warnings).toEqual(["the app requires TOKEN; `app-env` sets a value"]);
  });

  test("what helped an app that could not be asked all the same is kept", async () => {
    const app: AppOfTrial = {
      documentFor: ({ TOKEN }) => (TOKEN === undefined ? "KeyError: 'TOKEN'" : "SystemExit: 66"),
    };
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\n" },
      { path: "main.py", text: 'import os\ndef later():\n    return os.getenv("TOKEN")\n' },
    ];
    const { written } = await initialised({ app, readRepository });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({
      "app-env": { TOKEN: expect.stringContaining("made-up") },
      endpoints: "auto",
    });
  });

  test("WebSockets of an app that does not start are shown, too", async () => {
    const app = {
      documentFor: () => ({ ...document, "x-websockets": ["/chat"] }),
      startFails: "no uvicorn",
    };
    const { written } = await initialised({ app });
    expect(written.get(".github/loadtest.yml")).toContain("#  - WS /chat # was not checked\n");
  });

  test("streams are said, a load test of its own without effect; services of others have stubs", async () => {
    const { written } = await initialised({
      app: {
        ...usual,
        replyTo: () => ({ status: 200, body: "[]", headers: { "content-type": ["text/event-stream"] } }),
      },
      readRepository: async () => [
        { path: "requirements.txt", text: "fastapi\n" },
        {
          path: "main.py",
          text: 'import os\nurl = os.getenv("RATES_API_URL", "https://api.rates.example/v1")\n',
        },
      ],
      readScripts: () => [{ path: "locustfile.py", text: "from locust import HttpUser\n" }],
    });
    const text = written.get(".github/loadtest.yml") ?? "";
    expect(text).toContain(
      "# /items is a stream of events: its first byte and its data per second are measured, too.\nendpoints:\n",
    );
    expect(text).toContain(
      "\n# script: locustfile.py # for Locust, which must be installed in the app's environment\n",
    );
    expect(parse(text)["stubs"]).toEqual({
      rates: {
        "app-env": { RATES_API_URL: "{url}/v1" },
        routes: [{ path: "/v1/*", delay: "50ms", body: {} }],
      },
    });
    expect(Object.keys(parse(text))).not.toContain("script");
  });

  test("the workflow installs MariaDB for an app of MySQL", async () => {
    const { written } = await initialised({
      readRepository: async () => [{ path: "requirements.txt", text: "fastapi\npymysql\n" }],
      presetsHere: async () => new Set(["mysql"]),
    });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({ database: "mysql" });
    expect(written.get(".github/workflows/loadtest.yml")).toContain("apt-get install --yes mariadb-server\n");
  });

  test("the workflow installs the Postgres extension that a migration makes", async () => {
    const { written } = await initialised({
      readRepository: async () => [
        { path: "requirements.txt", text: "fastapi\npsycopg\n" },
        { path: "main.py", text: 'url = os.environ["DATABASE_URL"]\n' },
        { path: "moves/1.py", text: 'op.execute("CREATE EXTENSION IF NOT EXISTS vector")\n' },
      ],
    });
    const { steps } = parse(written.get(".github/workflows/loadtest.yml") ?? "").jobs.loadtest;
    expect(steps[1].run).toMatch(
      /^sudo apt-get update .* install --yes "postgresql-\$\(find .*\)-pgvector"$/,
    );
  });

  test("an app that does not start has the endpoints of its document as comments", async () => {
    const { written, warnings } = await initialised({ app: { ...usual, startFails: "no uvicorn" } });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).not.toHaveProperty("endpoints");
    expect(written.get(".github/loadtest.yml")).toContain("#  - /items/{id} # was not checked\n");
    expect(warnings).toEqual([
      expect.stringContaining("could not be started to check its endpoints (start app: no uvicorn)"),
    ]);
  });

  const guarded: AppOfTrial = {
    documentFor: () => ({
      components: { securitySchemes: { o: { flows: { password: { tokenUrl: "token" } } } } },
      paths: { "/me": { get: {} }, "/token": { post: {} } },
    }),
    replyTo: ({ url, headers, body }) => {
      if (url.endsWith("/token") && body === "username=ada&password=lovelace")
        return { status: 200, body: '{"access_token":"t"}' };
      return { status: headers["Authorization"] === "Bearer t" ? 200 : 401, body: "" };
    },
  };
  test.for<readonly [what: string, password: string, expected: object, warnings: readonly unknown[]]>([
    [
      "its first user can log in",
      "lovelace",
      { login: { path: "/token", form: { username: "ada", password: "lovelace" } }, endpoints: ["/me"] },
      [],
    ],
    [
      "its first user cannot log in",
      "other",
      {},
      [
        expect.stringContaining("the login failed"),
        expect.stringContaining("no endpoint of the app answers"),
      ],
    ],
  ])("of an app that asks for a login: %s", async ([, password, expected, told]) => {
    const settings = `class S(BaseSettings):\n    ADMIN_USER: str = "ada"\n    ADMIN_PASSWORD: str = "${password}"\n    MODE: str\n`;
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\n" },
      { path: "main.py", text: settings },
    ];
    const { written, warnings } = await initialised({ app: guarded, readRepository });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toEqual({
      app: "main:app",
      database: "none",
      workers: [1, 2],
      "app-env": expect.anything(),
      ...expected,
    });
    expect(warnings).toEqual(told);
  });

  test("writes a configuration for each of several apps, and a workflow that measures all of them", async () => {
    const withItem: AppOfTrial = {
      ...usual,
      rowsOf: (query) => (query.includes("information_schema") ? ['["public","items","id"]'] : [7]),
    };
    const found = (folder: string) => ({ importString: `${folder}:app`, folder, framework: "FastAPI" });
    const repository = {
      findApps: () => [found("shop"), found("bills")],
      readRepository: async () => [
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
      trialPorts: async ({ workload }) =>
        trialPorts(
          workload,
          workload.name === "shop" ? withItem : { documentFor: () => "ImportError: no bills" },
        ),
    });
    expect([...written.keys()]).toEqual([
      "shop/loadtest.yml",
      "bills/loadtest.yml",
      ".github/workflows/loadtest.yml",
    ]);
    expect(parse(written.get("shop/loadtest.yml") ?? "")).toMatchObject({
      name: "shop",
      seed: ["data.sql"],
      endpoints: [
        "/items",
        { path: "/items/{id}", params: { id: { sql: "SELECT id FROM items ORDER BY 1 LIMIT 1000" } } },
      ],
    });
    expect(parse(written.get("bills/loadtest.yml") ?? "")).toMatchObject({
      name: "bills",
      endpoints: "auto",
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
      expect.stringMatching(/^bills: the app's endpoints could not be read \(ImportError: no bills\)/),
      ".github/loadtest.yml is no longer read; remove it",
    ]);
    expect(request).toBeUndefined();
    const below = await initialised({ ...repository, fromHere: (path) => `../${path}` });
    expect(below.printed.at(-1)).toBe(
      "measure them here: run --config ../shop/loadtest.yml --config ../bills/loadtest.yml\n",
    );
    const present = ["bills/loadtest.yml", ".github/loadtest.yml"];
    await expect(initialised({ ...repository, present })).rejects.toMatchObject({
      problems: [".github/loadtest.yml would no longer be read; remove it, or add `--overwrite`"],
    });
  });

  test.for<readonly [what: string, path: string | undefined, warnings: readonly string[]]>([
    ["only the document", "/openapi.json", ["only its document is measured until you list one that does"]],
    ["nothing", undefined, ["the file shows what each of them lacks"]],
    ["the root", "/", []],
  ])("an app of which %s answers is told", async ([, path, ends]) => {
    const { warnings } = await initialised({
      app: {
        documentFor: () => ({}),
        replyTo: ({ url }) => ({ status: url.replace(/^http:..[^/]+/, "") === path ? 200 : 404, body: "" }),
      },
    });
    expect(warnings).toEqual(ends.map((end) => `no endpoint of the app answers here: ${end}`));
  });

  test.for<readonly [what: string, status: number, log: string, warning: string]>([
    [
      "limits requests",
      429,
      "",
      "the app limits requests (it answered 429): remove the limit for the load test, or most requests will fail",
    ],
    [
      "connects to a database of a fixed name",
      500,
      'OperationalError: FATAL: database "test-shop" does not exist',
      "the app connects to a database called test-shop, whatever the variables say: let it read the name from one",
    ],
  ])("an app that %s is told", async ([, status, log, warning]) => {
    const documentFor = () => ({ paths: { "/": { get: {} } } });
    const { warnings } = await initialised({
      app: { documentFor, replyTo: () => ({ status, body: "" }), log },
    });
    expect(warnings).toContain(warning);
  });

  test("names no endpoint where none answers, and hides no fault of ours", async () => {
    const { written } = await initialised({
      app: {
        documentFor: () => ({ paths: { "/a": { get: {} } } }),
        replyTo: () => ({ status: 500, body: "x" }),
      },
    });
    const text = written.get(".github/loadtest.yml") ?? "";
    expect(parse(text)).not.toHaveProperty("endpoints");
    expect(text).toContain("until then `auto` applies.\n# endpoints:\n#  - /a # answered 500: x\n");
    const fault = () => Promise.reject(new Error("ours"));
    await expect(initialised({ trialPorts: fault })).rejects.toThrow("ours");
  });
});

describe("the repository's tests", () => {
  const row = (number: number) => ({
    kind: "row",
    number,
    key: `${number}`,
    sql: `INSERT INTO ${number} ON CONFLICT DO NOTHING;`,
    test: "tests/a.py::a",
  });
  const outcome = { kind: "outcome", passed: 2, failed: 1, first: "assert 1 == 2", missing: [] };
  const lines = [row(0), row(1), requestOf({ path: "/items/7", rows: [0, 1] }), outcome];
  const tested: AppOfTrial = {
    ...usual,
    tests: { folder: ".", files: ["tests/a.py"], needs: [], variables: {}, onSqlite: [] },
    recorded: lines.map((each) => JSON.stringify(each)).join("\n"),
    rowsOf: (query) => (query.startsWith("INSERT") ? [1] : []),
  };

  test("show requests and the rows that they need", async () => {
    const { written, steps, printed, request } = await initialised({ app: tested });
    expect(parse(written.get(".github/loadtest.yml") ?? "")).toMatchObject({
      "migrate-command":
        'python -c "import asyncio; from main import app as app; asyncio.run(app.router.lifespan_context(app).__aenter__())"',
      seed: [".github/loadtest-rows.sql"],
      endpoints: [{ path: "/items/{id}", params: { id: [7] } }, "/items"],
    });
    expect(written.get(".github/loadtest.yml")).toContain(
      "\n  # tests/test_a.py::test_a\n  - path: /items/{id}\n",
    );
    expect(written.get(".github/loadtest-rows.sql")).toContain(
      "\n-- tests/a.py::a\nINSERT INTO 0 ON CONFLICT DO NOTHING;\nINSERT INTO 1 ",
    );
    expect(printed).toContain("wrote .github/loadtest-rows.sql\n");
    expect(steps).toContain(
      "found requests to 1 route in the repository's tests (2 passed, 1 failed); the first failure: assert 1 == 2",
    );
    expect(request).toBeDefined();
  });

  const writes = ["/users", "/login"].map((path) =>
    JSON.stringify(requestOf({ method: "POST", path, body: '{"name":"ada"}' })),
  );
  const writing: AppOfTrial = {
    ...tested,
    recorded: writes.join("\n"),
    documentFor: () => ({ paths: { "/items": { get: {} } } }),
  };

  test("that work after another write alone are shown, with what `run` would say", async () => {
    let users = 0;
    const { written } = await initialised({
      app: {
        ...writing,
        onStart: () => {
          users = 0; // in each copy of the database
        },
        replyTo: ({ url }) => {
          if (url.endsWith("/users")) users += 1;
          return { status: url.endsWith("/login") && users === 0 ? 401 : 200, body: "[]" };
        },
      },
    });
    const text = written.get(".github/loadtest.yml") ?? "";
    expect(parse(text).endpoints).toEqual([
      "/items",
      { path: "/users", method: "POST", body: { name: "ada" } },
    ]);
    expect(text).toContain(
      "#  - { path: /login, method: POST, body: { name: ada } } # on a fresh copy of the database: POST /login answered 401",
    );
  });

  test("that only another write prevents are written, after a start of their own", async () => {
    const posted: string[] = [];
    let starts = 0;
    const { written } = await initialised({
      app: {
        ...writing,
        onStart: () => {
          posted.length = 0;
          starts += 1;
        },
        replyTo: ({ method, url }) => {
          if (method === "POST") posted.push(url.replace(/.*\//, ""));
          return { status: posted[0] === "login" && posted.at(-1) === "users" ? 409 : 200, body: "[]" };
        },
      },
    });
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toHaveLength(3);
    expect(starts).toBe(4); // two trials, all of them together, and one alone
  });

  test("stay with nobody where an account would lead the app to somebody else's store", async () => {
    let opened: string | undefined;
    const text = { type: "string" };
    const schema = {
      type: "object",
      required: ["email", "password"],
      properties: { email: text, password: text },
    };
    const register = { post: { requestBody: { content: { "application/json": { schema } } } } };
    const app: AppOfTrial = {
      ...writing,
      recorded: "",
      documentFor: () => ({ paths: { "/items": { get: {} }, "/me": { get: {} }, "/register": register } }),
      onStart: () => {
        opened = undefined;
      },
      otherStore: () => opened,
      replyTo: ({ method, url }) => {
        if (method === "POST") opened = "the app opens Redis at redis:6379";
        return { status: url.endsWith("/me") ? 401 : 200, body: "[]" };
      },
    };
    const { written, warnings } = await initialised({ app });
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toEqual(["/items"]);
    expect(warnings).toContain("the login failed: start app: the app opens Redis at redis:6379");
  });

  test("come with what the database needs for the account, also without tests", async () => {
    const text = { type: "string" };
    const schema = {
      type: "object",
      required: ["email", "password"],
      properties: { email: text, password: text },
    };
    const post = { requestBody: { content: { "application/json": { schema } } } };
    let isConfirmed = false;
    const { written } = await initialised({
      app: {
        ...usual,
        onStart: () => {
          isConfirmed = false;
        },
        documentFor: () => ({ paths: { "/me": { get: {} }, "/register": { post }, "/login": { post } } }),
        rowsOf: (query) => {
          if (query.includes("information_schema"))
            return ['["public","users","email"]', '["public","users","is_active"]'];
          isConfirmed ||= query.startsWith("UPDATE public.users SET is_active = true");
          return isConfirmed && query.startsWith("UPDATE") ? [1] : [];
        },
        replyTo: ({ url, headers }) => {
          if (url.endsWith("/login")) return { status: 200, body: '{"access_token":"12345678"}' };
          const isOpen = url.endsWith("/register") || (isConfirmed && "Authorization" in headers);
          return { status: isOpen ? 200 : 401, body: "{}" };
        },
      },
    });
    expect(parse(written.get(".github/loadtest.yml") ?? "").login).toMatchObject({ path: "/login" });
    expect(written.get(".github/loadtest-rows.sql")).toContain("NEW.is_active := true");
  });

  test("are written without a trial where none is possible any more, which is reported", async () => {
    const failures = [undefined, undefined, undefined, "the disk is full"];
    const seedFails = () => failures.shift();
    const { written, warnings } = await initialised({ app: { ...tested, seedFails } });
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toHaveLength(2);
    expect(warnings).toEqual([
      "the configuration does not work on a fresh copy of the database yet: the disk is full",
    ]);
  });

  test("show how to serve the app without its login, which is written where that is wanted", async () => {
    const overrides = ["auth:get_user"];
    const value = { kind: "replacement", number: 0, name: "auth:get_user", source: "7", imports: [] };
    const recorded = [value, requestOf({ path: "/items/7", overrides, values: [0] })].map((each) =>
      JSON.stringify(each),
    );
    const app: AppOfTrial = { ...tested, recorded: recorded.join("\n") };
    const closed: AppOfTrial = { ...app, replyTo: () => ({ status: 401, body: "" }) };
    const proposed = await initialised({ app: closed });
    const text = proposed.written.get(".github/loadtest.yml") ?? "";
    expect(text).toContain(
      "\n# app: app_without_login:app\n#   from main import app\n#   from auth import get_user\n",
    );
    expect(proposed.written.has("app_without_login.py")).toBe(false);
    const { written, printed } = await initialised({ app, wanted: { replacesLogin: true } });
    expect(written.get("app_without_login.py")).toBe(
      "from main import app\nfrom auth import get_user\napp.dependency_overrides[get_user] = lambda: 7\n",
    );
    expect(printed).toContain("wrote app_without_login.py\n");
    expect(parse(written.get(".github/loadtest.yml") ?? "").app).toBe("app_without_login:app");
    const mocked: AppOfTrial = {
      ...tested,
      recorded: JSON.stringify(requestOf({ path: "/items/7", overrides })),
    };
    const dotted = await initialised({ app: mocked, wanted: { replacesLogin: true } });
    expect(dotted.warnings).toEqual(["replace the dots in app_without_login.py with what the tests return"]);
    for (const nothing of [tested, usual]) {
      const { written: others, warnings } = await initialised({
        app: nothing,
        wanted: { replacesLogin: true },
      });
      expect(others.has("app_without_login.py")).toBe(false);
      expect(warnings).toEqual([
        "`--replace-login` has no effect: no test that ran replaces a login of the app",
      ]);
    }
    const isFile = (path: string) => path === "app_without_login.py";
    const kept = await initialised({ app, wanted: { replacesLogin: true }, isFile });
    expect(kept.written.has("app_without_login.py")).toBe(false);
  });

  test("come after the app's own files, whose tables they need", async () => {
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\npsycopg\n" },
      { path: "sql/schema.sql", text: "CREATE TABLE a ();" },
      { path: "main.py", text: 'url = os.environ["DATABASE_URL"]\n' },
    ];
    const { written } = await initialised({ app: tested, readRepository });
    const { seed, ...rest } = parse(written.get(".github/loadtest.yml") ?? "");
    expect(seed).toEqual(["sql/schema.sql", ".github/loadtest-rows.sql"]);
    expect(rest).not.toHaveProperty("migrate-command");
  });

  test("a factory makes the tables, and the app's folder has the rows", async () => {
    const apps = ["a", "b"].map(
      (folder) => ({ importString: "main:make()", folder, framework: "FastAPI" }) as const,
    );
    const readRepository = async () =>
      ["a", "b"].flatMap((folder) => [
        { path: `${folder}/requirements.txt`, text: "fastapi\npsycopg\n" },
        { path: `${folder}/main.py`, text: 'url = os.environ["DATABASE_URL"]\n' },
      ]);
    const { written } = await initialised({ app: tested, findApps: () => apps, readRepository });
    expect(parse(written.get("a/loadtest.yml") ?? "")).toMatchObject({
      "migrate-command": expect.stringContaining("import main; app = main.make(); asyncio.run("),
      seed: ["loadtest-rows.sql"],
    });
    expect(written.has("b/loadtest-rows.sql")).toBe(true);
  });

  test.for<readonly [what: string, isNew: (query: string) => boolean, rows: readonly number[]]>([
    ["one row", (query) => query.includes(" 1 "), [1]],
    ["all rows", () => false, []],
  ])("rows that the database refuses, or has already, are left out: %s", async ([, isNew, rows]) => {
    const rowsOf = (query: string) => (isNew(query) ? [1] : []);
    const { written } = await initialised({ app: { ...tested, rowsOf } });
    const text = written.get(".github/loadtest-rows.sql") ?? "";
    expect([...text.matchAll(/INSERT INTO (\d)/g)].map(([, number]) => Number(number))).toEqual(rows);
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toHaveLength(2);
  });

  test.for([false, true])(
    "make their rows themselves, whose file grows (written anew: %s)",
    async (overwrites) => {
      const seeds: (readonly string[])[] = [];
      const seedFails = (files: readonly string[]) => void seeds.push(files);
      const rowsOf = (query: string) => (query.includes("INTO 1 ") ? [1] : []);
      const files: Readonly<Record<string, string>> = {
        ".github/loadtest.yml":
          "app: main:app\nseed: [a.sql, .github/loadtest-rows.sql]\nendpoints:\n  - /items\n#  - /items/{id} # answered 404\n",
        ".github/loadtest-rows.sql": "-- by hand\nINSERT 9;\n",
      };
      const textOf = (path: string) => files[path];
      const { written } = await initialised({
        app: { ...tested, rowsOf, seedFails },
        wanted: { overwrites },
        textOf,
        isFile: (path) => path in files,
      });
      const kept = ["/repo/a.sql", "/repo/.github/loadtest-rows.sql"];
      const suite = ["/repo/a.sql"];
      expect(seeds).toEqual(
        overwrites ? [[], [], [], ["/kept/rows.sql"]] : [kept, suite, kept, [...kept, "/kept/rows.sql"]],
      );
      expect(written.get(".github/loadtest.yml")).toContain("path: /items/{id}\n");
      const text = written.get(".github/loadtest-rows.sql") ?? "";
      expect(text.split("\nDO ")[0]).toBe(
        `${overwrites ? "-- What `init` adds to the database, and why. Change it as you like." : "-- by hand\nINSERT 9;"}\n\n-- tests/a.py::a\nINSERT INTO 1 ON CONFLICT DO NOTHING;\n`,
      );
    },
  );

  test("rows are left out with which fewer endpoints answer", async () => {
    const recorded = [
      row(0),
      requestOf({ path: "/items/7", rows: [0] }),
      requestOf({ path: "/items", rows: [0] }),
    ];
    let isWritten = false;
    const { written } = await initialised({
      app: {
        ...tested,
        recorded: recorded.map((each) => JSON.stringify(each)).join("\n"),
        rowsOf: (query) => {
          isWritten ||= query.startsWith("INSERT");
          return query.startsWith("INSERT") ? [1] : [];
        },
        replyTo: ({ url }) => {
          const isTheirs = isWritten && url.endsWith("/7");
          if (url.endsWith("/7")) isWritten = false; // each start has a copy of its own
          return { status: isTheirs ? 403 : 200, body: "[]" };
        },
      },
    });
    expect(written.has(".github/loadtest-rows.sql")).toBe(false);
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toHaveLength(2);
  });

  test("a database without SQL files gets no rows", async () => {
    const readRepository = async () => [
      { path: "requirements.txt", text: "fastapi\n" },
      { path: "main.py", text: "" },
    ];
    const { written } = await initialised({ app: tested, readRepository });
    expect([...written.keys()]).toEqual([".github/loadtest.yml", ".github/workflows/loadtest.yml"]);
    expect(written.get(".github/loadtest.yml")).toContain("path: /items/{id}\n");
  });

  test("rows with which the app does not start are left out", async () => {
    let isWritten = false;
    const rowsOf = (query: string) => {
      isWritten ||= query.startsWith("INSERT");
      return query.startsWith("INSERT") ? [1] : [];
    };
    const onStart = () => {
      const failing = isWritten;
      isWritten = false;
      if (failing) throw new EnvironmentError("start app", "there is one already");
    };
    const { written } = await initialised({ app: { ...tested, rowsOf, onStart } });
    expect(written.has(".github/loadtest-rows.sql")).toBe(false);
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toHaveLength(2);
  });

  test("nothing is written of an app that no longer starts", async () => {
    let starts = 0;
    const onStart = () => {
      starts += 1;
      if (starts === 2 || starts === 3) throw new EnvironmentError("start app", "once only");
    };
    const { written } = await initialised({ app: { ...tested, onStart } });
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toEqual(["/items"]);
  });

  test.for<
    readonly [what: string, app: AppOfTrial, wanted: Partial<Initialisation>, warning: string | undefined]
  >([
    ["are switched off", tested, { tests: { kind: "none" } }, undefined],
    ["do not exist", usual, {}, undefined],
    [
      "reach nothing",
      { ...tested, recorded: "" },
      {},
      "the repository's tests gave no example requests: none of them reached the app",
    ],
    [
      "fail",
      { ...tested, recorded: JSON.stringify(outcome) },
      {},
      "the repository's tests gave no example requests; the first failure: assert 1 == 2",
    ],
    [
      "fail without a word",
      { ...tested, recordingFails: new EnvironmentError("seed", "tests failed", { logTail: "" }) },
      {},
      "the repository's tests gave no example requests: tests failed",
    ],
    [
      "would not be alone",
      { ...tested, recorded: JSON.stringify({ kind: "refused", reason: "unshare: no" }) },
      {},
      "the repository's tests were not run: they cannot be isolated on this machine (unshare: no)",
    ],
    [
      "lack a package",
      {
        ...tested,
        recordingFails: new EnvironmentError("install", "their packages could not be installed: no"),
      },
      {},
      "the repository's tests gave no example requests: their packages could not be installed: no",
    ],
  ])("that %s show nothing", async ([, app, wanted, warning]) => {
    const { written, warnings } = await initialised({ app, wanted });
    expect(parse(written.get(".github/loadtest.yml") ?? "").endpoints).toEqual(["/items"]);
    expect(warnings).toEqual(warning === undefined ? [] : [warning]);
  });

  test("are not run on a server of the user's", async () => {
    const text = "app: main:app\ndatabase-url: postgresql://me@127.0.0.1/mine\n";
    const isFile = (path: string) => path === ".github/loadtest.yml";
    const { warnings } = await initialised({ app: tested, isFile, textOf: () => text });
    expect(warnings).toEqual([
      expect.stringMatching(/^the repository's tests were not run: `database-url` points/),
    ]);
  });

  test("a defect of ours is no lack of theirs", async () => {
    const app = { ...tested, recordingFails: new TypeError("a defect") };
    await expect(initialised({ app })).rejects.toThrow("a defect");
  });

  test("may replace the login, which is shown where the app refuses what they send", async () => {
    const recorded = JSON.stringify(requestOf({ path: "/items/7", overrides: ["main:get_user"] }));
    const replyTo: AppOfTrial["replyTo"] = ({ url }) => ({
      status: url.endsWith("/7") ? 401 : 200,
      body: "[]",
    });
    const { written } = await initialised({ app: { ...tested, recorded, replyTo } });
    expect(written.get(".github/loadtest.yml")).toContain(
      "# app: app_without_login:app\n#   from main import app\n#   from main import get_user\n#   app.dependency_overrides[get_user] = lambda: ...\n",
    );
  });

  test("neither is one in the last trial", async () => {
    const before = [undefined, undefined, undefined];
    const seedFails = () => {
      if (before.length === 0) throw new TypeError("a defect");
      return before.pop();
    };
    await expect(initialised({ app: { ...tested, seedFails } })).rejects.toThrow("a defect");
  });

  test("rows that no configuration names are not written", async () => {
    const text = "app: main:app\nendpoints: [/mine]\nseed: mine.sql\n";
    const isFile = (path: string) => path === ".github/loadtest.yml";
    const { written } = await initialised({ app: tested, isFile, textOf: () => text });
    expect(written.has(".github/loadtest-rows.sql")).toBe(false);
  });

  test("rows of a file that stays as it is stay, too", async () => {
    const first = await initialised({ app: tested });
    const text = first.written.get(".github/loadtest.yml") ?? "";
    const isFile = (path: string) => path === ".github/loadtest.yml";
    const { written, printed } = await initialised({ app: tested, isFile, textOf: () => text });
    expect(written.has(".github/loadtest-rows.sql")).toBe(false);
    expect(printed).toContain("left .github/loadtest.yml unchanged\n");
  });
});
