import { describe, expect, test } from "vitest";

import type { Reply } from "../../src/endpoints/dry-request.ts";
import type { FirstUser } from "../../src/init/read/variables.ts";
import type { Learned } from "../../src/init/tests/learning.ts";
import type { SingleRequest } from "../../src/ports/app.ts";
import { nothingLearned, tryApp } from "../../src/trial/app.ts";
import { withTrial } from "../../src/trial/trial.ts";
import { workloadOf } from "../measure/run-measure.ts";
import { type AppOfTrial, trialPorts } from "./fake-trial.ts";

const text = { type: "string" };
const object = (properties: Record<string, object>) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
const key = (name: string) => [{ in: "path", name, required: true, schema: { type: "integer" } }];

const reply = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });
const pathOf = ({ url }: Pick<SingleRequest, "url">) => url.replace(/^http:\/\/[^/]+/, "");

async function tried(
  paths: Record<string, object>,
  replyTo: (path: string, request: SingleRequest) => Reply | string,
  {
    rowsOf = () => [],
    raw = {},
    firstUser,
    firstUsers = firstUser === undefined ? [] : [firstUser],
    keys = [],
    hasLogin = false,
    hidden = [],
    more = {},
    learned,
  }: Pick<AppOfTrial, "rowsOf"> & {
    readonly raw?: Record<string, string>;
    readonly firstUser?: FirstUser;
    readonly firstUsers?: readonly FirstUser[];
    readonly keys?: readonly string[];
    readonly hasLogin?: boolean;
    readonly hidden?: readonly string[];
    /** Added to the document. */
    readonly more?: object;
    readonly learned?: Learned;
  } = {},
) {
  const workload = workloadOf(raw);
  const document = { paths, ...more };
  const ports = trialPorts(workload, {
    documentFor: () => document,
    replyTo: (request) => replyTo(pathOf(request), request),
    rowsOf,
  });
  const found = await withTrial(workload, ports, (running) =>
    tryApp(running, { firstUsers, keys, hasLogin, hidden, ...(learned && { learned }) }),
  );
  if ("problem" in found) throw new Error(found.problem);
  const { endpoints, seeding, login, refused, failing, confirming } = found;
  const lines = endpoints.map(({ line, reason }) => (reason === undefined ? line : `# ${line}: ${reason}`));
  return { lines, seeding, login, refused, failing, confirming };
}

/** An app that keeps what it is sent, one list for each path. */
function keeping(accepts: (path: string, rows: readonly unknown[]) => boolean = () => true) {
  const lists = new Map<string, unknown[]>();
  return (path: string, { method, body: sent }: SingleRequest): Reply => {
    const list = path.replace(/\/\d+$/, "");
    const rows = lists.get(list) ?? [];
    if (method === "POST") {
      if (!accepts(path, rows)) return reply("taken", 409);
      lists.set(path, [...rows, { id: rows.length + 1, ...JSON.parse(sent ?? "{}") }]);
      return reply({}, 201);
    }
    if (list === path) return reply(rows);
    return rows.length === 0 ? reply("none", 404) : reply(rows[0]);
  };
}

const notes = {
  "/notes": { get: {}, post: body(object({ title: text })) },
  "/notes/{id}": { get: { parameters: key("id") } },
};
const others = ["# POST /notes: writes, so it was not tried"];

test.for([
  ["takes", 200, "/find?q=text"],
  ["refuses", 422, "# /find: has no example value for its parameter q"],
] as const)("a query is invented where the app %s it", async ([, status, expected]) => {
  const parameters = [{ in: "query", name: "q", required: true, schema: { type: "string" } }];
  const { lines } = await tried({ "/find": { get: { parameters } } }, () => reply({ found: [] }, status));
  expect(lines).toContain(expected);
});

test("rows are made where they lack", async () => {
  const { lines, seeding } = await tried(notes, keeping());
  expect(lines.slice(0, 2)).toEqual(["/notes", "/notes/{id}"]);
  expect(seeding).toEqual(['POST /notes {"title":"text{n}"}']);
});

const asked = { parameters: [{ in: "query", name: "q", required: true, schema: text }] };
test.for([
  ["made where a list without any answers 404", 404, {}, ['POST /notes {"title":"text{n}"}']],
  ["not made where an invented query finds none", 200, asked, []],
] as const)("rows are %s", async ([, status, get, seeding]) => {
  const app = keeping();
  const listed = { "/notes": { get, post: body(object({ title: text })) } };
  const found = await tried(listed, (path, request) => {
    const { body: sent, ...other } = app(path, request);
    return sent === "[]" ? reply([], status) : { ...other, body: sent };
  });
  expect(found.seeding).toEqual(seeding);
});

