import { describe, expect, test } from "vitest";

import { type CheckPorts, check } from "../../src/commands/check.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { EnvironmentError } from "../../src/errors/errors.ts";
import type { SingleRequest } from "../../src/ports/app.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import { checkEndpoints } from "../../src/trial/check.ts";
import { recordingPorts } from "../measure/fake-ports.ts";

const id = { in: "path", name: "item_id", required: true, schema: { type: "integer" } };
const q = { in: "query", name: "q", required: true, schema: { type: "string" }, example: "tea" };
const header = { in: "header", name: "X-Team", required: true, schema: { type: "string" }, example: "a" };
const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
const order = {
  type: "object",
  required: ["item"],
  properties: { item: { type: "string", example: "cup" } },
};
const document = {
  paths: {
    "/items/{item_id}": { get: { parameters: [id] } },
    "/shelves/{item_id}": { get: { parameters: [{ ...id, example: 7 }, q] } },
    "/search": { get: { parameters: [q, header] }, post: {} },
    "/orders": { post: body(order) },
    "/notes": {
      post: {
        requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema: order } } },
      },
    },
    "/secret": { get: { parameters: [{ in: "query", name: "key", required: true, schema: {} }] } },
    "/plain": { get: {} },
  },
};

/** Replies by method and path; everything else is fine. */
type Replies = Readonly<Record<string, number | string>>;

function machine(
  yaml: string | readonly string[],
  { replies = {}, served = document, measure = {} as Partial<MeasurePorts> } = {} as {
    readonly replies?: Replies;
    readonly served?: unknown;
    readonly measure?: Partial<MeasurePorts>;
  },
) {
  const versions = [yaml].flat();
  const printed: string[] = [];
  const calls: string[] = [];
  let version = 0;
  const sendRequest = async ({ method, url }: SingleRequest) => {
    const path = new URL(url).pathname;
    if (path === "/openapi.json")
      return served === null ? "refused" : { status: 200, body: JSON.stringify(served) };
    const reply = replies[`${method} ${path}`] ?? 200;
    return typeof reply === "string" ? reply : { status: reply, body: "" };
  };
  const ports: CheckPorts = {
    environment: {},
    request: {
      files: { resolve: (path) => path, isFile: () => true, isFolder: () => true, findApps: () => [] },
      pullRequest: { kind: "none", reason: "a run on this machine" },
      unpackPlan: (text) => text,
      readConfigurationFile: async () =>
        parseConfigurationFile("loadtest.yml", "/repo", `app: main:app\n${versions[version]}`),
    },
    endpointPorts: () => ({
      progress: () => undefined,
      readTable: () => Promise.reject(new Error("there are no tables")),
      readOpenApi: async () => ({ document: served }),
    }),
    measurePorts: async () => {
      const recorded = recordingPorts({ sendRequest, ...measure });
      const startApp: MeasurePorts["startApp"] = async (...given) => {
        calls.push("start");
        const server = await recorded.ports.startApp(...given);
        return { ...server, logTail: () => "Traceback\nZeroDivisionError: division by zero" };
      };
      const preparePython: MeasurePorts["preparePython"] = async (app) => {
        calls.push("install");
        return await recorded.ports.preparePython(app);
      };
      return { ...recorded.ports, startApp, preparePython, ...measure };
    },
    configurationChanged: async () => {
      version += 1;
      return version < versions.length;
    },
    print: (text) => void printed.push(text),
  };
  return { ports, printed, calls };
}

async function checked(yaml: string, options?: Parameters<typeof machine>[1]) {
  const { ports, printed } = machine(`database: none\n${yaml}`, options);
  const status = await check({ raw: {}, isJson: false, isWatching: false }, ports);
  return { status, text: printed.join("") };
}

test("says of each endpoint whether it can be measured", async () => {
  const { status, text } = await checked("endpoints: [/plain, POST /orders]");
  expect(status).toBe(0);
  expect(text).toBe("  /plain        200  can be measured\n  POST /orders  200  can be measured\n");
});

test("needs nothing that sends a load", async () => {
  const findGenerator = () => Promise.reject(new EnvironmentError("load", "k6 was not found"));
  const { status } = await checked("endpoints: [/plain]", { measure: { findGenerator } });
  expect(status).toBe(0);
});

