import { describe, expect, test } from "vitest";

import { readServices } from "../../src/config/file/service-forms.ts";
import { EnvironmentError } from "../../src/errors/errors.ts";
import { candidatesOf } from "../../src/init/requests/endpoints.ts";
import { tryCandidates } from "../../src/trial/endpoints.ts";
import { readDocument, withTrial } from "../../src/trial/trial.ts";
import { workloadOf } from "../measure/run-measure.ts";
import { type AppOfTrial, trialPorts } from "./fake-trial.ts";

const parameter = (name: string, type = "string") => ({ in: "path", name, required: true, schema: { type } });
const get = (...parameters: object[]) => ({ get: { parameters } });
const url = (variables: Readonly<Record<string, string>>) => variables["DATABASE_URL"] ?? "";

describe("an app's document", () => {
  const refused = "OperationalError: connection refused";
  const needsDatabase: AppOfTrial = {
    documentFor: (variables) => (url(variables).includes(":1/") ? refused : { paths: {} }),
  };
  test.for<readonly [what: string, raw: Record<string, string>, app: AppOfTrial, expected: unknown]>([
    ["needs no database", {}, {}, { document: { paths: { "/": { get: {} } } } }],
    ["needs one", {}, needsDatabase, { document: { paths: {} } }],
    [
      "needs one for a program that it runs",
      {},
      {
        documentFor: (variables) =>
          url(variables).includes(":1/") ? "subprocess.CalledProcessError: Command 'alembic'" : { paths: {} },
      },
      { document: { paths: {} } },
    ],
    [
      "needs a variable",
      {},
      {
        documentFor: (variables) =>
          url(variables).includes(":1/") ? "ValidationError: 1 error" : { paths: {} },
      },
      { problem: "ValidationError: 1 error" },
    ],
    ["needs one and has none", { database: "none" }, { documentFor: () => refused }, { problem: refused }],
    ["is not there", {}, { documentFor: () => "KeyError: 'A'" }, { problem: "KeyError: 'A'" }],
  ])("%s", async ([, raw, app, expected]) => {
    const workload = workloadOf(raw);
    expect(await readDocument(workload, trialPorts(workload, app))).toEqual(expected);
  });

  test.for<readonly [what: string, app: AppOfTrial, expected: object]>([
    ["not asked", { documentFor: () => "KeyError: 'A'" }, { problem: "KeyError: 'A'" }],
    ["not asked with a database either", { documentFor: () => refused }, { problem: refused }],
    [
      "not migrated",
      { commandFails: () => "no table" },
      { problem: expect.stringContaining("migrate-command"), log: expect.stringContaining("no table") },
    ],
    ["not started", { startFails: "port" }, { problem: "start app: port", document: expect.anything() }],
  ])("an app that can be %s says why", async ([, app, expected]) => {
    const workload = workloadOf({ "migrate-command": "migrate" });
    const tried = await withTrial(workload, trialPorts(workload, app), async () => ({
      problem: "none",
      ...{ phase: "import" as const, log: "" },
    }));
    expect(tried).toMatchObject(expected);
  });

  test.for<readonly [what: string, ends: NonNullable<AppOfTrial["ends"]>, expected: object]>([
    [
      "a process beside it that ends is a problem",
      { text: "process worker ended (code 0) while the app ran", process: "worker" },
      {
        detail: { kind: "process", name: "worker" },
        problem: "process worker ended (code 0) while the app ran",
        log: expect.stringContaining("main:app"),
      },
    ],
    ["a server that ends after all was asked is none", { text: "server exited (code 1)" }, { answer: 1 }],
  ])("%s", async ([, ends, expected]) => {
    const workload = { ...workloadOf({}), processes: [{ name: "worker", command: "celery", variables: {} }] };
    const tried = await withTrial(workload, trialPorts(workload, { ends }), async () => ({ answer: 1 }));
    expect(tried).toMatchObject(expected);
  });

  const reply = (status: number) => () => ({ status, body: '{"paths":{"/served":{}}}' });
  test.for<readonly [what: string, services: string | undefined, app: AppOfTrial, expected: object]>([
    [
      "serves its document with its services",
      "redis",
      { documentFor: () => refused, replyTo: reply(200) },
      { paths: { "/served": {} } },
    ],
    [
      "serves none",
      "redis",
      { documentFor: () => refused, replyTo: reply(404) },
      { problem: refused, phase: "import" },
    ],
    [
      "does not answer",
      "redis",
      { documentFor: () => refused, replyTo: () => "too late" },
      { problem: refused, phase: "import" },
    ],
    [
      "has no services",
      undefined,
      { documentFor: () => refused, replyTo: reply(200) },
      { problem: refused, phase: "import" },
    ],
    [
      "fails without a word about them",
      "redis",
      { documentFor: () => "KeyError: 'A'", replyTo: reply(200) },
      { problem: "KeyError: 'A'", phase: "import" },
    ],
  ])("an app that reaches nothing at its import: it %s", async ([, services, app, expected]) => {
    const base = workloadOf({ database: "none" });
    const workload = { ...base, ...(services !== undefined && { services: readServices(services) }) };
    const tried = await withTrial(workload, trialPorts(workload, app), async ({ document }) =>
      Object(document),
    );
    expect(tried).toMatchObject(expected);
  });

  test("a fault of ours is not the app's", async () => {
    const workload = workloadOf({});
    const fault = () => Promise.reject(new Error("ours"));
    await expect(withTrial(workload, trialPorts(workload, {}), fault)).rejects.toThrow("ours");
  });
});