test.for<readonly [what: string, app: ReturnType<typeof keeping>, seeding: readonly string[]]>([
  [
    "one where the app refuses a second",
    keeping((_, rows) => rows.length === 0),
    ['POST /notes {"title":"text1"}'],
  ],
  ["none where it refuses all", keeping(() => false), []],
])("rows: %s", async ([, app, seeding]) => {
  expect((await tried(notes, app)).seeding).toEqual(seeding);
});

test("rows are made in a list below something that another endpoint answered", async () => {
  const note = { parameters: [...key("team"), ...key("id")] };
  const paths = {
    "/teams/{team}": { get: { parameters: key("team") } },
    "/teams/{team}/notes": { get: { parameters: key("team") }, post: body(object({ title: text })) },
    "/teams/{team}/notes/{id}": { get: note },
    "/rooms/{room}/notes": { post: body(object({ title: text })) },
    "/rooms/{room}/notes/{id}": { get: { parameters: [...key("room"), ...key("id")] } },
  };
  const notesOf = keeping();
  const { lines, seeding } = await tried(paths, (path, request) => {
    if (path.startsWith("/teams/1/notes")) return notesOf(path, request);
    return path === "/teams/1" ? reply({ id: 1, name: "a" }) : reply("none", 404);
  });
  expect(seeding).toEqual(['POST /teams/1/notes {"title":"text{n}"}']);
  expect(lines.slice(0, 3)).toEqual(["/teams/{team}", "/teams/{team}/notes", "/teams/{team}/notes/{id}"]);
});

test.for([
  ["by a field of the login", "email", "root%40example.org"],
  ["by what the app says of it", "user_id", "7"],
] as const)("rows are made below the account that is logged in, known %s", async ([, named, own]) => {
  const name = { in: "path", name: named, required: true, schema: text };
  const paths = {
    ...closed,
    [`/people/{${named}}`]: { get: { parameters: [name] } },
    [`/people/{${named}}/notes`]: { post: body(object({ title: text })) },
    [`/people/{${named}}/notes/{id}`]: { get: { parameters: [name, ...key("id")] } },
  };
  const app = giving("Bearer 12345678");
  const notesOf = keeping();
  const { lines, seeding } = await tried(
    paths,
    (path, request) => {
      if (path.startsWith(`/people/${own}/notes`)) return notesOf(path, request);
      if (path.endsWith("/notes")) return reply("yours?", 403);
      if (path.startsWith("/people/")) return path.includes("/notes/") ? reply("", 404) : reply({ id: 1 });
      const answer = app(path, request);
      return path === "/me" && typeof answer !== "string" && answer.status === 200
        ? reply({ id: 7, token: "12345678", is_active: true })
        : answer;
    },
    {
      firstUser,
      rowsOf: (query) => {
        if (query.includes("information_schema")) return [`["public","people","${named}"]`];
        return query.includes("people") ? ["eve"] : [];
      },
    },
  );
  expect(seeding).toEqual([`POST /people/${own}/notes {"title":"text{n}"}`]);
  expect(lines).toEqual(expect.arrayContaining([`/people/{${named}}`, `/people/{${named}}/notes/{id}`]));
});

test("nothing is sent without a database of ours, nor where there are rows", async () => {
  const none = await tried(notes, keeping(), { raw: { database: "none" } });
  expect(none).toMatchObject({
    seeding: [],
    lines: ["/notes", expect.stringContaining("# /notes/{id}"), ...others],
  });
  const full = (path: string) => reply(path === "/notes" ? { items: [{ id: 7 }] } : { id: 7 });
  expect(await tried(notes, full)).toMatchObject({
    seeding: [],
    lines: ["/notes", "/notes/{id}", ...others],
  });
  expect(await tried({ "/notes": notes["/notes"] }, () => reply({ count: 0 }))).toMatchObject({
    seeding: [],
  });
});

test("rows whose keys are random in each arm are told, unless a query asks for them anew", async () => {
  let rows: readonly string[] = [];
  const { lines } = await tried(
    notes,
    (path, { method }) => {
      if (method === "POST") rows = ["3fa85f64-5717-4562-b3fc-2c963f66afa6"];
      return path === "/notes" ? reply(rows) : reply("none", 404);
    },
    {},
  );
  expect(lines).toEqual([
    "/notes",
    "# /notes/{id}: has random keys, which differ between the versions: seed them in an SQL file",
    ...others,
  ]);
  const columns = '["public","notes","id"]';
  const asked = await tried(
    notes,
    (path, { method }) => {
      if (method === "POST") rows = ["3fa85f64-5717-4562-b3fc-2c963f66afa6"];
      return path.endsWith(rows[0] ?? "none") || path === "/notes" ? reply(rows) : reply("none", 404);
    },
    { rowsOf: (query) => (query.includes("information_schema") ? [columns] : rows) },
  );
  expect(asked.lines).toEqual(["/notes", "/notes/{id}", ...others]);
});

