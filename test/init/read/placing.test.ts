import { expect, test } from "vitest";
import { placeApps } from "../../../src/init/read/apps.ts";
import type { NonEmptyArray } from "../../../src/lists/non-empty.ts";
import type { FoundApp } from "../../../src/model/workload/workload.ts";

const app = (folder: string, importString = "main:app"): FoundApp => ({
  importString,
  folder,
  framework: "FastAPI",
});

test.for<
  readonly [
    apps: NonEmptyArray<FoundApp>,
    places: (readonly [name: string | undefined, path: string, from: string])[],
  ]
>([
  [[app(".")], [[undefined, ".github/loadtest.yml", "."]]],
  [[app("services/shop")], [[undefined, ".github/loadtest.yml", "."]]],
  [
    [app("services/shop"), app("web")],
    [
      ["shop", "services/shop/loadtest.yml", "services/shop"],
      ["web", "web/loadtest.yml", "web"],
    ],
  ],
  [
    [app("shop/api"), app("bills/api")],
    [
      ["shop/api", "shop/api/loadtest.yml", "shop/api"],
      ["bills/api", "bills/api/loadtest.yml", "bills/api"],
    ],
  ],
  [
    [app(".", "web.main:app"), app("demo")],
    [
      ["web", ".github/loadtest.yml", "."],
      ["demo", "demo/loadtest.yml", "demo"],
    ],
  ],
  [
    [app(".", "demo:app"), app("services/demo")],
    [
      ["demo", ".github/loadtest.yml", "."],
      ["services/demo", "services/demo/loadtest.yml", "services/demo"],
    ],
  ],
  [
    [app("Läden Co"), app("x")],
    [
      ["L-den-Co", "Läden Co/loadtest.yml", "Läden Co"],
      ["x", "x/loadtest.yml", "x"],
    ],
  ],
  [
    [app("services/用户"), app("services/订单"), app("services/车辆")],
    [
      ["services/--", "services/用户/loadtest.yml", "services/用户"],
      ["services/---2", "services/订单/loadtest.yml", "services/订单"],
      ["services/---3", "services/车辆/loadtest.yml", "services/车辆"],
    ],
  ],
  [
    [app("one/a b"), app("two/a-b")],
    [
      ["one/a-b", "one/a b/loadtest.yml", "one/a b"],
      ["two/a-b", "two/a-b/loadtest.yml", "two/a-b"],
    ],
  ],
  [
    [app("a b"), app("a-b"), app("a-b-2")],
    [
      ["a-b", "a b/loadtest.yml", "a b"],
      ["a-b-2", "a-b/loadtest.yml", "a-b"],
      ["a-b-2-2", "a-b-2/loadtest.yml", "a-b-2"],
    ],
  ],
  [
    [app(`x/${"y".repeat(70)}`), app(`z/${"y".repeat(70)}`)],
    [
      ["y".repeat(60), `x/${"y".repeat(70)}/loadtest.yml`, `x/${"y".repeat(70)}`],
      [`${"y".repeat(58)}-2`, `z/${"y".repeat(70)}/loadtest.yml`, `z/${"y".repeat(70)}`],
    ],
  ],
])("%j", ([apps, places]) => {
  const expected = places.map(([name, path, from], index) => ({ app: apps[index], name, path, from }));
  expect(placeApps(apps)).toEqual(expected);
});

test.for(["$" + "{{ github.token }}", "a\nb", " a", "a ", "a#b", "a: b", '"a"', "*.yml"])(
  "a workflow does not name the folder %j",
  (folder) => {
    expect(() => placeApps([app(folder), app("x")])).toThrow(
      `working-directory: ${JSON.stringify(folder)} cannot be used in a workflow; rename it, or choose other folders with --working-directory`,
    );
    expect(placeApps([app(folder)])).toHaveLength(1);
  },
);
