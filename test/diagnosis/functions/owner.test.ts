import { expect, test } from "vitest";

import { ownerOf } from "../../../src/diagnosis/functions/owner.ts";
import type { StackFrame } from "../../../src/model/findings/stack-document.ts";
import { foreign, frame, stacks } from "./samples.ts";

const quote = frame();
const route = frame({ function: "orders", file: "app/orders.py" });
const middleware = frame({ function: "Stamp.__call__", file: "app/stamp.py", isApp: true });
const router = foreign("starlette", "Router.app", { isApp: true });
const copy = foreign("python", "deepcopy");
const endpointCall = foreign("fastapi", "run_endpoint_function");
const replies = foreign("fastapi", "get_request_handler.<locals>.app");
const serialise = foreign("fastapi", "serialize_response");
const dump = foreign("pydantic", "dump");
const comprehension = frame({ function: "quote.<locals>.<genexpr>" });
const list = frame({ function: "quote.<locals>.<listcomp>" });
const nested = frame({ function: "quote.<locals>.<listcomp>.<dictcomp>" });
const lambda = frame({ function: "quote.<locals>.<genexpr>.<locals>.<lambda>" });
const collector = foreign("python", "(garbage collector)");
const server = foreign("uvicorn", "H11Protocol.data_received");
const run = foreign("python", "Runner.run");

test.for<[what: string, stack: readonly StackFrame[], owner: string, callers: readonly string[]]>([
  ["the user's function", [quote, route, endpointCall, replies, router, middleware], "own quote", ["orders"]],
  ["what others' code does for it", [copy, copy, quote, route, router], "own quote", ["orders"]],
  ["a comprehension's function", [comprehension, quote, route, router], "own quote", ["orders"]],
  ["the function of one within another", [nested, list, quote, route], "own quote", ["orders"]],
  ["the function of a lambda in it", [lambda, comprehension, quote, route], "own quote", ["orders"]],
  [
    "a comprehension that another function runs",
    [comprehension, route],
    "own quote.<locals>.<genexpr>",
    ["orders"],
  ],
  ["a comprehension alone", [comprehension], "own quote.<locals>.<genexpr>", []],
  ["a middleware's own work", [middleware, router, server], "own Stamp.__call__", []],
  [
    "a stage of the framework, not the middleware around it",
    [dump, serialise, replies, router, middleware],
    "library serialize_response",
    [],
  ],
  ["the framework that hands a request on", [replies, router, middleware], "library ", []],
  ["the server", [server, run], "library ", []],
  ["the collector, not whom it met", [collector, quote, route], "collector ", ["orders"]],
  ["no frame at all", [], "library ", []],
])("%s", ([, stack, owner, callers]) => {
  const document = stacks([
    { stack: stack.map((each) => [each, each.file === null ? 0 : 12]), microseconds: 1 },
  ]);
  const { owner: found, steps } = ownerOf(document, 0);
  expect(`${found.kind} ${found.function}`).toBe(owner);
  expect(steps.slice(1).map((each) => each.frame.function)).toEqual(callers);
});

test("a comprehension's line is the function's", () => {
  const stack = [[comprehension, 14] as const, [quote, 13] as const];
  expect(ownerOf(stacks([{ stack, microseconds: 1 }]), 0).steps).toEqual([{ frame: quote, line: 14 }]);
});

test("the function that answers is the one that FastAPI asked", () => {
  const stack = [quote, route, endpointCall, replies, router].map((each) => [each, 12] as const);
  expect(ownerOf(stacks([{ stack, microseconds: 1 }]), 0).handler?.frame).toBe(route);
});

test("a frame that is not there is left out, and a stack that is not there has none", () => {
  const document = stacks([{ stack: [[quote, 12]], microseconds: 1 }]);
  const broken = { ...document, stacks: [[7, 1, 0, 12]] };
  expect(ownerOf(broken, 0).owner.function).toBe("quote");
  expect(ownerOf(broken, 3).owner).toMatchObject({ kind: "library", where: "python" });
});