const account = object({ email: { type: "string", format: "email" }, password: text });
const closed = {
  "/me": { get: {} },
  "/users": { post: body(object({ user: account })) },
  "/users/login": { post: body(object({ user: account })) },
};

/** An app that gives accounts and tokens, and opens `/me` to those who show theirs in this way. */
function giving(header: string | undefined, users = 201, logins = 200) {
  return (path: string, { headers }: SingleRequest): Reply | string => {
    if (path === "/users") return reply({}, users);
    if (path === "/users/login") return reply({ token: "with a space", user: { token: "12345678" } }, logins);
    return headers["Authorization"] === header ? reply({}) : reply("closed", 401);
  };
}

test("a request that already makes an account is not sent once more for rows", async () => {
  const paths = { ...closed, "/users/{id}": { get: { parameters: key("id") } } };
  const { lines, seeding } = await tried(paths, (path, request) =>
    path.startsWith("/users/") && path !== "/users/login"
      ? reply("none", 404)
      : giving("Token 12345678")(path, request),
  );
  expect(lines[0]).toBe("/me");
  expect(seeding).toEqual(['POST /users {"user":{"email":"user@example.com","password":"Load-test-1!"}}']);
});

test("a new account is logged in, in the way that opens what was closed", async () => {
  const { lines, seeding, login } = await tried(closed, giving("Token 12345678"));
  expect(lines[0]).toBe("/me");
  expect(seeding).toEqual(['POST /users {"user":{"email":"user@example.com","password":"Load-test-1!"}}']);
  expect(login).toEqual({
    key: "login",
    reason: "an account that the first seed-request creates",
    value: {
      path: "/users/login",
      json: { "user.email": "user@example.com", "user.password": "Load-test-1!" },
      token: "user.token",
      scheme: "Token",
    },
  });
});

test.for([
  ["that the document guards", { security: [{ bearer: [] }] }, "/me"],
  ["of any other", {}, "# /me: answered 500"],
] as const)("a failure without a token %s may be a closed door", async ([, guard, first]) => {
  const app = giving("Bearer 12345678");
  const { lines } = await tried({ ...closed, "/me": { get: guard } }, (path, request) => {
    const found = app(path, request);
    return typeof found !== "string" && found.status === 401 ? reply("broken", 500) : found;
  });
  expect(lines).toContainEqual(expect.stringContaining(first));
});

test("a new account is judged by all that was closed", async () => {
  const app = giving("Bearer 12345678");
  const both = { "/admin": { get: {} }, ...closed };
  const { lines, login } = await tried(both, (path, request) =>
    path === "/admin" ? reply("closed", 403) : app(path, request),
  );
  expect(lines[0]).toBe("/me");
  expect(login).toMatchObject({ value: { token: "user.token" } });
});

test("a header that is required, and missing, is a login", async () => {
  const missing = JSON.stringify({ detail: [{ type: "missing", loc: ["header", "x-token"] }] });
  const required = [{ in: "header", name: "X-Token", required: true }];
  const app = giving("");
  const { login } = await tried({ ...closed, "/me": { get: { parameters: required } } }, (path, request) => {
    if (path !== "/me") return app(path, request);
    return request.headers["X-Token"] === "12345678" ? reply({}) : { status: 422, body: missing };
  });
  expect(login).toMatchObject({ value: { token: "user.token", header: "X-Token", scheme: "" } });
});

test.for<readonly [what: string, app: ReturnType<typeof giving>]>([
  ["the app gives none", giving("Bearer 12345678", 403)],
  ["it cannot log in", giving("Bearer 12345678", 201, 400)],
  ["its token opens nothing", giving("Basic 12345678")],
])("no account where %s", async ([, app]) => {
  expect(await tried(closed, app)).toMatchObject({ seeding: [], login: undefined });
});

test.for<readonly [what: string, silent: (path: string, request: SingleRequest) => boolean]>([
  ["nobody answers who asks for one", (path) => path === "/users"],
  ["nobody answers it", (path, { headers }) => path === "/me" && "Authorization" in headers],
])("no account where %s", async ([, silent]) => {
  const app = giving("Bearer 12345678");
  const found = await tried(closed, (path, request) =>
    silent(path, request) ? "no reply" : app(path, request),
  );
  expect(found).toMatchObject({ seeding: [], login: undefined, refused: undefined });
});

