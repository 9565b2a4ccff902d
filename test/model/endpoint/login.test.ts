import { describe, expect, test } from "vitest";

import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";
import { InputError } from "../../../src/errors/errors.ts";
import {
  bodyOfLogin,
  identitiesOf,
  secretsOf,
  tokenIn,
  tokenOf,
  withSecrets,
} from "../../../src/model/endpoint/login.ts";
import { hidden } from "../../../src/text/redact.ts";

const loginOf = (yaml: string) => parseConfigurationFile("l.yml", "/repo", yaml).login;

function problemsOf(yaml: string): readonly string[] {
  try {
    loginOf(yaml);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("a login", () => {
  test("is read, with what is usual", () => {
    expect(loginOf("app: a:b\n")).toBeUndefined();
    expect(loginOf("login:\n  path: /t\n  form: { a: b, c: { secret: LOADTEST_C } }\n")).toEqual({
      place: "l.yml:1:1",
      headers: {},
      request: {
        path: "/t",
        encoding: "form",
        fields: { a: "b", c: { secret: "LOADTEST_C" } },
        token: "access_token",
        header: "Authorization",
        scheme: "Bearer",
      },
    });
    const own = loginOf(
      "login: { path: /t, json: {}, token: a.b, header: X-T, scheme: '', headers: { X-K: { secret: LOADTEST_K } } }",
    );
    expect(own?.request).toMatchObject({ encoding: "json", token: "a.b", header: "X-T", scheme: "" });
    expect(own?.headers).toEqual({ "X-K": { secret: "LOADTEST_K" } });
    expect(loginOf("login: { headers: { A: b } }")?.request).toBeUndefined();
  });

  test("may be a command that prints a token", () => {
    expect(loginOf("login: { command: python -m app.token }")).toEqual({
      place: "l.yml:1:1",
      headers: {},
      request: undefined,
      command: { text: "python -m app.token", header: "Authorization", scheme: "Bearer" },
    });
    const own = "login: { command: make, token: a.b, header: Cookie, scheme: '', headers: { X: y } }";
    expect(loginOf(own)).toMatchObject({
      headers: { X: "y" },
      command: { text: "make", token: "a.b", header: "Cookie", scheme: "" },
    });
  });

  test.for<readonly [yaml: string, problem: string]>([
    [
      "login: {}",
      "l.yml:1:1: login: must have a path to log in at, a command that prints a token, or headers",
    ],
    ["login: { path: /t }", "l.yml:1:10: login.path: needs either form or json"],
    ["login: { path: /t, form: {}, json: {} }", "login.path: needs either form or json"],
    ["login: { headers: {}, token: x }", "l.yml:1:23: login.token: needs a path or a command"],
    ["login: { command: make, form: { a: b } }", "login.form: needs a path"],
    ["login: { path: /t, json: {}, command: make }", "login.command: cannot be combined with a path"],
    ["login: { command: ' ' }", "login.command: is empty"],
    ['login: { command: "a\\nb" }', "login.command: must be one line"],
    ["login: { command: [a] }", "login.command: must be a command, e.g. python -m app.make_token"],
    ["login: { path: t, json: {} }", "login.path: must start with /"],
    [
      "login: { headers: { A: { secret: GITHUB_TOKEN } } }",
      "must be the name of a variable that begins with LOADTEST_",
    ],
    ["login: { headers: { A: 7 } }", "must be text, or the name of a variable that holds it"],
    ["login: { path: /t, json: hunter2 }", "must be a mapping"],
  ])("%s is refused", ([yaml, problem]) => {
    const problems = problemsOf(yaml);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toMatch(/hunter2|got/);
  });

  test.for([
    ...["GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "AWS_SECRET_ACCESS_KEY", "PIP_EXTRA_INDEX_URL"],
    ...["LOADTEST_PACKAGE_INDEX", "LOADTEST_", "loadtest_password", "LOADTEST_A=B"],
  ])("T11: a pull request's own file cannot ask for %s", (name) => {
    const problem = expect.stringContaining("must be the name of a variable that begins with LOADTEST_");
    for (const yaml of [
      `login: { headers: { A: { secret: ${name} } } }`,
      `script-env: { A: { secret: ${name} } }`,
    ])
      expect(problemsOf(yaml)).toEqual([problem]);
  });

  test("names its secrets, and gets them", () => {
    const login = loginOf(
      "login: { path: /t, json: { u: me, p: { secret: LOADTEST_P } }, headers: { K: { secret: LOADTEST_P }, L: { secret: LOADTEST_L } } }",
    );
    if (login === undefined) throw new Error("there is one");
    expect(secretsOf(login)).toEqual(["LOADTEST_P", "LOADTEST_L"]);
    const filled = withSecrets(login, (name) => `<${name}>`);
    expect(filled.headers).toEqual({ K: "<LOADTEST_P>", L: "<LOADTEST_L>" });
    expect(filled.request?.fields).toEqual({ u: "me", p: "<LOADTEST_P>" });
    expect(secretsOf({ headers: { A: "b" }, request: undefined, place: "" })).toEqual([]);
    expect(withSecrets({ headers: {}, request: undefined, place: "" }, String).request).toBeUndefined();
  });

  test("is sent as a form or as JSON", () => {
    const request = { path: "/t", fields: { u: "a b", "p&": "ü=" }, token: "", header: "", scheme: "" };
    expect(bodyOfLogin({ ...request, encoding: "form" })).toEqual({
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "u=a%20b&p%26=%C3%BC%3D",
    });
    expect(bodyOfLogin({ ...request, encoding: "json" }).body).toBe('{"u":"a b","p&":"ü="}');
    const fields = { "user.name": "ada", "user.key.a": "1", device: "x", "user.key.b": "2" };
    expect(JSON.parse(bodyOfLogin({ ...request, fields, encoding: "json" }).body)).toEqual({
      user: { name: "ada", key: { a: "1", b: "2" } },
      device: "x",
    });
  });

  test.for([
    ['{"access_token":"t"}', "access_token", "t"],
    ['{"a":{"b":["x","y"]}}', "a.b.1", "y"],
    ['{"a":1}', "a", undefined],
    ['{"a":"b c"}', "a", undefined],
    ['{"a":""}', "a", undefined],
    ["null", "a", undefined],
    ["no", "a", undefined],
  ] as const)("of the reply %s at %s is %j", ([text, place, token]) => {
    expect(tokenIn(text, place)).toBe(token);
  });

  test.for([
    ["abc.def\n", "abc.def"],
    ["  abc\r\n\n", "abc"],
    ["Bearer abc", undefined],
    ["a\nb", undefined],
    ["", undefined],
    ["é", undefined],
    ["x".repeat(8_001), undefined],
  ] as const)("of the output %j is %j", ([text, token]) => {
    expect(tokenOf(text)).toBe(token);
  });
});

test.for([
  ["a hunter2 b", "a *** b"],
  ["p=s%26%20p%22%5C&q=s%26+p%22%5C", "p=***&q=***"],
  ['{"a":"s& p\\"\\\\"} "{\\"s& p\\\\\\"\\\\\\\\\\"}"', '{"a":"***"} "{\\"***\\"}"'],
  ["hunter2hunter", "***hunter"],
  ["longer-hunter2", "***"],
] as const)("%j without secrets is %j", ([text, clean]) => {
  expect(hidden(text, ["hunter2", 's& p"\\', "longer-hunter2"])).toBe(clean);
});

describe("several identities", () => {
  const yaml =
    'login: { path: /t, json: { user: "{name}", pw: "{key}" }, headers: { X: "of {name} {}" }, users: [{ name: ada, key: { secret: LOADTEST_A } }, { name: bo, key: k }] }';

  test("each have their own fields and headers, in order", () => {
    const login = loginOf(yaml);
    if (login === undefined) throw new Error("no login");
    expect(secretsOf(login)).toEqual(["LOADTEST_A"]);
    const all = identitiesOf(withSecrets(login, (name) => `value of ${name}`));
    expect(all.map(({ headers, request }) => [headers, request?.fields])).toEqual([
      [{ X: "of ada {}" }, { user: "ada", pw: "value of LOADTEST_A" }],
      [{ X: "of bo {}" }, { user: "bo", pw: "k" }],
    ]);
    expect(all.some((each) => "users" in each)).toBe(false);
  });

  test("are values of the words of a command", () => {
    const login = loginOf('login: { command: "make {name}", users: [{ name: ada }, { name: bo }] }');
    if (login === undefined) throw new Error("no login");
    const all = identitiesOf(withSecrets(login, String));
    expect(all.map(({ command }) => [command?.text, command?.values])).toEqual([
      ["make {name}", { name: "ada" }],
      ["make {name}", { name: "bo" }],
    ]);
  });

  test("one is itself, braces and all", () => {
    const login = { place: "", headers: { X: "{name}" }, request: undefined };
    expect(identitiesOf(login)).toEqual([login]);
    const all = identitiesOf({ ...login, users: [{ name: "ada" }] });
    expect(all).toEqual([{ ...login, headers: { X: "ada" } }]);
  });

  test.for([
    ["{ csv: users.csv }", { kind: "csv", file: "users.csv" }],
    ["{ sql: SELECT name FROM users }", { kind: "sql", query: "SELECT name FROM users" }],
    ["{ command: python -m users }", { kind: "command", text: "python -m users" }],
  ] as const)("come from %s, too", ([source, usersFrom]) => {
    const login = loginOf(`login: { headers: { X: "{name}" }, users: ${source} }`);
    expect(login).toMatchObject({ usersFrom });
    expect(login?.users).toBeUndefined();
  });

  test.for<readonly [yaml: string, problem: string]>([
    ["login: { headers: { X: a }, users: [{ name: b }] }", "login.users: are never used; put e.g. {name}"],
    [
      'login: { headers: { X: "{a}" }, users: [{ a: b }, { c: d }] }',
      "login.users: must each have a a, because {a}",
    ],
    ['login: { headers: { X: "{a}" }, users: [] }', "login.users: is empty"],
    ['login: { headers: { X: "{a}" }, users: { sql: " " } }', "login.users.sql: is empty"],
    ['login: { headers: { X: "{a}" }, users: { command: "" } }', "login.users.command: is empty"],
    [
      "login: { headers: { X: a }, users: { sql: SELECT 1 } }",
      "login.users: are never used; put e.g. {name}",
    ],
    [
      'login: { headers: { X: "{a}" }, users: { query: SELECT 1 } }',
      "login.users.query: is not a key here; choose from csv, sql, command",
    ],
    [
      'login: { headers: { X: "{a}" }, users: { csv: a, sql: b } }',
      "login.users: must have one of csv, sql and command",
    ],
    ['login: { headers: { X: "{a}" }, users: {} }', "login.users: must have one of csv, sql and command"],
    ['login: { headers: { X: "{a}" }, users: ada }', "login.users: must be a list, e.g. [{ name: ada"],
  ])("%s is refused", ([text, problem]) => {
    expect(problemsOf(text).join()).toContain(problem);
  });
});
