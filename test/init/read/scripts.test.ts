import { expect, test } from "vitest";

import { proposeScripts, scriptSettings } from "../../../src/init/read/scripts.ts";
import { cpuMs } from "../../cpu-time.ts";

const locust = "from locust import HttpUser, task\n\nclass Shopper(HttpUser):\n    pass\n";
const k6 = 'import http from "k6/http";\nexport default function () {\n  http.get(__ENV.BASE_URL);\n}\n';

test.for<readonly [what: string, path: string, text: string, line: string | undefined]>([
  [
    "a Locust file",
    "tests/load/locustfile.py",
    locust,
    "script: tests/load/locustfile.py # for Locust, which must be installed in the app's environment",
  ],
  ["a k6 script", "k6/shop.js", k6, "script: k6/shop.js # for k6"],
  ["one in TypeScript", "load/a.ts", `${k6}export const options = {};\n`, "script: load/a.ts # for k6"],
  [
    "one with an address of its own",
    "load/a.js",
    k6.replace("__ENV.BASE_URL", "HOST"),
    "script: load/a.js # for k6; it must read the app's address from __ENV.BASE_URL",
  ],
  ["another's Python", "locustfile.py", "# locust is no good\nimport os\n", undefined],
  [
    "a helper of a script's",
    "k6/lib.js",
    'import http from "k6/http";\nexport function get() {}\n',
    undefined,
  ],
  ["another JavaScript", "load/chart.js", 'import d3 from "d3";\nexport default d3;\n', undefined],
  ["a name that would end a comment", "load/a\nb.js", k6, undefined],
])("%s is found, or not", ([, path, text, line]) => {
  const found = proposeScripts({ files: [{ path, text }] }, ".", []);
  expect(found.map(({ lines }) => lines)).toEqual(line === undefined ? [] : [[line]]);
});

test("the requirements that bring Locust are named", () => {
  const files = [
    { path: "requirements.txt", text: "fastapi\n" },
    { path: "requirements/dev.txt", text: "pytest\nlocust==2.40\n" },
  ];
  const scripts = { files: [{ path: "locustfile.py", text: locust }] };
  expect(proposeScripts(scripts, ".", files)[0]?.lines).toEqual([
    "script: locustfile.py # for Locust, which must be installed in the app's environment, e.g. with install: requirements/dev.txt",
  ]);
});

test("of several apps each has those in its folder, with paths from there; not too many", () => {
  const many = Array.from({ length: 7 }, (_, index) => ({ path: `shop/load/${index}.js`, text: k6 }));
  const scripts = { files: [{ path: "stock/load/a.js", text: k6 }, ...many] };
  const [found] = proposeScripts(scripts, "shop", []);
  expect(found?.lines).toHaveLength(5);
  expect(found?.lines[0]).toBe("script: load/0.js # for k6");
  expect(proposeScripts({ files: many }, "stock", [])).toEqual([]);
});

const requirements = [
  { path: "shop/requirements.txt", text: "fastapi\n" },
  { path: "requirements-dev.txt", text: "-r shop/requirements.txt\nLocust==2.40\n" },
];

test.for<readonly [what: string, chosen: string | undefined, from: string, settings: readonly object[]]>([
  ["none", undefined, ".", []],
  ["a k6 script", "shop/load/a.js", ".", [{ key: "script", value: "shop/load/a.js" }]],
  ["one in the app's folder", "shop/load/a.js", "shop", [{ key: "script", value: "load/a.js" }]],
  ["one of another app", "shop/load/a.js", "stock", []],
  [
    "a Locust file, with the requirements that bring it",
    "shop/locustfile.py",
    ".",
    [
      { key: "install", value: "requirements-dev.txt" },
      { key: "script", value: "shop/locustfile.py" },
    ],
  ],
  [
    "a Locust file whose requirements lie elsewhere",
    "shop/locustfile.py",
    "shop",
    [{ key: "script", value: "locustfile.py" }],
  ],
])("the keys of %s", ([, chosen, from, settings]) => {
  const scripts = { files: [], ...(chosen !== undefined && { chosen }) };
  expect(scriptSettings(scripts, from, requirements)).toEqual(
    settings.map((each) => ({ ...each, reason: expect.any(String) })),
  );
});

test("the one that is to run is not proposed again", () => {
  const files = [
    { path: "load/a.js", text: k6 },
    { path: "load/b.js", text: k6 },
  ];
  const [{ lines } = { lines: [] }] = proposeScripts({ files, chosen: "load/a.js" }, ".", []);
  expect(lines).toEqual(["script: load/b.js # for k6"]);
});

test.for(["import ", "from 'k6'", "export ", " ", "\n", "from locust"])("%j takes no time", (piece) => {
  const text = piece.repeat(500_000 / piece.length);
  const before = cpuMs();
  for (const path of ["load/a.js", "locustfile.py"]) proposeScripts({ files: [{ path, text }] }, ".", []);
  expect(cpuMs() - before).toBeLessThan(1_500);
});
