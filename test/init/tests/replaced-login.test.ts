import { expect, test } from "vitest";

import { proposeReplacement } from "../../../src/init/tests/credentials.ts";

test.for<readonly [what: string, app: string, replaced: readonly string[], lines: readonly string[]]>([
  [
    "the guard, and nothing that is read from",
    "shop.main:app",
    ["shop.deps:get_current_user", "shop.db:get_session"],
    [
      "app: loadtest_app:app",
      "  from shop.main import app",
      "  from shop.deps import get_current_user",
      "  app.dependency_overrides[get_current_user] = lambda: ...",
    ],
  ],
  [
    "several guards of an app that a function makes",
    "shop:make()",
    ["shop:admin", "shop.a:token"],
    [
      "app: loadtest_app:app",
      "  from shop import make",
      "  from shop import admin",
      "  from shop.a import token",
      "  app = make()",
      "  app.dependency_overrides[admin] = lambda: ...",
      "  app.dependency_overrides[token] = lambda: ...",
    ],
  ],
  ["nothing of the tests' own", "shop:app", ["tests.conftest:user"], []],
  ["no name that cannot be imported", "shop:app", ["shop:Users.<locals>.user", "x"], []],
  ["nothing without a name of the app", "", ["shop:user"], []],
])("replaces %s", ([, app, replaced, lines]) => {
  expect(proposeReplacement(app, replaced).flatMap((each) => each.lines)).toEqual(lines);
});