const account = { type: "object", properties: { username: {}, password: {} } };
const withLogin = {
  ...document,
  paths: {
    ...document.paths,
    "/token": {
      post: { requestBody: { content: { "application/x-www-form-urlencoded": { schema: account } } } },
    },
  },
  components: { securitySchemes: { a: { type: "oauth2", flows: { password: { tokenUrl: "/token" } } } } },
};

describe("names the keys to write", () => {
  test.for<readonly [what: string, line: string, status: number, keys: string, served?: unknown]>([
    [
      "a log-in",
      "/plain",
      401,
      "login:\n  path: /token\n  form:\n    username:\n      secret: LOADTEST_USERNAME\n    password:\n      secret: LOADTEST_PASSWORD",
      withLogin,
    ],
    [
      "a token, where the document has no log-in",
      "/plain",
      403,
      "login:\n  headers:\n    Authorization:\n      secret: LOADTEST_TOKEN",
    ],
    [
      "parameters",
      "/items/99",
      404,
      "endpoints:\n  - path: /items/{item_id}\n    params:\n      item_id:\n        - 1\n        - 2\n        - 3",
    ],
    ["a path that was probably meant", "/plane", 404, "endpoints:\n  - /plain"],
    ["another method", "POST /plain", 405, "endpoints:\n  - /plain"],
    ["a query", "/search", 422, "endpoints:\n  - path: /search?q=tea"],
    [
      "parameters with a query",
      "/shelves/1",
      422,
      "endpoints:\n  - path: /shelves/{item_id}?q=tea\n    params:\n      item_id:\n        - 7",
    ],
    [
      "a body of JSON",
      "POST /orders",
      422,
      "endpoints:\n  - path: /orders\n    method: POST\n    body:\n      item: cup",
    ],
  ])("%s", async ([, line, status, keys, served = document]) => {
    const [method, path] = line.includes(" ") ? line.split(" ") : ["GET", line];
    const result = await checked(`endpoints: [${line}]`, {
      replies: { [`${method} ${path}`]: status },
      served,
    });
    expect(result.status).toBe(2);
    expect(result.text).toContain(`${status}  missing`);
    expect(result.text).toContain(`\nAdd this to the configuration file:\n\n${keys}\n`);
  });

  test("a redirect is not the endpoint", async () => {
    const { status, text } = await checked("endpoints: [/plain]", { replies: { "GET /plain": 307 } });
    expect(status).toBe(2);
    expect(text).toContain("GET /plain answered 307: measure the address in its Location header instead");
  });

  test("once for several endpoints", async () => {
    const replies = { "GET /a": 401, "GET /b": 401, "GET /plane": 404 };
    const { text } = await checked("endpoints: [/a, /b, /plane]", { replies });
    expect(text.match(/login:/g)).toHaveLength(1);
    expect(text).toContain("\nendpoints:\n  - /plain\n");
  });

  test.for<readonly [what: string, line: string, status: number | string, served: unknown]>([
    ["a path unlike any other", "/zzzzzzzzzzz", 404, document],
    ["a form instead of JSON", "POST /notes", 400, document],
    ["a value that nobody knows", "/secret", 422, document],
    ["an app without a document", "/plain", 422, null],
    ["a method where the path is unknown", "/zzzzzzzzzzz", 405, document],
    ["an unexpected redirect", "/plain", 418, document],
    ["no reply", "/plain", "no reply within 60 s", document],
  ])("but none for %s", async ([, line, reply, served]) => {
    const { status, text } = await checked(`endpoints: [${line}]`, {
      replies: { [line.includes(" ") ? line : `GET ${line}`]: reply },
      served,
    });
    expect(status).toBe(2);
    expect(text).not.toContain("Write in");
  });
});

test("asks the seeded database for the values of parameters", async () => {
  const rows = ['["public", "items", "id"]'];
  const { ports, printed } = machine("endpoints: [/items/99]", { replies: { "GET /items/99": 404 } });
  const measurePorts: CheckPorts["measurePorts"] = async (...given) => {
    const made = await ports.measurePorts(...given);
    const openDatabases: MeasurePorts["openDatabases"] = async (...wanted) => {
      const databases = await made.openDatabases(...wanted);
      const seed: typeof databases.seed = async (...seeds) => {
        const template = await databases.seed(...seeds);
        return { copy: async () => ({ ...(await template.copy()), readColumn: async () => rows }) };
      };
      return { ...databases, seed };
    };
    return { ...made, openDatabases };
  };
  await check({ raw: {}, isJson: false, isWatching: false }, { ...ports, measurePorts });
  expect(printed.join("")).toContain("sql: SELECT id FROM items ORDER BY 1 LIMIT 1000");
});