test.for<readonly [what: string, answer: (count: number) => Reply | string, line: string]>([
  ["all alike", () => reply({}), "/"],
  [
    "an error now and then",
    (count) => reply({}, count > 1 && count % 2 === 0 ? 503 : 200),
    "# /: answered 503 to 2 of 4 requests at once, but not to a single one",
  ],
  ["each too slowly", () => ({ ...reply({}), seconds: 3 }), "# /: answered after 3.0 s: too slow to measure"],
  [
    "some not at all",
    (count) => (count > 3 ? "no reply" : reply({})),
    "# /: did not answer one of 4 requests at once: too slow to measure",
  ],
])("several requests at once are answered: %s", async ([, answer, line]) => {
  let count = 0;
  const found = await tried({ "/": { get: {} } }, () => answer(++count));
  expect(found.lines).toContain(line);
});

test.for([undefined, 0, 3])("statements of a request are counted: %s", async (statements) => {
  const workload = workloadOf({});
  const ports = trialPorts(workload, {
    documentFor: () => ({ paths: { "/": { get: {} } } }),
    ...(statements !== undefined && { statements }),
  });
  const nothing = { firstUsers: [], hasLogin: false, hidden: [] };
  const found = await withTrial(workload, ports, (running) => tryApp(running, nothing));
  expect(found).toMatchObject({ endpoints: [{ line: "/" }] });
  expect("endpoints" in found && found.endpoints[0]?.statements).toBe(statements);
});

test("an app that one endpoint kept busy is waited for", async () => {
  const asked: string[] = [];
  let silent = 2;
  const found = await tried({ "/a": { get: {} }, "/b": { get: {} } }, (path) => {
    asked.push(path);
    return silent-- > 0 ? "no reply" : reply({});
  });
  expect(asked.slice(0, 4)).toEqual(["/a", "/", "/", "/b"]);
  expect(found.lines).toEqual(["/b", expect.stringContaining("# /a: did not answer")]);
});

test("a login may give a cookie in place of a token", async () => {
  const { lines, login } = await tried(closed, (path, { headers }) => {
    if (path === "/users") return reply({}, 201);
    if (path === "/users/login")
      return { ...reply({}), headers: { "set-cookie": ["theme=dark", "sid=12345678; HttpOnly"] } };
    return headers["Cookie"] === "sid=12345678" ? reply({}) : reply("closed", 401);
  });
  expect(lines[0]).toBe("/me");
  expect(login?.value).toMatchObject({ path: "/users/login", token: { cookie: "sid" } });
});

test("an envelope around nothing is no row, and one around an empty list lacks them", async () => {
  const app = keeping();
  const { lines, seeding } = await tried(notes, (path, request) => {
    const { status, body: sent } = app(path, request);
    if (request.method === "POST") return { status, body: sent };
    return reply({ code: 200, result: { data: status === 404 ? null : JSON.parse(sent) } });
  });
  expect([lines, seeding]).toEqual([
    ["/notes", "/notes/{id}", ...others],
    ['POST /notes {"title":"text{n}"}'],
  ]);
});

test.for([
  [
    "what the app lacks",
    { detail: "Role user not found" },
    "no account could be created: POST /users answered 404: ",
  ],
  ["nothing of a path that nobody serves", { detail: "Not Found" }, undefined],
] as const)("of an account that answers 404 is told %s", async ([, said, expected]) => {
  const { refused } = await tried(closed, (path) => reply(said, path === "/users" ? 404 : 401));
  expect(refused).toEqual(expected && expect.stringContaining(expected));
});

test("an account that can log in, but may not, is told with the app's words", async () => {
  const { seeding, refused } = await tried(closed, (path, request) =>
    path === "/me" && "Authorization" in request.headers
      ? reply("not verified", 403)
      : giving("")(path, request),
  );
  expect([seeding, refused]).toEqual([
    [],
    '/me answers 403 to a new account ("not verified"); seed an account that may request it, and set up `login`',
  ]);
});

