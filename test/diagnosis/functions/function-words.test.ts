import { expect, test } from "vitest";

import { adviceFor, ownerWords } from "../../../src/diagnosis/functions/function-words.ts";
import { loopOwner, type Owner, threadsOwner } from "../../../src/diagnosis/functions/owner.ts";

const owner = (kind: Owner["kind"], where: string, name: string): Owner => ({
  ...{ kind, where, function: name, first: 1, last: 2, names: [] },
});

test.for<readonly [owner: Owner, words: string]>([
  [owner("own", "app/price.py", "quote"), "`quote()`"],
  [owner("own", "app/price.py", "`quote`"), "`'quote'()`"],
  [owner("own", "app/price.py", "Shop.close.<locals>.inner"), "`Shop.close.inner()`"],
  [owner("own", "rows.py", "rows_of.<locals>.<listcomp>.<dictcomp>"), "a comprehension in `rows_of()`"],
  [owner("own", "rows.py", "Row.name.<locals>.<genexpr>"), "a generator expression in `Row.name()`"],
  [owner("own", "rows.py", "close.<locals>.inner.<locals>.<lambda>"), "a lambda in `close.inner()`"],
  [owner("own", "rows.py", "<lambda>"), "`<lambda>()`"],
  // The name of a function of the user's says nothing about a stage of FastAPI.
  [owner("own", "app/price.py", "serialize_response"), "`serialize_response()`"],
  [owner("library", "fastapi", "serialize_response"), "serialising the response (fastapi)"],
  [owner("library", "starlette", "JSONResponse.render"), "writing the response (starlette)"],
  [owner("library", "fastapi", "solve_dependencies"), "reading the request (fastapi)"],
  [owner("library", "starlette", "GZipResponder.send"), "`GZipResponder.send()` of starlette"],
  [owner("library", "asyncpg", ""), "code of `asyncpg`"],
  [owner("library", "threads", ""), "code of `threads`"],
  [owner("collector", "python", ""), "Python's garbage collector"],
  [loopOwner, "event loop and server code"],
  [threadsOwner, "handing work to threads"],
])("%j", ([named, words]) => {
  expect(ownerWords(named)).toBe(words);
});

test("the collector is advised on as such, if it takes more", () => {
  const collector = owner("collector", "python", "");
  expect(adviceFor({ kind: "unknown", spot: undefined }, true, collector)).toMatch(/^Create fewer objects/);
  expect(adviceFor({ kind: "unknown", spot: undefined }, false, collector)).toBe("Nothing to do.");
});