test("says why an app failed", async () => {
  const { text } = await checked("endpoints: [/plain]", { replies: { "GET /plain": 500 } });
  expect(text).toMatch(/^- GET \/plain answered 500 .*: ZeroDivisionError: division by zero$/m);
});

test("prints JSON alone when asked", async () => {
  const { ports, printed } = machine("name: shop\ndatabase: none\nendpoints: [/plane]", {
    replies: { "GET /plane": 404 },
  });
  await check({ raw: {}, isJson: true, isWatching: false }, ports);
  expect(JSON.parse(printed.join(""))).toEqual({
    schemaVersion: 1,
    apps: [
      {
        app: "shop",
        endpoints: [
          {
            endpoint: "/plane",
            status: 404,
            problem: expect.stringMatching(/^GET \/plane answered 404/),
            remedy: { endpoint: "/plain" },
          },
        ],
      },
    ],
  });
});

test("does not say of a script that it can be measured", async () => {
  const { status, text } = await checked("script: load.js");
  expect([status, text]).toEqual([0, "  load.js  –    not requested\n"]);
});

test("endpoints that read share a start; each that writes has its own database", async () => {
  const { ports, calls } = machine("database: none\nendpoints: [/plain, POST /orders, /a, POST /notes]");
  await check({ raw: {}, isJson: false, isWatching: false }, ports);
  expect(calls).toEqual(["install", "start", "start"]);
});

test("a plan without cells starts nothing", async () => {
  const { ports, calls } = recordingPorts();
  const prepared: never = undefined as never; // nothing of it is needed
  expect(await checkEndpoints([], prepared, ports)).toEqual([]);
  expect(calls).toEqual([]);
});

test("names the app where it has a name", async () => {
  const { text } = await checked("name: shop\nendpoints: [/plain]");
  expect(text).toBe("shop\n  /plain  200  can be measured\n");
});

describe("watching", () => {
  const watch = { raw: {}, isJson: false, isWatching: true };

  test("starts the app again when the endpoints change, and installs nothing again", async () => {
    const [first, second] = ["database: none\nendpoints: [/plain]", "database: none\nendpoints: [/search]"];
    const { ports, printed, calls } = machine([first, second]);
    expect(await check(watch, ports)).toBe(0);
    expect(printed).toHaveLength(2);
    expect(calls).toEqual(["install", "start", "start"]);
  });

  test("prepares everything again when the app changes", async () => {
    const [first, second] = [
      "database: none\nendpoints: [/plain]",
      "python: python3.12\ndatabase: none\nendpoints: [/plain]",
    ];
    const { ports, calls } = machine([first, second]);
    await check(watch, ports);
    expect(calls).toEqual(["install", "start", "install", "start"]);
  });

  test.for<readonly [what: string, broken: string, said: RegExp, measure?: Partial<MeasurePorts>]>([
    ["a mistake in the file", "database: none\nendpoints: [plain]", /endpoints/],
    [
      "an app that does not start",
      "database: none\nendpoints: [/plain]",
      /start app: the port is taken/,
      { startApp: () => Promise.reject(new EnvironmentError("start app", "the port is taken")) },
    ],
  ])("goes on after %s", async ([, broken, said, measure]) => {
    const { ports, printed } = machine([broken, broken], { ...(measure && { measure }) });
    expect(await check(watch, ports)).toBe(2);
    expect(printed).toEqual([expect.stringMatching(said), expect.stringMatching(said)]);
    const once = machine(broken, { ...(measure && { measure }) });
    await expect(check({ ...watch, isWatching: false }, once.ports)).rejects.toThrow();
  });

  test("stops at an error of ours, before and after the app has started", async () => {
    const { ports: late } = machine("database: none\nendpoints: [/plain]", {
      measure: {
        sendRequest: async ({ url }) =>
          url.endsWith("/plain") ? Promise.reject(new Error("a bug")) : { status: 404, body: "" },
      },
    });
    await expect(check(watch, late)).rejects.toThrow("a bug");
    const measure = { startApp: () => Promise.reject(new Error("another")) };
    const { ports } = machine("database: none\nendpoints: [/plain]", { measure });
    await expect(check(watch, ports)).rejects.toThrow("another");
  });
});