describe("an account that must be confirmed first", () => {
  /** An app whose accounts are refused until their column says otherwise. */
  const asked = async (columns: readonly string[], waiting: string, table = "users") => {
    let isConfirmed = false;
    const rowsOf = (query: string) => {
      if (query.includes("information_schema"))
        return columns.map((column) => JSON.stringify(["public", table, column]));
      if (!query.startsWith(`UPDATE public.${table} SET ${waiting} = true`)) return [];
      isConfirmed = true;
      return [1];
    };
    const app = giving("Bearer 12345678");
    return await tried(
      closed,
      (path, request) =>
        path === "/me" && "Authorization" in request.headers && !isConfirmed
          ? reply("not verified", 403)
          : app(path, request),
      { rowsOf },
    );
  };

  test.for(["is_verified", "verified", "email_confirmed", "is_active"])(
    "is confirmed in the database, and so are later ones: %s",
    async (column) => {
      const { login, lines, confirming } = await asked(["id", "email", column], column);
      expect([login?.key, lines[0]]).toEqual(["login", "/me"]);
      expect(confirming?.map(({ sql }) => sql)).toEqual([
        expect.stringMatching(new RegExp(`^CREATE FUNCTION .* NEW\\.${column} := true; `)),
        expect.stringMatching(/^CREATE TRIGGER .* ON public\.users FOR EACH ROW/),
      ]);
    },
  );

  test.for([
    [["unverified_reason"], "unverified_reason"],
    [["verified_at"], "verified_at"],
    [["activated_by"], "activated_by"],
    [["email", "is_active"], "none: all accounts are active already"],
  ] as const)("is left alone where no column says so: %s", async ([columns, waiting]) => {
    const { login, confirming } = await asked(columns, waiting);
    expect([login, confirming]).toEqual([undefined, undefined]);
  });
});

test("a new account that may not log in yet is told in the app's words", async () => {
  const found = await tried(closed, (path, request) =>
    path === "/users/login" ? reply("verify first", 400) : giving("Bearer 12345678")(path, request),
  );
  expect(found.refused).toBe(
    'POST /users/login answers 400 to a new account ("verify first"); seed an account that may log in, and set up `login`',
  );
});

test("an app that answers 400 without a token wants a login, and one that does not answer gives none", async () => {
  const app = giving("Bearer 12345678");
  const found = await tried(closed, (path, request) => {
    const said = app(path, request);
    return typeof said !== "string" && said.status === 401 ? reply("Bad authorization token", 400) : said;
  });
  expect(found.lines).toContain("/me");
  const silent = await tried(closed, (path, request) =>
    path === "/users/login" ? "timeout" : app(path, request),
  );
  expect(silent.login).toBeUndefined();
});

test("a token is shown with the word that the app gives with it, letter for letter", async () => {
  const { login } = await tried(closed, (path, request) =>
    path === "/users/login"
      ? reply({ user: { token: "12345678", token_type: "bearer" } })
      : giving("bearer 12345678")(path, request),
  );
  expect(login?.value).toMatchObject({ token: "user.token", scheme: "bearer" });
});

