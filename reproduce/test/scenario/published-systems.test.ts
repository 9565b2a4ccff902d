import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { idsOf, sizes } from "../../scenario/scenario.ts";
import { parseScenario } from "../../scenario/scenario-parser.ts";
import { claims, results } from "../published.ts";

/**
 * Systems that the reports name, hint at or leave out of a grid, but did not measure, so that no published result asks
 * for them; each with what its inputs must say, since a case of that name could run anything.
 */
const unmeasured: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  // The fourth cell of the grid of waits, and worker counts that claims compare.
  "pena/async-endpoint-sync-processing": { endpoints: /^\/async_endpoint_sync_processing\?/ },
  "pena/sync-sleep@W=1": { endpoints: /^\/sync_endpoint_sync_processing\?/, workers: /^1$/ },
  "pena/sync-sleep@W=4": { endpoints: /^\/sync_endpoint_sync_processing\?/, workers: /^4$/ },
  // One user and as many as threads: "sync processes requests one at a time".
  "pena/sync-sleep@W=1,c=1": { workers: /^1$/, vus: /^1$/ },
  "pena/sync-sleep@W=1,c=40": { workers: /^1$/, vus: /^40$/ },
  // "Similar", said of a figure that is not there.
  "junge/async_as_completed": { endpoints: /^\/async_as_completed\?/ },
  // Pools as printed differ between the two, and no pool is what the advice is against.
  ...Object.fromEntries(
    ["sync", "async"].flatMap((style) => {
      const app = new RegExp(`^reports\\.orm_${style}:app$`);
      return [
        [`patel/users-${style}@equal-pools`, { app, "app-env": /^ORM_POOL=equal$/m }],
        [`patel/users-${style}@nullpool`, { app, "app-env": /^ORM_POOL=none$/m }],
        [`patel/users-${style}@c500`, { app, vus: /^500$/, requests: /^5000$/ }],
        [`patel/users-${style}@c1`, { app, vus: /^1$/ }],
      ];
    }),
  ),
  // Shown in the report, without a figure.
  "keyword/hello-sync": { endpoints: /^\/sync$/ },
  "keyword/hello-async": { endpoints: /^\/async$/ },
  // Every server of the grid with one and two workers, before a slow and a quick database: the report has a part of it.
  ...Object.fromEntries(
    Object.entries({
      "gunicorn-sync": /^gunicorn (?!.* -k )/,
      "gunicorn-gthread": /^gunicorn .*-k gthread (?!.*--threads)/,
      "gunicorn-gthread-threads10": /^gunicorn .*-k gthread --threads 10 /,
      "gunicorn-gevent": /^gunicorn .*-k gevent /,
      "uvicorn-async": /^uvicorn .*--workers \{workers\} --log-level error$/,
      "uvicornworker-async": /^gunicorn .*-k uvicorn_worker\.UvicornWorker /,
      "uvicorn-stupid": /^uvicorn /,
      "gunicorn-donkey": /^gunicorn (?!.* -k )/,
    }).flatMap(([name, server]) =>
      [1, 2].flatMap((workers) =>
        ["db25", "db0"].map((latency) => [
          `wsgi/${name}-${workers}/${latency}`,
          { server, app: appOf(name), workers: new RegExp(`^${workers}$`) },
        ]),
      ),
    ),
  ),
};

function appOf(name: string): RegExp {
  if (name.endsWith("-stupid")) return /^reports\.stupid_asgi_app:app$/;
  if (name.endsWith("-donkey")) return /^reports\.donkey_patched_app:app$/;
  return name.endsWith("-async") ? /^reports\.asgi_app:app$/ : /^reports\.wsgi_app:app$/;
}

/** Loads of the reports, as they print them. */
const published: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "pena/async-io/1": { stages: "1s:10000,30s:10000" },
  "pena/sync-sleep": { stages: "1s:10000,30s:10000", workers: "16" },
  "pena/select-async": { stages: "1s:2000,30s:2000", workers: "4", scale: "1" },
  "pena/sim-sync-N/fib30": { stages: "1s:32,30s:32", workers: "4", scale: "1" },
  "junge/sync_baseline": { stages: "10s:500,290s:500", "graceful-stop": "0s", workers: "2" },
  "patel/users-async": { requests: "1000", vus: "100", connections: "new", "first-request-alone": "true" },
  "keyword/async-await": { requests: "200", vus: "100", connections: "new", "first-request-alone": "true" },
  "wsgi/gunicorn-sync-2/db25": { iteration: "/\nsleep 100ms\n/api\n/", vus: "10", duration: "60s" },
};

function casesAt(size: (typeof sizes)[number]) {
  return readdirSync("reproduce/scenarios")
    .filter((name) => name.endsWith(".yml"))
    .map((name) => name.replace(".yml", ""))
    .flatMap(
      (name) =>
        parseScenario(name, readFileSync(`reproduce/scenarios/${name}.yml`, "utf8"), size, claims).cases,
    );
}

test.for(Object.entries(published))("%s keeps its published load at size full", ([id, wanted]) => {
  const found = casesAt("full").find((each) => idsOf(each).includes(id));
  expect(found?.inputs).toMatchObject(wanted);
});

describe.for(sizes)("every system of the published reports keeps a case of its own, at size %s", (size) => {
  const cases = casesAt(size);
  const byId = new Map(cases.flatMap((each) => idsOf(each).map((id) => [id, each])));

  test("those that were measured, under their results' ids", () => {
    expect(results).toHaveLength(51);
    expect(results.map(({ id }) => id).filter((id) => !byId.has(id))).toEqual([]);
  });

  test.for(Object.entries(unmeasured))("%s, as the report describes it", ([id, wanted]) => {
    const inputs = byId.get(id)?.inputs;
    expect(inputs, `no case ${id}`).toBeDefined();
    for (const [name, value] of Object.entries(wanted)) expect(inputs?.[name], name).toMatch(value);
  });

  test("the database that is asked is slow in one half of the grid, and quick in the other", () => {
    const grid = cases.filter(({ id }) => id.startsWith("wsgi/"));
    const wrong = grid.filter(
      ({ id, beside }) => !beside?.command.includes(`--sleep ${id.split("/db")[1]} `),
    );
    expect(grid).toHaveLength(32);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});
