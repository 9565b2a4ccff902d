import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors/errors.ts";
import { discoverEndpoints } from "../../../src/measure/preparation/discovered-endpoints.ts";
import type { Login } from "../../../src/model/endpoint/login.ts";
import { makePlan, matrixOf } from "../../../src/model/plan/plan.ts";
import type { ProgressEvent } from "../../../src/ports/progress.ts";
import type { EndpointPorts } from "../../../src/ports/run.ts";
import { workloadOf } from "../run-measure.ts";

const id = { in: "path", name: "id", required: true, schema: { type: "integer" } };
const guarded = { security: [{ bearer: [] }] };
const body = { content: { "application/json": { example: { a: 1 } } } };
const usual = {
  paths: {
    "/": { get: {} },
    "/items/{id}": { get: { parameters: [id] } },
    "/me": { get: guarded },
    "/o": { post: { requestBody: body } },
  },
};

async function discovered(raw: Record<string, string>, document: unknown = usual, login?: Login) {
  const events: ProgressEvent[] = [];
  const asked: unknown[] = [];
  const ports: EndpointPorts = {
    progress: (event) => events.push(event),
    readTable: () => Promise.reject(new Error("nobody asks")),
    readOpenApi: async ({ app }) => {
      asked.push([app.importString, app.variables]);
      if (typeof document !== "string") return { document };
      return {
        problem: document,
        ...(document.endsWith("of its own") && { detail: { kind: "no document" } }),
      };
    },
  };
  const workload = await discoverEndpoints({ ...workloadOf(raw), login }, ports);
  const warnings = events.flatMap((event) => (event.kind === "warning" ? [event.text] : []));
  return { workload, warnings, asked };
}
const problemsOf = async (raw: Record<string, string>, document?: unknown) =>
  discovered(raw, document).then(
    () => [],
    (error: unknown) => (error instanceof InputError ? error.problems : [error]),
  );

describe("the app's own endpoints", () => {
  test("are measured once, however often they are asked for", async () => {
    const { workload } = await discovered({
      endpoints: "auto\nauto GET /items/{id}\n/items/{id}",
    });
    expect(workload.endpoints.map((each) => ("path" in each ? each.path : ""))).toEqual(["/items/{id}", "/"]);
  });

  test("are asked for only where they are wanted", async () => {
    expect((await discovered({ endpoints: "/a" })).asked).toEqual([]);
    expect((await discovered({ endpoints: "auto", "app-env": "A=b" })).asked).toEqual([
      ["app.main:app", { A: "b" }],
    ]);
  });

  test("are measured, and what cannot be is told", async () => {
    const { workload, warnings } = await discovered({ endpoints: "auto" });
    expect(workload.endpoints).toMatchObject([{ path: "/" }, { path: "/items/{id}" }]);
    expect(workload.forms).toHaveLength(2);
    expect(warnings).toEqual(["GET /me is not measured: it needs a login; set up `login`"]);
    const login = { headers: {}, request: undefined, place: "" };
    expect((await discovered({ endpoints: "auto" }, usual, login)).workload.endpoints).toHaveLength(3);
  });

  test("are not measured twice where they are named", async () => {
    const { workload } = await discovered({ endpoints: "/\n/items/{id}\nauto" });
    expect(workload.endpoints.map((each) => ("path" in each ? each.path : ""))).toEqual(["/", "/items/{id}"]);
    const steps = await discovered({ endpoints: "/items/7?x=1\nauto" });
    expect(steps.workload.endpoints).toHaveLength(3);
  });

  test("fill lines in, and go through a job matrix as such", async () => {
    const { workload } = await discovered({ endpoints: "/a\n/items/{id}\nauto POST /o" });
    expect(workload.endpoints).toMatchObject([
      { path: "/a" },
      { method: "POST", path: "/o", form: expect.any(String) },
      { path: "/items/{id}", form: expect.any(String) },
    ]);
    const { endpoints } = matrixOf(makePlan(workload), workload);
    expect(endpoints).toEqual(["/a", "auto POST /o", "auto /items/{id}"]);
    const again = await discovered({ endpoints: endpoints[2] ?? "" });
    expect(again.workload.endpoints).toEqual([workload.endpoints[2]]);
  });

  test.for<readonly [endpoints: string, document: unknown, problem: string]>([
    ["auto", "no such module", "endpoints: the app cannot be imported: no such module"],
    [
      "auto",
      "a:b has no document of its own",
      "endpoints: a:b has no document of its own; list the endpoints with their parameters",
    ],
    ["auto", {}, "endpoints: auto finds no endpoint that can be requested (the app has none); list"],
    ["auto", { paths: { "/a": { post: {} } } }, "can be requested (the app has POST /a); list"],
    [
      "/b/{c}",
      usual,
      "endpoints: GET /b/{c} is not among the app's endpoints; write it in the configuration",
    ],
    ["auto /me", usual, "endpoints: GET /me needs a login"],
    [
      "auto",
      { paths: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`/${index}`, { get: {} }])) },
      "endpoints: auto finds 101 endpoints, and a report has at most 100",
    ],
  ])("%s is refused", async ([endpoints, document, problem]) => {
    expect(await problemsOf({ endpoints }, document)).toEqual([expect.stringContaining(problem)]);
  });
});
