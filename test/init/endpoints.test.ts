import { expect, test } from "vitest";

import { routesIn, suggestEndpoints } from "../../src/init/endpoints.ts";

const id = { in: "path", name: "id", required: true, schema: { type: "integer" } };
const paths = {
  "/health": { get: {} },
  "/items": { get: {}, post: {} },
  "/items/{id}": { get: { parameters: [id] } },
  "/me": { get: { security: [{ bearer: [] }] } },
};
const lines = (all: ReturnType<typeof suggestEndpoints>) =>
  all.map(({ line, reason }) => (reason === undefined ? line : `# ${line}: ${reason}`));

test("what reads and can be filled in is measured, health checks last", () => {
  expect(lines(suggestEndpoints({ paths }, true))).toEqual([
    "/items",
    "# POST /items: writes, so say what it is sent: docs/endpoints.md",
    "/items/{id}",
    "# /me: asks for a login; say how (`login`)",
    "/health",
  ]);
});

test("nothing is asked for what nobody put there", () => {
  expect(lines(suggestEndpoints({ paths }, false))).toContain(
    "# /items/{id}: needs something that exists: seed it, or say `params`",
  );
});

test("more than five are left out, and more than forty not even shown", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`/p${n}`, { get: {} }]));
  const suggested = suggestEndpoints({ paths: many }, true);
  expect(suggested).toHaveLength(40);
  expect(suggested.map(({ reason }) => reason).indexOf("left out to keep it short")).toBe(5);
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
