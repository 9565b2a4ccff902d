import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config/config-parser.ts";
import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { makePlan, matrixOf, planForPart } from "../../../src/model/plan/plan.ts";

const read = (yaml: string) => parseConfigurationFile("l.yml", "/repo", yaml);
const files = {
  resolve: (path: string, folder = "/cwd") => `${folder}/${path}`,
  isFile: (path: string) => !path.includes("missing"),
  isFolder: () => true,
  findApps: () => [],
};
const workloadOf = (yaml: string, raw: Record<string, string> = {}) =>
  parseConfig("run", raw, files, { file: read(`app: a:b\n${yaml}`) }).workload;

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

const whole = `endpoints:
  - /health
  - method: POST
    path: /orders/{id}
    headers: { X-Client: load test }
    query: { dry: false, q: "a b{id}" }
    body: { item: "{item}", text: hi }
    params:
      id: { from: 1, to: 9 }
      item: [a, 2]
    expect: { status: [200, 201], contains: '"id"' }
`;

describe("an endpoint in its whole form", () => {
  test("is read, and says itself in one line", () => {
    const { texts, forms } = read(whole);
    expect(texts).toEqual({ endpoints: "/health\nPOST /orders/{id}?dry=false&q=a%20b{id}" });
    expect(forms).toEqual([
      {
        endpoint: {
          method: "POST",
          path: "/orders/{id}?dry=false&q=a%20b{id}",
          form: expect.stringMatching(/^[0-9a-f]{8}$/),
        },
        headers: { "X-Client": "load test" },
        body: { kind: "json", value: { item: "{item}", text: "hi" } },
        params: { id: { kind: "range", from: 1, to: 9 }, item: { kind: "list", values: ["a", 2] } },
        expect: { statuses: [200, 201], contains: '"id"' },
        weight: undefined,
        places: { "": "l.yml:3:5", id: "l.yml:9:7", item: "l.yml:10:7" },
      },
    ]);
  });

  test("makes another cell when anything in it changes", () => {
    const [a, b] = [whole, whole.replace("hi", "ho")].map((yaml) => read(yaml).forms[0]?.endpoint.form);
    expect(a).not.toBe(b);
  });

  test("has values from a CSV file or a query, and a body of text", () => {
    const yaml = `endpoints:
  - method: PUT
    path: /a?x=1
    query: { y: "{y}" }
    body: y={y}{z}
    params:
      y: { csv: data/y.csv, column: id }
      z: { sql: SELECT 1 }
    expect: { status: 204 }
`;
    const workload = workloadOf(yaml);
    expect(workload?.endpoints).toMatchObject([{ method: "PUT", path: "/a?x=1&y={y}" }]);
    expect(workload?.forms).toMatchObject([
      {
        body: { kind: "text", text: "y={y}{z}" },
        params: {
          y: { kind: "csv", file: "/repo/data/y.csv", column: "id" },
          z: { kind: "sql", query: "SELECT 1" },
        },
        expect: { statuses: [204] },
      },
    ]);
    expect(problemsOf(() => workloadOf(yaml.replace("y.csv", "missing.csv")))).toEqual([
      'l.yml:8:7: params.y: must name an existing CSV file (got "/repo/data/missing.csv")',
    ]);
  });

  test("is what a line with its method and path means, also within an iteration", () => {
    const picked = (endpoints: string) => workloadOf(whole, { endpoints })?.endpoints;
    const [, , form] = [0, 0, read(whole).forms[0]?.endpoint];
    expect(picked("POST /orders/{id}?dry=false&q=a%20b{id}")).toEqual([form]);
    expect(picked("/health\nPOST /orders/{id}")).toEqual([{ method: "GET", path: "/health" }, form]);
    expect(picked("/other")).toEqual([{ method: "GET", path: "/other" }]);
    const workload = parseConfig("run", { iteration: "sleep 1s\nPOST /orders/{id}" }, files, {
      file: { ...read(whole), texts: { app: "a:b" } },
    }).workload;
    expect(workload?.endpoints).toEqual([{ steps: [{ pauseSeconds: 1 }, form] }]);
    expect(workload?.forms).toHaveLength(1);
  });

  test("cannot be meant by a line that fits two, or lacks values", () => {
    const two = "endpoints:\n  - { path: /a, query: { x: 1 } }\n  - { path: /a, query: { x: 2 } }\n";
    expect(workloadOf(two, { endpoints: "/a" })?.forms).toEqual([]);
    expect(problemsOf(() => workloadOf("iteration: ['/a/{b}']\n"))).toEqual([
      "l.yml:2:1: iteration: GET /a/{b} has no values for {b}; describe it in the configuration file with `params` (docs/configuration.md)",
    ]);
  });

  test("is one of twenty with a weight at most", () => {
    const yaml = (count: number) =>
      `endpoints:\n${Array.from({ length: count }, (_, index) => `  - { path: /${index}, weight: 1 }\n`).join("")}`;
    expect(workloadOf(yaml(20))?.endpoints).toHaveLength(1);
    expect(problemsOf(() => workloadOf(yaml(21)))).toEqual([
      "l.yml:2:1: endpoints: at most 20 may have a weight; remove some",
    ]);
  });

  test("with a weight is one of a mix, in the place of the first", () => {
    const yaml = `endpoints:
  - { path: /a, weight: 3 }
  - /b
  - { method: POST, path: /c, body: {}, weight: 1 }
`;
    const mix = {
      mix: [
        { weight: 3, endpoint: { path: "/a" } },
        { weight: 1, endpoint: { path: "/c" } },
      ],
    };
    expect(workloadOf(yaml)?.endpoints).toMatchObject([mix, { path: "/b" }]);
    expect(workloadOf(yaml, { endpoints: "mix" })?.endpoints).toMatchObject([mix]);
    expect(workloadOf(yaml, { endpoints: "/a" })?.endpoints).toMatchObject([{ path: "/a" }]);
    expect(workloadOf(yaml)?.isMixPartial).toBeUndefined();
    expect(problemsOf(() => workloadOf("", { endpoints: "mix" }))).toEqual([
      expect.stringContaining('"mix" must start with /'),
    ]);
  });

  test("with a weight is in a part of the mix, which a job of a matrix names in one line", () => {
    const yaml = `endpoints:
  - { path: "/a/{id}", weight: 3, params: { id: [1] } }
  - { path: /b, query: { q: "x, y" }, weight: 1 }
  - { method: POST, path: /c, body: {}, weight: 1 }
`;
    const whole = workloadOf(yaml, { endpoints: "/a/{id}\nPOST /c\n/d" });
    if (whole === undefined) throw new Error("plan has a workload");
    const { endpoints } = matrixOf(makePlan(whole), whole);
    expect(endpoints).toEqual(["mix /a/{id}, POST /c", "/d"]);
    const job = workloadOf(yaml, { endpoints: endpoints[0] ?? "" });
    if (job === undefined) throw new Error("measure has a workload");
    expect(planForPart(makePlan(whole), job).cells.map(({ endpoint }) => endpoint)).toEqual([
      whole.endpoints[0],
      whole.endpoints[0],
    ]);
  });

  const partOf = (line: string, known: string) =>
    `endpoints: ${JSON.stringify(line)} must list two or more endpoints of the file that have a weight, each once, separated by ", "; ${known}`;
  test.for<readonly [endpoints: string, problems: readonly string[]]>([
    ["mix /a, POST /c", []],
    ["mix /a, POST /c\n/b", []],
    ["mix /a", [partOf("mix /a", "choose from /a, POST /c")]],
    ["mix /a,/c", [partOf("mix /a,/c", "choose from /a, POST /c")]],
    ["mix /a, /c", [partOf("mix /a, /c", "choose from /a, POST /c")]], // another method
    ["mix /a, /b\n/d", [partOf("mix /a, /b", "choose from /a, POST /c")]],
    ["mix /a, /a", [partOf("mix /a, /a", "choose from /a, POST /c")]],
    ["mix /a, GET /a", [partOf("mix /a, GET /a", "choose from /a, POST /c")]],
    ["mix\nmix /a, POST /c", ['endpoints: only one line may be a mix (got "mix" and "mix /a, POST /c")']],
  ])("in a part of a mix must have a weight: %j", ([endpoints, problems]) => {
    const yaml = `endpoints:
  - { path: /a, weight: 3 }
  - { path: /b, headers: { x: y } }
  - { method: POST, path: /c, body: {}, weight: 1 }
`;
    expect(problemsOf(() => workloadOf(yaml, { endpoints }))).toEqual(problems);
    expect(problemsOf(() => workloadOf("", { endpoints: "mix /a, /b" }))).toEqual([
      partOf("mix /a, /b", "no endpoint has a weight"),
    ]);
  });

  test("that nobody filled in is asked of the app, and so is `auto`", () => {
    const asked = (yaml: string, endpoints: string) => workloadOf(yaml, { endpoints });
    const usual = { include: [], exclude: [] };
    const line = { method: "GET", path: "/items/{id}" };
    expect(asked("", "/items/{id}")?.discovery).toMatchObject({
      isAll: false,
      isOnly: true,
      lines: [line],
      patterns: usual,
    });
    const mixed = asked("", "/a\n/items/{id}\nauto POST /b");
    expect(mixed?.endpoints).toEqual([{ method: "GET", path: "/a" }]);
    expect(mixed?.discovery).toMatchObject({
      isAll: false,
      isOnly: false,
      lines: [{ method: "POST", path: "/b" }, line],
    });
    expect(asked("", "auto")?.discovery).toMatchObject({
      isAll: true,
      isOnly: true,
      lines: [],
      patterns: usual,
    });
    expect(asked("", "/a")?.discovery).toBeUndefined();
    const chosen = "endpoints:\n  include: [/items/*, POST /orders]\n";
    const patterns = { include: ["/items/*", "POST /orders"], exclude: [] };
    expect(workloadOf(chosen)?.discovery).toEqual({
      label: "l.yml:2:1: endpoints:",
      isAll: true,
      isOnly: true,
      lines: [],
      patterns,
    });
    expect(asked(chosen, "/a\nauto")?.discovery).toMatchObject({ isOnly: false, patterns });
    expect(problemsOf(() => asked("", "auto FETCH /a\nauto b"))).toEqual([
      expect.stringContaining('endpoints: auto "b" must start with /'),
      expect.stringContaining('endpoints: auto "FETCH /a" has an unknown method'),
    ]);
    expect(problemsOf(() => read("endpoints:\n  includes: [/a]\n  exclude: [a b c]\n"))).toEqual([
      "l.yml:2:3: endpoints.includes: is not a key here; did you mean include?",
      'l.yml:3:13: endpoints.exclude.0: must be a path, with * as a wildcard, e.g. /items/* or POST /orders (got "a b c")',
    ]);
  });

  test.for<readonly [what: string, rest: string, place: string | undefined]>([
    ["a header", "headers: { X: '{key}' }", "0.headers.X"],
    ["a cookie", "headers: { Cookie: 'a={key}' }", "0.headers.Cookie"],
    ["a text of a body", "method: POST\n    body: 'a {key} b'", "0.body"],
    ["a part of a JSON body", "method: POST\n    body: { a: [{ b: '{key}' }] }", "0.body"],
    ["a message", "method: WS\n    body: 'a {key}'", "0.body"],
    ["a query", "query: { a: '{key}' }", "0.path"],
    ["a query language", "method: POST\n    body: { query: '{user{id}}' }", undefined],
    ["a count of repetitions", "method: POST\n    body: 'a{3}'", undefined],
  ])("a name in %s that nothing fills in is refused", ([, rest, place]) => {
    const yaml = (more: string) => `endpoints:\n  - path: /a\n    ${rest}\n${more}`;
    const unknown =
      place === undefined ? [] : [expect.stringMatching(`endpoints.${place}: has no values? for {key}`)];
    expect(place === undefined ? [] : problemsOf(() => read(yaml("")))).toEqual(unknown);
    expect(() => read(yaml("  - path: /b\n    capture: { key: /a }\n"))).not.toThrow();
    if (place !== undefined) expect(() => read(yaml("    params: { key: [1] }\n"))).not.toThrow();
  });

  test("every mistake is told at once, with its place", () => {
    const yaml = `endpoints:
  - path: items
    methd: GET
  - path: /a/{b}/{c}
    params:
      b: { from: 5, to: 1 }
      c: []
  - path: /a/{b}
    params: { d: [1] }
  - path: /a
    body: { x: 1 }
  - method: FETCH
    path: "/a b"
    weight: 0
    expect: { status: 404, text: x }
    headers: { "a b": c, d: 1 }
    params: { x: 5 }
  - 7
`;
    expect(problemsOf(() => read(yaml))).toEqual([
      'l.yml:2:5: endpoints.0.path: must start with / (got "items")',
      "l.yml:3:5: endpoints.0.methd: is not a key here; did you mean method?",
      "l.yml:6:21: endpoints.1.params.b.to: must not be below from (5) (got 1)",
      "l.yml:7:7: endpoints.1.params.c: is empty; add at least one value (got [])",
      expect.stringContaining("l.yml:8:5: endpoints.2.path: has no values for {b}; add them"),
      expect.stringContaining("l.yml:9:15: endpoints.2.params.d: is never used; put {d} in the path"),
      expect.stringContaining(
        "l.yml:11:5: endpoints.3.body: needs a method that sends one, e.g. method: POST",
      ),
      expect.stringContaining("l.yml:12:5: endpoints.4.method: must be one of GET, POST"),
      expect.stringContaining("l.yml:13:5: endpoints.4.path: must have no spaces"),
      expect.stringContaining("l.yml:14:5: endpoints.4.weight: must be at least 1"),
      expect.stringContaining("l.yml:15:15: endpoints.4.expect.status: must be from 200 to 399"),
      expect.stringContaining("l.yml:15:28: endpoints.4.expect.text: is not a key here"),
      expect.stringContaining("l.yml:16:16: endpoints.4.headers.a b: "),
      expect.stringContaining("l.yml:16:26: endpoints.4.headers.d: must be text"),
      expect.stringContaining("l.yml:17:15: endpoints.4.params.x: must be a range ({ from: 1, to: 1000 })"),
      expect.stringContaining("l.yml:18:5: endpoints.5: must be a line, e.g. POST /orders, or a mapping"),
    ]);
    const long = `endpoints:\n  - { method: POST, path: /a, body: ${"x".repeat(100_001)} }\n`;
    expect(problemsOf(() => read(long))).toEqual([
      expect.stringContaining("endpoints.0.body: must have at most 100000 characters"),
    ]);
  });
});

