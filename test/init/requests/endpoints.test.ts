import { expect, test } from "vitest";

import {
  candidatesOf,
  documentedEndpoints,
  limited,
  routesIn,
  type SuggestedEndpoint,
} from "../../../src/init/requests/endpoints.ts";

const id = { in: "path", name: "id", required: true, schema: { type: "integer" } };
const paths = {
  "/health": { get: {} },
  "/items": { get: {}, post: {} },
  "/items/{id}": { get: { parameters: [id] } },
  "/me": { get: { security: [{ bearer: [] }] } },
};
const lines = (all: readonly SuggestedEndpoint[]) =>
  all.map(({ line, reason }) => (reason === undefined ? line : `# ${line}: ${reason}`));

test("of an app that was not checked, nothing is measured", () => {
  expect(lines(documentedEndpoints({ paths }))).toEqual([
    "# /health: was not checked",
    "# /items: was not checked",
    "# /items/{id}: was not checked",
    "# /me: was not checked",
    "# POST /items: writes, so it was not tried",
  ]);
});

test("a request that writes is shown as the document describes it", () => {
  const json = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
  const title = json({ type: "object", required: ["title"], properties: { title: { type: "string" } } });
  const long = json({ type: "string", example: "a".repeat(600) });
  const file = { requestBody: { required: true, content: { "multipart/form-data": {} } } };
  const { others } = candidatesOf({
    paths: {
      "/items/{id}": { patch: { parameters: [id], ...title }, delete: { parameters: [id] } },
      "/long": { post: long },
      "/docs": { get: {} },
      "/file": { post: file },
    },
  });
  const reason = "writes, so it was not tried";
  expect(others).toEqual([
    {
      line: "PATCH /items/{id}",
      form: { path: "/items/{id}", method: "PATCH", body: { title: "text" } },
      reason,
    },
    { line: "DELETE /items/{id}", reason },
    { line: "POST /long", reason },
    { line: "/docs", reason: "shows the documentation" },
    { line: "POST /file", reason: "needs a body that is not JSON" },
  ]);
});

test("what cannot be filled in is not tried, but parameters of the path are for later, and a query is invented", () => {
  const word = { in: "query", name: "q", required: true, schema: { type: "string" } };
  const state = { in: "path", name: "state", required: true, example: "open" };
  const kind = { in: "path", name: "kind", required: true, schema: { $ref: "#/components/schemas/Kind" } };
  const { candidates, others } = candidatesOf({
    components: { schemas: { Kind: { enum: ["a", "b"] } } },
    paths: {
      "/a/{id}": { parameters: [id], get: {} },
      "/b": { get: { parameters: [word] } },
      "/c/{state}": { get: { parameters: [state] } },
      "/d/{kind}": { get: { parameters: [kind] } },
      "/e": { get: { parameters: [{ in: "cookie", name: "c", required: true, schema: { enum: ["a"] } }] } },
    },
  });
  expect(candidates.map(({ form, names }) => [form.params, names])).toEqual([
    [{ id: { kind: "list", values: ["loadtest-invented"] } }, ["id"]],
    [{}, []],
    [{ state: { kind: "list", values: ["open"] } }, ["state"]],
    [{ kind: { kind: "list", values: ["a"] } }, ["kind"]],
  ]);
  expect(
    candidates.flatMap(({ form, lacks }) => (lacks === undefined ? [] : [form.endpoint.path, lacks])),
  ).toEqual(["/b?q=text", "has no example value for its parameter q"]);
  expect(lines(others)).toEqual(["# /e: needs its cookie c"]);
});

test("where more than twenty answer, the parts of the app take turns, and health checks come last", () => {
  const of = (part: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ line: `/api/v1/{shop}/${part}/${n}`, reason: undefined }));
  const health = { line: "/health", reason: undefined };
  const all = [
    health,
    ...of("about", 18),
    ...of("orders", 12),
    ...of("items", 2),
    { line: "/", reason: undefined },
  ];
  const kept = limited(all).filter(({ reason }) => reason === undefined);
  expect(kept).toEqual([
    ...of("about", 9),
    ...of("orders", 8),
    ...of("items", 2),
    { line: "/", reason: undefined },
  ]);
  const few = [health, ...of("about", 18)];
  expect(limited(few)).toEqual([...of("about", 18), health]);
});

test("more than twenty are left out, and more than sixty not even shown", () => {
  const many = Array.from({ length: 70 }, (_, n) => ({ line: `/p${n}`, reason: undefined }));
  const suggested = limited(many);
  expect(suggested).toHaveLength(60);
  const reasons = suggested.map(({ reason }) => reason).slice(0, 21);
  expect(reasons).toEqual([...Array.from({ length: 20 }), "left out for brevity"]);
});

test("paths that code names, where the app cannot be asked", () => {
  const text = `
@app.get("/a")
async def a(): ...
@app.route('/b')
@router.get("/c/{id}")
@app.post("/d")
routes = [
    Route("/e", e),
    path("f/", f),
]
@get("/a")
`;
  expect(
    lines(
      routesIn([
        { path: "a.py", text },
        { path: "b.txt", text: '@app.get("/no")' },
      ]),
    ),
  ).toEqual(["/a", "/b", "/e", "/f/"]);
});

test("documents that are called docs are no documentation", () => {
  const measured = (paths: object) =>
    candidatesOf({ paths }).candidates.map(({ endpoint: { path } }) => path);
  expect(measured({ "/docs": { get: {}, post: {} } })).toEqual(["/docs"]);
  expect(measured({ "/docs/": { get: {} }, "/docs/{id}": { get: { parameters: [id] } } })).toEqual([
    "/docs/",
    "/docs/{id}",
  ]);
  expect(measured({ "/docs": { get: {} }, "/docs-old": { get: {} } })).toEqual(["/docs-old"]);
});
