import { describe, expect, test } from "vitest";

import { learn } from "../../../src/init/tests/learning.ts";
import type { Replacement } from "../../../src/init/tests/recording.ts";
import { moduleWithoutLogin, proposeReplacement } from "../../../src/init/tests/replacement.ts";
import { recordingOf } from "./recorded.ts";

const value = (source: string, imports: readonly string[] = [], number = 0): Replacement => ({
  ...{ kind: "replacement", number, name: "shop.deps:user", source, imports: [...imports] },
});

test.for<
  readonly [
    what: string,
    app: string,
    replaced: Readonly<Record<string, Replacement | undefined>>,
    lines: readonly string[],
  ]
>([
  [
    "the guard, and nothing that is read from",
    "shop.main:app",
    { "shop.deps:get_current_user": undefined, "shop.db:get_session": value("1") },
    [
      "from shop.main import app",
      "from shop.deps import get_current_user",
      "app.dependency_overrides[get_current_user] = lambda: ...",
    ],
  ],
  [
    "several guards of an app that a function makes, with what their tests return",
    "shop:make()",
    { "shop:admin": value("User(id=UUID('1'))", ["shop:User", "uuid:UUID"]), "shop.a:token": value("None") },
    [
      "from shop import make",
      "from shop import admin",
      "from shop.a import token",
      "from shop import User",
      "from uuid import UUID",
      "app = make()",
      "app.dependency_overrides[admin] = lambda: User(id=UUID('1'))",
      "app.dependency_overrides[token] = lambda: None",
    ],
  ],
  [
    "a method of a module's object",
    "shop:app",
    { "shop.users:service.get_user": value("datetime.date(2026, 1, 1)", ["datetime:"]) },
    [
      "from shop import app",
      "from shop.users import service",
      "import datetime",
      "app.dependency_overrides[service.get_user] = lambda: datetime.date(2026, 1, 1)",
    ],
  ],
  ["nothing of the tests' own", "shop:app", { "tests.conftest:user": value("1") }, []],
  [
    "no name that cannot be imported",
    "shop:app",
    { "shop:Users.<locals>.user": undefined, x: undefined },
    [],
  ],
  ["nothing without a name of the app", "", { "shop:user": undefined }, []],
])("a module replaces %s", ([, app, replaced, lines]) => {
  expect(moduleWithoutLogin(app, new Map(Object.entries(replaced)))).toEqual(lines);
});

describe("a proposal", () => {
  const proposed = (made: Replacement | undefined) =>
    proposeReplacement("shop:app", new Map([["shop:user", made]]));

  test("shows the module", () => {
    expect(proposed(value("1")).flatMap(({ lines }) => lines)).toEqual([
      "app: app_without_login:app",
      "  from shop import app",
      "  from shop import user",
      "  app.dependency_overrides[user] = lambda: 1",
    ]);
  });

  test("says how to have it written, unless a value is missing", () => {
    expect(proposed(value("1"))[0]?.reason).toContain("run `init --replace-login --overwrite`, or save");
    expect(proposed(undefined)[0]?.reason).toContain("with what the tests return in place of the dots");
  });

  test("is not made where the tests replace no login", () => {
    expect(proposeReplacement("shop:app", new Map())).toEqual([]);
  });
});

describe("what the tests replace", () => {
  const overrides = ["shop.deps:user", "shop.db:get_db"];
  const values = new Map(["1", "2", "2", "3"].map((source, number) => [number, value(source, [], number)]));
  const requests = [
    { path: "/a", overrides, values: [0] },
    { path: "/a", overrides, values: [0] },
    { path: "/b", overrides, values: [1, 7] },
    { path: "/c", overrides, values: [3] },
    { path: "/c", overrides, values: [2], query: "q=2" },
    { path: "/d", overrides },
  ];
  const { replaced, routes } = learn(recordingOf(requests, {}, values), {});

  test("has the value with which most routes answered", () => {
    expect([...replaced]).toEqual([
      ["shop.deps:user", value("2", [], 1)],
      ["shop.db:get_db", undefined],
    ]);
  });

  test("shows only requests with that value, where a route has one", () => {
    expect(routes.map((all) => all.map(({ template, query }) => template + query))).toEqual([
      ["/a"],
      ["/b"],
      ["/c?q=2"],
      ["/d"],
    ]);
  });
});