describe("users that a query finds", () => {
  const login = {
    ...{ place: "l.yml:1:1", headers: { "X-Name": "{name}" }, request: undefined },
    usersFrom: { kind: "sql", query: "SELECT name FROM users" } as const,
  };
  const workload = { ...workloadOf({}), login };

  test("ask the app as the first of them", async () => {
    const seen: unknown[] = [];
    const replyTo: AppOfTrial["replyTo"] = ({ headers }) => {
      seen.push(headers);
      return { status: 200, body: "[]" };
    };
    const ports = trialPorts(workload, {
      rowsOf: (query) => (query === login.usersFrom.query ? ["ada", "bo"] : []),
      replyTo,
    });
    await withTrial(workload, ports, (running) => running.send({ method: "GET", path: "/" }));
    expect(seen).toContainEqual({ "X-Name": "ada" });
  });

  test("are the trial's problem where there are none", async () => {
    const tried = await withTrial(workload, trialPorts(workload, {}), async () => "tried");
    expect(tried).toMatchObject({
      problem: expect.stringContaining("log in: login (l.yml:1:1): users: the query returned no rows"),
    });
  });
});

describe("services of a trial", () => {
  const workload = { ...workloadOf(), services: readServices("redis") };

  test("are got ready with the app's environment before the app is asked", async () => {
    const asked: unknown[] = [];
    const ports = trialPorts(workload, { asked });
    const got: unknown[] = [];
    const prepareServices: typeof ports.prepareServices = async (services, { binFolder }) => {
      got.push([services.map(({ name }) => name), binFolder, asked.length]);
    };
    const answer = await withTrial(workload, { ...ports, prepareServices }, async () => "tried");
    expect(answer).toBe("tried");
    expect(got).toEqual([[["redis"], "/bin", 0]]);
    expect(asked).not.toEqual([]);
  });

  test("that cannot be had are the trial's problem, and the app is not asked", async () => {
    const asked: unknown[] = [];
    const ports = trialPorts(workload, { asked });
    const prepareServices = () => Promise.reject(new EnvironmentError("install", "no image"));
    const answer = await withTrial(workload, { ...ports, prepareServices }, async () => "tried");
    expect(answer).toMatchObject({ problem: "install: no image" });
    expect(asked).toEqual([]);
  });
});

describe("the database of a trial", () => {
  const columns = [{ schema: "public", table: "notes", column: "id" }];
  test.for<
    readonly [
      database: string,
      url: string | undefined,
      catalogue: RegExp,
      has: { readonly hasDatabase: boolean; readonly columns: object[]; readonly answers: unknown[][] },
    ]
  >([
    ["postgres", undefined, /information_schema/, { hasDatabase: true, columns, answers: [[7], []] }],
    ["mysql", "mysql://a:b@127.0.0.1/c", /DATABASE\(\)/, { hasDatabase: true, columns, answers: [[7], []] }],
    ["sqlite", "sqlite:/copy", /sqlite_master/, { hasDatabase: true, columns, answers: [[7], []] }],
    ["none", undefined, /./, { hasDatabase: false, columns: [], answers: [[], []] }],
  ])(
    "%s names its columns and answers queries; one that fails gives nothing",
    async ([database, databaseUrl, catalogue, has]) => {
      const workload = workloadOf({ database });
      const made: string[] = [];
      const rowsOf = (query: string) => {
        if (query === "SELECT id") return [null, 7];
        return catalogue.test(query) ? ['["public","notes","id"]', '["public","notes",null]', ...made] : [];
      };
      // The next copy lacks what the app makes when it starts; the others are filled by a start.
      const onStart = () => void (database === "postgres" && made.push('["public","visits","id"]'));
      const ports = trialPorts(workload, {
        rowsOf,
        onStart,
        ...(databaseUrl !== undefined && { databaseUrl }),
      });
      const seen = await withTrial(workload, ports, async (running) => ({
        hasDatabase: running.hasDatabase,
        columns: running.columns,
        answers: [await running.ask("SELECT id"), await running.ask("SELECT broken")],
      }));
      expect(seen).toEqual(has);
    },
  );
});