test("a file of identities is found from the configuration's folder", () => {
  const login = 'login: { headers: { X: "{name}" }, users: { csv: users.csv } }\n';
  expect(workloadOf(login)?.login).toMatchObject({ usersFrom: { kind: "csv", file: "/repo/users.csv" } });
});

test("a compose file is found from the configuration's folder, too", () => {
  const { services } = workloadOf("services: { search: { compose: c.yml } }\n") ?? {};
  expect(services).toMatchObject([{ name: "search", composed: { file: "/repo/c.yml" }, programs: [] }]);
});

test("a token may be a cookie of the reply, which is a header of its own", () => {
  const login = (more: string) => `login: { path: /in, form: { a: b }, token: { cookie: sid }${more} }\n`;
  expect(read(login("")).login).toMatchObject({ request: { token: { cookie: "sid" } } });
  expect(problemsOf(() => read(login(", header: X, scheme: Y")))).toEqual([
    expect.stringContaining("login.header: cannot be combined with a token in a cookie"),
    expect.stringContaining("login.scheme: cannot be combined with a token in a cookie"),
  ]);
  expect(problemsOf(() => read("login: { command: make, token: { cookie: sid } }\n"))).toEqual([
    expect.stringContaining("login.token: cannot be a cookie"),
  ]);
  const token = (text: string) =>
    problemsOf(() => read(`login: { path: /in, form: { a: b }, token: ${text} }\n`));
  expect(token("[a]")).toEqual([
    expect.stringContaining(
      "login.token: must be a path in the response's JSON, e.g. access_token, or one of its cookies",
    ),
  ]);
  expect(token("{ cookie: a b }")).toEqual([
    expect.stringContaining("login.token.cookie: must be the name of a cookie"),
  ]);
});

