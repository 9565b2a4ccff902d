import { expect, test } from "vitest";

import { adviceFor, subjectOf } from "../../../src/diagnosis/functions/function-words.ts";
import { loopOwner, type Owner, threadsOwner } from "../../../src/diagnosis/functions/owner.ts";

const owner = (kind: Owner["kind"], where: string, name: string): Owner => ({
  ...{ kind, where, function: name, first: 1, last: 2, names: [] },
});

test.for<readonly [told: Owner, words: string]>([
  [owner("own", "app/price.py", "quote"), "`quote()`"],
  [owner("own", "app/price.py", "`quote`"), "`'quote'()`"],
  [owner("own", "app/price.py", "Shop.close.<locals>.inner"), "`Shop.close.inner()`"],
  [owner("own", "rows.py", "rows_of.<locals>.<listcomp>.<dictcomp>"), "A comprehension of `rows_of()`"],
  [owner("own", "rows.py", "Row.name.<locals>.<genexpr>"), "A generator expression of `Row.name()`"],
  [owner("own", "rows.py", "close.<locals>.inner.<locals>.<lambda>"), "A lambda of `close.inner()`"],
  [owner("own", "rows.py", "<lambda>"), "`<lambda>()`"],
  // The name of a function of the user's says nothing about a stage of FastAPI.
  [owner("own", "app/price.py", "serialize_response"), "`serialize_response()`"],
  [owner("library", "fastapi", "serialize_response"), "Serialising the reply (fastapi)"],
  [owner("library", "starlette", "JSONResponse.render"), "Writing the reply (starlette)"],
  [owner("library", "fastapi", "solve_dependencies"), "Reading the request (fastapi)"],
  [owner("library", "starlette", "GZipResponder.send"), "`GZipResponder.send()` of starlette"],
  [owner("library", "asyncpg", ""), "Code of `asyncpg`"],
  [owner("library", "threads", ""), "Code of `threads`"],
  [owner("collector", "python", ""), "Python's garbage collector"],
  [loopOwner, "What the event loop and the server do for `GET /'orders'`"],
  [threadsOwner, "Handing work to threads"],
])("%j", ([told, words]) => {
  expect(subjectOf(told, { endpoint: "GET /`orders`" })).toBe(words);
});

test("the collector is advised on as such, if it takes more", () => {
  const collector = owner("collector", "python", "");
  expect(adviceFor({ kind: "unknown", spot: undefined }, true, collector)).toMatch(/^Make fewer objects/);
  expect(adviceFor({ kind: "unknown", spot: undefined }, false, collector)).toBe("Keep it.");
});