describe("endpoints that are tried", () => {
  async function tried(
    paths: Record<string, object>,
    app: AppOfTrial,
    circumstances: { readonly account?: string; readonly isFilledByRequests?: boolean } = {},
    raw: Record<string, string> = {},
  ) {
    const workload = workloadOf(raw);
    const document = { paths };
    const ports = trialPorts(workload, { documentFor: () => document, ...app });
    const found = await withTrial(workload, ports, (running) =>
      tryCandidates(candidatesOf(document).candidates, running, {
        isFilledByRequests: false,
        isLoggedIn: false,
        lists: new Map(),
        ...circumstances,
      }),
    );
    return "endpoints" in found ? found.endpoints : found;
  }
  const json = (value: unknown) => ({ status: 200, body: JSON.stringify(value) });
  const notes = { "/notes/{note_id}": get(parameter("note_id")), "/notes": get() };

  test("a query that is required is written with the path", async () => {
    const number = { in: "query", name: "page", required: true, schema: { type: "integer" } };
    const found = await tried({ "/notes": get(number) }, { replyTo: () => json([1]) });
    expect(found).toEqual([{ line: "/notes?page=1", reason: undefined }]);
  });

  test.for<readonly [what: string, own: number, isFilledByRequests: boolean, isOwn: boolean]>([
    ["many rows of the account", 5, false, true],
    ["few", 4, false, false],
    ["one of those that requests make", 1, true, true],
    ["none", 0, true, false],
  ])("the account's own keys come before all: %s", async ([, own, isFilledByRequests, isOwn]) => {
    const found = await tried(
      { "/notes/{note_id}": get(parameter("note_id")) },
      {
        rowsOf: (query) => {
          if (query.includes("information_schema"))
            return ['["public","notes","id"]', '["public","notes","owner_id"]'];
          return query.includes("WHERE owner_id = (KEY)") ? Array.from({ length: own }, (_, id) => id) : [7];
        },
        replyTo: () => json({}),
      },
      { account: "KEY", isFilledByRequests },
    );
    const where = isOwn ? "WHERE owner_id = (KEY) " : "";
    expect(found).toEqual([
      {
        line: "/notes/{note_id}",
        params: { note_id: { sql: `SELECT id FROM notes ${where}ORDER BY 1 LIMIT 1000` } },
        reason: undefined,
      },
    ]);
  });

  test("keys of the database are their parameters", async () => {
    const asked: string[] = [];
    const found = await tried(notes, {
      rowsOf: (query) =>
        query.includes("information_schema") ? ['["public","notes","id"]', "[1]"] : [7, null],
      replyTo: (request) => {
        asked.push(request.url);
        return json([]);
      },
    });
    expect(found).toEqual([
      {
        line: "/notes/{note_id}",
        params: { note_id: { sql: "SELECT id FROM notes ORDER BY 1 LIMIT 1000" } },
        reason: undefined,
      },
      { line: "/notes", reason: undefined },
    ]);
    expect(asked.map((each) => each.replace(/^http:\/\/[^/]+/, ""))).toEqual(["/notes", "/notes/7"]);
  });

  test("else those of the list beside them, without a database, too", async () => {
    const found = await tried(
      notes,
      { replyTo: ({ url: to }) => (to.endsWith("/notes") ? json([{ id: "a" }]) : json({})) },
      {},
      { database: "none" },
    );
    expect(found).toMatchObject([{ params: { note_id: ["a"] } }, { line: "/notes" }]);
  });

  test("one that only sends on is none", async () => {
    const to = (location: string) => ({ status: 307, body: "", headers: { location: [location] } });
    const found = await tried(
      { "/a/": get(), "/b": get() },
      { replyTo: ({ url }) => (url.endsWith("/a/") ? to(`${new URL(url).origin}/a`) : json([])) },
    );
    expect(found).toEqual([
      { line: "/a/", reason: "answers 307 to /a: measure that instead" },
      { line: "/b", reason: undefined },
    ]);
  });

  const lacking = "needs a n that exists: seed one, or set `params`";
  const stranger = "987654321";
  test.for<
    readonly [
      what: string,
      schema: object,
      first: { status: number; body: string },
      second: { status: number; body: string } | string,
      expected: object,
    ]
  >([
    [
      "a row that is there",
      { type: "integer" },
      json({ id: 1 }),
      { status: 404, body: "" },
      { params: { n: [1] } },
    ],
    ["a row, and null for others", { type: "integer" }, json({ id: 1 }), json(null), { params: { n: [1] } }],
    [
      "any number",
      { type: "integer" },
      json({ n: 1, sum: 2 }),
      json({ n: 2, sum: 3 }),
      { params: { n: [1] } },
    ],
    ["any text", { type: "string" }, json("hello"), json("hello"), { params: { n: ["loadtest"] } }],
    [
      "the number itself",
      { type: "number" },
      json({ n: 1 }),
      json({ n: 987_654_321 }),
      { params: { n: [1] } },
    ],
    [
      "a page",
      { type: "integer" },
      { status: 200, body: "<p>" },
      { status: 200, body: "<p>" },
      { params: { n: [1] } },
    ],
    ["nothing", { type: "integer" }, json(null), json(null), { reason: lacking }],
    [
      "no row",
      { type: "integer" },
      json({ n: 1, row: null }),
      json({ n: 2, row: null }),
      { reason: lacking },
    ],
    ["an empty list", { type: "string" }, json({ rows: [] }), json({ rows: [] }), { reason: lacking }],
    ["no such row", { type: "integer" }, { status: 404, body: "" }, "timed out", { reason: lacking }],
    [
      "a row, and the other fails",
      { type: "integer" },
      json([1]),
      { status: 500, body: "" },
      { params: { n: [1] } },
    ],
    [
      "nothing, and the other fails",
      { type: "integer" },
      json(null),
      { status: 500, body: "" },
      { reason: lacking },
    ],
    ["a row, and no other", { type: "integer" }, json([1]), "timed out", { reason: lacking }],
    ["a form of text", { type: "string", format: "uuid" }, json([1]), json([1]), { reason: lacking }],
    [
      "a refusal",
      { type: "integer" },
      { status: 401, body: "" },
      "",
      { reason: expect.stringContaining("needs a login") },
    ],
  ])(
    "else made-up values that get %s are taken only when no row is needed",
    async ([, schema, first, second, expected]) => {
      const paths = { "/a/{n}": get({ in: "path", name: "n", required: true, schema }) };
      const replyTo: AppOfTrial["replyTo"] = ({ url: to }) => (to.includes(stranger) ? second : first);
      expect(await tried(paths, { replyTo })).toEqual([{ line: "/a/{n}", reason: undefined, ...expected }]);
    },
  );

  test("a stated value is taken as it is", async () => {
    const paths = { "/d/{n}": { parameters: [{ ...parameter("n"), example: "x" }], get: {} } };
    expect(await tried(paths, {})).toEqual([{ line: "/d/{n}", reason: undefined }]);
  });

  test.for<readonly [reply: { status: number; body: string } | string, reason: RegExp]>([
    [{ status: 307, body: "" }, /^answers 307: measure the address in its Location header instead$/],
    [{ status: 401, body: "no" }, /^needs a login \(401: no\); set up `login`$/],
    [{ status: 500, body: "" }, /^answered 500$/],
    ["timed out", /^did not answer: timed out$/],
  ])("%o is told", async ([reply, reason]) => {
    const found = await tried({ "/a": get() }, { replyTo: () => reply });
    expect(found).toEqual([{ line: "/a", reason: expect.stringMatching(reason) }]);
  });

  test("a fault of ours is not a query's", async () => {
    const rowsOf = () => {
      throw new Error("ours");
    };
    await expect(tried(notes, { rowsOf })).rejects.toThrow("ours");
  });

  test("a list that is no JSON has no keys, and a query that fails gives none", async () => {
    const found = await tried(notes, {
      rowsOf: (query) =>
        query.includes("information_schema") ? ['["public","notes_broken","note_id"]'] : [],
      replyTo: ({ url: to }) => ({ status: to.endsWith("/notes") ? 200 : 404, body: "<html>" }),
    });
    expect(found).toMatchObject([{ reason: "needs a note_id that exists: seed one, or set `params`" }, {}]);
    const other = await tried(
      { "/notes_broken/{note_id}": get(parameter("note_id")) },
      {
        replyTo: () => ({ status: 404, body: "" }),
        rowsOf: (query) =>
          query.includes("information_schema") ? ['["public","notes_broken","note_id"]'] : [],
      },
    );
    expect(other).toMatchObject([{ reason: expect.stringContaining("needs a note_id") }]);
  });
});