describe("an account that may not do everything", () => {
  /** An app whose `/admin` opens to accounts whose columns say so. */
  const asked = async (
    columns: readonly string[],
    {
      opens = true,
      labels = [],
      more = {},
      logsIn = true,
    }: {
      readonly opens?: boolean;
      readonly labels?: readonly string[];
      readonly more?: object;
      readonly logsIn?: boolean;
    } = {},
  ) => {
    const sent: string[] = [];
    let isPromoted = false;
    const app = giving("Bearer 12345678");
    const found = await tried(
      { ...closed, "/admin": { get: {} } },
      (path, request) => {
        if (path === "/users/login" && isPromoted && !logsIn) return reply("locked", 401);
        const isClosed = path === "/admin" && "Authorization" in request.headers && !(isPromoted && opens);
        return isClosed ? reply("no", 403) : app(path, request);
      },
      {
        more,
        rowsOf: (query) => {
          if (query.includes("information_schema"))
            return columns.map((name) => JSON.stringify(["public", ...name.split(".")]));
          if (query.includes("pg_enum")) return labels;
          if (query.startsWith("SELECT") && query.includes("::text FROM users")) return ["USER"];
          if (!query.startsWith("UPDATE users") || query.includes("is_admin")) return [];
          sent.push(query);
          isPromoted = query.includes("IS DISTINCT FROM");
          return [1];
        },
      },
    );
    return { ...found, sent };
  };

  test.for<readonly [column: string, value: string, more: Parameters<typeof asked>[1]]>([
    ["is_superuser", "true", {}],
    ["role", "'ADMIN'", {}],
    ["role", "'super-admin'", { labels: ["super-admin"] }],
    [
      "user_role",
      "'Administrator'",
      {
        more: {
          components: { schemas: { A: { properties: { a: { enum: ["Guest", "Administrator", 1] } } } } },
        },
      },
    ],
  ])("is made an administrator by its %s: %s", async ([column, value, more]) => {
    // One already is.
    const { lines, confirming } = await asked(["users.email", "users.is_admin", `users.${column}`], more);
    expect(lines).toEqual(expect.arrayContaining(["/admin", "/me"]));
    const name = `promoted_user_example_com_${column}`;
    expect(confirming?.map(({ sql }) => sql)).toEqual([
      `UPDATE users SET ${column} = ${value} WHERE email = 'user@example.com';`,
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.${column} := ${value}; RETURN NEW; END $$;`,
      `CREATE TRIGGER ${name} BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.email = 'user@example.com') EXECUTE FUNCTION ${name}();`,
    ]);
  });

  test("is made one by the key of a role, too", async () => {
    const { confirming } = await asked(["users.email", "users.role_id", "roles.id", "roles.name"]);
    expect(confirming?.[0]?.sql).toBe(
      "UPDATE users SET role_id = (SELECT id FROM roles WHERE name::text ILIKE '%admin%' ORDER BY 1 LIMIT 1) WHERE email = 'user@example.com';",
    );
  });

  test.for<readonly [what: string, more: Parameters<typeof asked>[1]]>([
    ["that opens nothing", { opens: false }],
    ["it cannot log in any more", { logsIn: false }],
  ])("stays what it was where %s", async ([, more]) => {
    const { confirming, sent } = await asked(["users.email", "users.role"], more);
    expect(confirming).toBeUndefined();
    expect(sent.at(-1)).toBe("UPDATE users SET role = 'USER' WHERE email = 'user@example.com' RETURNING 1");
  });

  test("stays what it is where no column says it", async () => {
    const others = ["users.email", "users.bio", "notes.role", "users$$.email", "users$$.role", "users.ro'le"];
    expect((await asked(others)).confirming).toBeUndefined();
  });
});

describe("an account of the tests whose token none of them sends", () => {
  const login = {
    key: "login",
    value: { path: "/users/login", json: { a: "b" }, token: "user.token" },
    reason: "",
  };
  const learned = { ...nothingLearned, spare: [login] };

  test("logs in where that opens something", async () => {
    const found = await tried(closed, giving("Bearer 12345678"), { learned });
    expect(found).toMatchObject({ login, seeding: [], lines: expect.arrayContaining(["/me"]) });
  });

  test("counts, whatever was refused before", async () => {
    const old = { ...login, value: { path: "/old", json: { code: "1" } } };
    const found = await tried(
      closed,
      (path, request) => (path === "/old" ? reply("gone", 400) : giving("Bearer 12345678")(path, request)),
      { learned: { ...learned, logins: [old] } },
    );
    expect([found.login, found.refused]).toEqual([login, undefined]);
  });

  test.for([
    ["it is refused", giving("Bearer 12345678", 201, 401)],
    ["that opens nothing", giving("Basic abc")],
  ] as const)("is left out where %s", async ([, app]) => {
    expect((await tried(closed, app, { learned })).login).toBeUndefined();
  });
});

test.for([
  ["opens something", ["first", "second"], 200, { headers: { "X-API-Key": "second" } }],
  ["opens what lacks rows", ["second"], 404, { headers: { "X-API-Key": "second" } }],
  ["opens nothing", ["first"], 200, undefined],
] as const)("a key of the app's variables is shown where it %s", async ([, keys, status, expected]) => {
  const parameters = [{ in: "header", name: "X-API-Key", required: true, schema: text }];
  const { login } = await tried(
    { "/items": { get: { parameters } }, "/free": { get: {} } },
    (path, { headers }) =>
      path === "/free" || headers["X-API-Key"] === "second"
        ? reply({}, path === "/free" ? 200 : status)
        : reply("no key", 401),
    { keys },
  );
  expect(login?.value).toEqual(expected);
});

test.for([
  ["more answers to it", 200, "root@example.org"],
  ["no more answers to it", 403, "ada"],
] as const)("the first user comes before an account of the tests where %s", async ([, status, name]) => {
  const json = { "user.email": "ada", "user.password": "x" };
  const own = { key: "login", value: { path: "/users/login", json, token: "user.token" }, reason: "" };
  const { login } = await tried(
    { ...closed, "/admin": { get: {} } },
    (path, { body: sent, headers }) => {
      if (path === "/users/login")
        return reply({ user: { token: sent?.includes("ada") ? "of-ada-12345" : "of-root-12345" } });
      const isRoot = headers["Authorization"] === "Bearer of-root-12345";
      if (!("Authorization" in headers)) return reply("closed", 401);
      return path === "/admin" && !(isRoot && status === 200)
        ? reply("no", isRoot ? status : 403)
        : reply({});
    },
    { firstUser, learned: { ...nothingLearned, logins: [own] } },
  );
  expect(JSON.stringify(login?.value)).toContain(name);
});

test("rows are made below rows that were made", async () => {
  const lists = {
    "/teams": { get: {}, post: body(object({ name: text })) },
    "/teams/{team}": { get: { parameters: key("team") } },
    "/teams/{team}/notes": { get: { parameters: key("team") }, post: body(object({ title: text })) },
  };
  const { seeding } = await tried(lists, keeping());
  expect(seeding).toEqual([
    'POST /teams {"name":"text{n}"}',
    expect.stringMatching(/^POST \/teams\/\d+\/notes \{"title":"text\{n\}"\}$/),
  ]);
});

test("nobody is logged out, after which no other endpoint would answer", async () => {
  let isOut = false;
  const app = giving("Bearer 12345678");
  const { lines } = await tried({ "/auth/logout": { get: {} }, ...closed }, (path, request) => {
    isOut ||= path === "/auth/logout";
    return isOut ? reply("out", 401) : app(path, request);
  });
  expect(lines).toEqual(["/me", "# GET /auth/logout: writes, so it was not tried", ...lines.slice(2)]);
});

test("what is switched on in another table is no account", async () => {
  const sent: string[] = [];
  await tried(closed, giving("nobody"), {
    rowsOf: (query) => {
      sent.push(query);
      return query.includes("information_schema")
        ? ['["public","products","is_active"]', '["public","users","email"]']
        : [];
    },
  });
  expect(sent.filter((query) => query.startsWith("UPDATE"))).toEqual([]);
});

test("the rows of the new account are asked for by its name", async () => {
  const sent: string[] = [];
  await tried(closed, giving("Bearer 12345678"), {
    rowsOf: (query) => {
      sent.push(query);
      if (query.includes("information_schema"))
        return ['["public","users","email"]', '["public","users","id"]'];
      return query.startsWith("SELECT id FROM users WHERE email") ? [3] : [];
    },
  });
  expect(sent).toContain("SELECT id FROM users WHERE email = 'user@example.com'");
});

test("a first user who is refused is not told where a new account can log in", async () => {
  const found = await tried(
    withToken,
    (path, request) => {
      const isRoot =
        path === "/token" || (path === "/users/login" && request.body?.includes("root") === true);
      return isRoot ? reply({}, 400) : giving("Bearer 12345678")(path, request);
    },
    { firstUser, more: withFlow },
  );
  expect(found).toMatchObject({ refused: undefined, lines: expect.arrayContaining(["/me"]) });
});

test("what an account may not is told apart from what needs one", async () => {
  const app = giving("Bearer 12345678");
  const { lines } = await tried({ ...closed, "/admin": { get: {} } }, (path, request) =>
    path === "/admin" ? reply("no", "Authorization" in request.headers ? 403 : 401) : app(path, request),
  );
  expect(lines).toContain(
    '# /admin: needs an account with more rights (403: "no"): seed one, and set `login`',
  );
});

test("what the app said is kept when it fails to make an account", async () => {
  expect((await tried(closed, giving("Bearer 12345678", 500))).failing).toBe("app.main:app");
  expect((await tried(closed, giving("Bearer 12345678", 422))).failing).toBeUndefined();
});

const firstUser = { setting: "ADMIN_EMAIL", username: "root@example.org", password: "secret" };
const loginOfRoot = {
  key: "login",
  reason: "the app's own first user (ADMIN_EMAIL), by a request that returns a token",
  value: {
    path: "/users/login",
    json: { "user.email": "root@example.org", "user.password": "secret" },
    token: "user.token",
  },
};
const withFlow = {
  components: { securitySchemes: { user: { flows: { password: { tokenUrl: "token" } } } } },
};
const withToken = { ...closed, "/token": { post: {} } };

test("the first user of the settings comes before a new one", async () => {
  const app = giving("Bearer 12345678");
  expect(await tried(closed, app, { firstUser })).toMatchObject({
    lines: expect.arrayContaining(["/me"]),
    seeding: [],
    login: loginOfRoot,
  });
  const own = await tried(closed, app, { firstUser, hasLogin: true });
  expect([own.login, own.seeding]).toEqual([undefined, []]);
});

test("of several first users the one who can log in counts", async () => {
  const app = giving("Bearer 12345678");
  const other = { ...firstUser, setting: "seed.py", username: "ada", password: "wrong" };
  const { login, refused } = await tried(
    closed,
    (path, request) =>
      path === "/users/login" && !request.body?.includes("secret")
        ? reply("unknown", 401)
        : app(path, request),
    { firstUsers: [other, firstUser] },
  );
  expect([login, refused]).toEqual([loginOfRoot, undefined]);
});

test("the first user is tried under each of its names", async () => {
  const app = giving("Bearer 12345678");
  const asked: unknown[] = [];
  const { login } = await tried(
    closed,
    (path, request) => {
      if (path !== "/users/login") return app(path, request);
      const { user } = JSON.parse(request.body ?? "{}") as { user: { email: string } };
      asked.push(user.email);
      return user.email === "root" ? app(path, request) : reply("unknown", 401);
    },
    { firstUser: { ...firstUser, others: ["root"] } },
  );
  expect(login?.value).toMatchObject({ json: { "user.email": "root" } });
  expect(asked.slice(0, 2)).toEqual(["root@example.org", "root"]);
});

test("the document's password flow comes first; that it refuses the first user is told", async () => {
  const tokens = (status: number) => (path: string, request: SingleRequest) =>
    path === "/token"
      ? reply({ access_token: "12345678" }, status)
      : giving("Bearer 12345678", 201, 500)(path, request);
  const found = await tried(withToken, tokens(200), { firstUser, more: withFlow });
  expect(found).toMatchObject({
    refused: undefined,
    login: { value: { path: "/token", form: { username: "root@example.org", password: "secret" } } },
  });
  expect(await tried(withToken, tokens(500), { firstUser, more: withFlow })).toMatchObject({
    refused: expect.stringContaining("POST /token answered 500"),
    login: undefined,
  });
});

test.for<readonly [what: string, answering: readonly string[], lines: readonly string[]]>([
  ["those of the code that answer", ["/health", "/"], ["/", "/health"]],
  ["the document itself, when nothing else answers", ["/openapi.json"], ["/openapi.json"]],
  ["nothing, when nothing answers", [], []],
])("without an endpoint in the document there is %s", async ([, answering, lines]) => {
  const found = await tried(
    { "/a": { get: {} } },
    (path) => reply({}, answering.includes(path) ? 200 : 404),
    { hidden: ["/health", "/gone"] },
  );
  expect(found.lines).toEqual([...lines, "# /a: answered 404: {}"]);
});

test("a fault of ours is not the login's", async () => {
  const fault = (path: string) => {
    if (path === "/token") throw new Error("ours");
    return reply("closed", 401);
  };
  await expect(tried(withToken, fault, { firstUser, more: withFlow })).rejects.toThrow("ours");
});

test("a key that the app does not find is told", async () => {
  const rowsOf = (query: string) =>
    query.includes("information_schema") ? ['["public","notes","id"]'] : [7];
  const found = await tried({ "/notes/{id}": notes["/notes/{id}"] }, () => reply("none", 404), { rowsOf });
  expect(found.lines).toEqual(["# /notes/{id}: needs something that exists: seed it, or set `params`"]);
});

test("WebSockets that answer are measured, and the others told", async () => {
  const said: unknown[] = [];
  const { lines } = await tried(
    { "/a": { get: {} } },
    (path, { method, messages }) => {
      if (method !== "WS") return { status: 404, body: "" };
      said.push([path, messages]);
      return { status: 101, body: "", answers: path === "/echo" ? 2 : 0 };
    },
    { more: { "x-websockets": ["/echo", "/feed", "/rooms/{room}"] } },
  );
  expect(lines).toEqual([
    "WS /echo",
    "# /a: answered 404",
    "# WS /feed: opens, but does not answer `ping`: set what is sent (`body`), docs/endpoints.md",
    "# WS /rooms/{room}: needs a room: set `params`",
  ]);
  expect(said).toEqual([
    ["/echo", ["ping", "ping"]],
    ["/feed", ["ping", "ping"]],
  ]);
});

test("a stream without an end is told as such, and one with an end is known as a stream", async () => {
  const workload = workloadOf({});
  const ports = trialPorts(workload, {
    documentFor: () => ({ paths: { "/ticks": { get: {} }, "/forever": { get: {} }, "/plain": { get: {} } } }),
    replyTo: ({ url }) =>
      url.endsWith("/forever")
        ? { status: 200, body: "", isEndless: true as const }
        : {
            status: 200,
            body: "",
            headers: { "content-type": [url.endsWith("/ticks") ? "text/event-stream" : "text/html"] },
          },
  });
  const found = await withTrial(workload, ports, (running) =>
    tryApp(running, { firstUsers: [], hasLogin: false, hidden: [] }),
  );
  expect(found).toMatchObject({
    endpoints: [
      { line: "/ticks", reason: undefined, isStream: true },
      { line: "/plain", reason: undefined },
      {
        line: "/forever",
        reason: "is a stream without an end: request one that ends, docs/endpoints.md",
      },
    ],
  });
});