describe("values that a reply holds for later steps", () => {
  const session = `endpoints:
  - { method: POST, path: /orders, body: { item: 1 }, capture: { order: /id, at: { header: Location }, sid: { cookie: session } } }
  - { method: PUT, path: "/orders/{order}/{line}", body: { id: "{order}", text: "else" }, params: { line: [1, 2] } }
`;

  test("are named where they come from and where they go", () => {
    const [post, put] = read(session).forms;
    expect(post).toMatchObject({
      captures: [
        { name: "order", kind: "json", place: "/id" },
        { name: "at", kind: "header", place: "Location" },
        { name: "sid", kind: "cookie", place: "session" },
      ],
    });
    expect(post?.needs).toBeUndefined();
    expect(put).toMatchObject({ needs: ["order"] });
    expect(put?.captures).toBeUndefined();
  });

  test("go to later steps of an iteration, also to those of one line", () => {
    const steps = "POST /orders\nPUT /orders/{order}/{line}\nGET /orders/{order}";
    const workload = workloadOf(session, { iteration: steps });
    expect(workload?.endpoints).toMatchObject([
      { steps: [{ path: "/orders" }, { path: "/orders/{order}/{line}" }, { path: "/orders/{order}" }] },
    ]);
  });

  test.for<readonly [what: string, run: () => unknown, problem: string]>([
    [
      "no step before",
      () => workloadOf(session, { iteration: "PUT /orders/{order}/{line}\nPOST /orders" }),
      "iteration: PUT /orders/{order}/{line} needs {order}, which no earlier step captures; add one that does",
    ],
    [
      "a line before it",
      () => workloadOf(session, { iteration: "GET /orders/{order}\nPOST /orders" }),
      "iteration: GET /orders/{order} has no values for {order}",
    ],
    [
      "no iteration",
      () => workloadOf(session),
      "l.yml:4:5: endpoints: PUT /orders/{order}/{line} needs {order} from another request; list both in `iteration`, in order",
    ],
    [
      "no pointer",
      () => read("endpoints: [{ path: /, capture: { a: id } }]"),
      "l.yml:1:35: endpoints.0.capture.a: must be a JSON pointer, e.g. /id",
    ],
    [
      "neither",
      () => read("endpoints: [{ path: /, capture: { a: 1 } }]"),
      "endpoints.0.capture.a: must be a JSON pointer (/items/0/id), a header",
    ],
    [
      "a value of nobody",
      () => read("endpoints: [{ path: '/{a}' }, { path: /, capture: { b: /id } }]"),
      "l.yml:1:15: endpoints.0.path: has no values for {a}; add them",
    ],
  ])("with %s are refused", ([, run, problem]) => {
    expect(problemsOf(run).join("\n")).toContain(problem);
  });
});
