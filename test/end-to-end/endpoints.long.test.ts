import { spawn } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type ArmName, armNames, type Measurement } from "../../src/model/measurement/measurement.ts";
import { root } from "./act.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "endpoints-test-"));
  await chmod(folder, 0o711); // as the system's own: Postgres may run as another user
  await cp(join(root, "test/end-to-end/wants"), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const usual = `
app: main:app
install: ${join(root, ".tools/target-app")}
seed: schema.sql
workers: 1
duration: 1s
warmup: 100ms
diagnose: never
`;

/** Runs the bundle as a user would, in a repository with this configuration file. */
async function run(
  file: string,
  options: Record<string, string> = {},
  variables: Record<string, string> = {},
) {
  await writeFile(join(folder, "loadtest.yml"), usual + file);
  const given = { config: "loadtest.yml", "results-directory": join(folder, "results"), ...options };
  const argv = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    LOADTEST_K6: process.env["LOADTEST_K6"],
    ...variables,
  };
  const child = spawn("node", [join(root, "dist/cli.js"), "run", ...argv], { env, cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, output, measurements: await measurements() };
}

async function measurements(): Promise<Measurement[]> {
  const cells = join(folder, "results/cells");
  const names = await readdir(cells).catch(() => []);
  return await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(cells, name), "utf8"))));
}

/** Statuses of the head by endpoint. */
function statusesOf(all: readonly Measurement[]): Record<string, string[]> {
  return Object.fromEntries(
    all.map(({ cell: { endpoint }, replicates }) => [
      "path" in endpoint ? endpoint.path : Object.keys(endpoint).join(),
      replicates.flatMap(({ arms }) => Object.keys(arms.head?.statuses ?? {})),
    ]),
  );
}

describe("endpoints that want something", () => {
  test("get it: values of a query and a file, a body, a mix of both", async () => {
    await writeFile(join(folder, "items.csv"), "sku,id\na,100\nb,101\n");
    const {
      status,
      output,
      measurements: all,
    } = await run(`
endpoints:
  - path: /items/{item_id}
    params:
      item_id: { sql: SELECT id FROM items ORDER BY id }
    expect: { contains: '"id"' }
  - path: /items/{id}
    params:
      id: { csv: items.csv, column: id }
    weight: 1
  - method: POST
    path: /orders
    params:
      item: { from: 100, to: 199 }
    body: { item: "{item}" }
    expect: { status: 201 }
    weight: 1
  - method: POST
    path: /orders
    query: { by: text }
    headers: { Content-Type: application/json }
    body: '{"item": 1}'
    expect: { status: 201, contains: order_id }
`);
    expect(status, output).toBe(0);
    expect(statusesOf(all)).toEqual({
      "/items/{item_id}": ["200"],
      mix: expect.arrayContaining(["200", "201"]),
      "/orders?by=text": ["201"],
    });
    for (const measurement of all) expect(JSON.stringify(measurement).length).toBeLessThan(60_000);
  });

  test("are told where they do not, and only they are not measured", async () => {
    const {
      status,
      output,
      measurements: all,
    } = await run(`
endpoints:
  - path: /items/{item_id}
    params:
      item_id: [7]
  - POST /orders
  - /me
  - /
`);
    expect(status, output).toBe(3);
    expect(output).toContain("GET /items/{item_id} (sent as /items/7) answered 404");
    expect(output).toContain("correct its path, or set `params` that exist in the seeded data");
    expect(output).toContain("POST /orders answered 422");
    expect(output).toContain("GET /me answered 401");
    expect(statusesOf(all)).toMatchObject({ "/": ["200"], "/me": [], "/orders": [], "/items/{item_id}": [] });
  });

  test("and parameters without values are told with their place, before anything starts", async () => {
    await writeFile(join(folder, "none.csv"), "");
    const file = `endpoints:
  - path: /items/{id}
    params:
      id: { csv: none.csv, column: id }
`;
    const empty = await run(file);
    expect(empty.status).toBe(2);
    expect(empty.output).toMatch(/loadtest\.yml:\d+:7: params\.id: .*none\.csv is empty; its first line/);
    const none = await run(file.replace(/\{ csv.*\}/, "{ sql: SELECT id FROM items WHERE id < 0 }"));
    expect(none.status).toBe(2);
    expect(none.output).toContain("params.id: the query returned no values");
    const bad = await run(file.replace(/\{ csv.*\}/, "{ sql: SELECT id FROM nowhere }"));
    expect(bad.output).toContain('relation "nowhere" does not exist');
  });
});

test("an endpoint that writes ages both arms alike: each has a copy of its own, and as many requests", async () => {
  const writing = `
control: true
min-change: 20% # seen sooner
endpoints:
  - method: POST
    path: /orders
    body: { item: 100 }
    expect: { status: 201, contains: '{"order_id":1}' } # of both arms, on fresh copies
`;
  let { output, measurements: all } = await run(`${writing}max-minutes: 0.5\n`);
  const replicatesOf = () => all.flatMap((measurement) => measurement.replicates);
  // A machine with many neighbours starts servers so slowly that half a minute holds one replicate.
  if (replicatesOf().length < 2) ({ output, measurements: all } = await run(`${writing}max-minutes: 2\n`));
  const replicates = replicatesOf();
  expect(replicates.length, output).toBeGreaterThanOrEqual(2);
  const requestsOf = (arm: ArmName) =>
    replicates.map(({ arms }) =>
      Object.values(arms[arm]?.statuses ?? {}).reduce((sum, count) => sum + count, 0),
    );
  for (const arm of armNames) {
    const requests = requestsOf(arm);
    for (const [index, { arms }] of replicates.entries())
      expect((arms[arm]?.sqlRows ?? 0) / (requests[index] ?? 0)).toBeCloseTo(1, 1);
  }
  // Over all replicates: in one of them the disk may stall for a second.
  const [base = 0, head = 0] = armNames.map((arm) => requestsOf(arm).reduce((sum, each) => sum + each, 0));
  expect(head / base).toBeGreaterThan(0.8);
  expect(head / base).toBeLessThan(1.25);
  // Nothing can be compared where the hypervisor gives much of the CPU to others.
  expect(output).toMatch(
    /^Load test – A\/A control \(the same code twice\): .*(?:No endpoint got slower|is inconclusive|could not be compared)/m,
  );
}, 300_000);

test("two apps that already run are compared where they are, and are still there afterwards", async () => {
  const servers = await Promise.all([5, 5].map((milliseconds) => slowly(milliseconds)));
  const [base, head] = servers.map((server) => `127.0.0.1:${portOf(server)}`);
  const options = {
    config: "none",
    "base-url": `http://${base}`,
    "head-url": `http://${head}`,
    "allow-target": `${base},${head}`,
    endpoints: "/",
    "max-minutes": "0.5", // two replicates
    "min-change": "20%",
    warmup: "100ms",
  };
  try {
    const { output, measurements: all } = await run("", options);
    expect(all[0]?.status, output).toBe("measured");
    expect(Object.keys(all[0]?.replicates[0]?.arms ?? {}).toSorted()).toEqual(["base", "head"]);
    for (const host of [base, head]) expect((await fetch(`http://${host}/`)).status).toBe(200);
    const refused = await run("", { ...options, "allow-target": `${base}` });
    expect(refused.status).toBe(2);
    expect(refused.output).toContain(`head-url: is at ${head}, which is not in allow-target`);
  } finally {
    for (const server of servers) server.close();
  }
}, 150_000);

async function slowly(milliseconds: number): Promise<Server> {
  const server = createServer((_, response) => void setTimeout(() => response.end("ok"), milliseconds));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("the app's own endpoints", () => {
  test("are found, filled in from its examples, and measured", async () => {
    await writeFile(join(folder, "make.sql"), "INSERT INTO items VALUES (1);\n");
    const {
      status,
      output,
      measurements: all,
    } = await run('endpoints: { include: ["*", POST /orders], exclude: [/me] }\n', {
      seed: "schema.sql\nmake.sql",
    });
    expect(status, output).toBe(0);
    expect(statusesOf(all)).toEqual({ "/items/{item_id}": ["200"], "/orders": ["201"], "/": ["200"] });
  });

  test("fill in a line, or it is told why not", async () => {
    const { status, output } = await run("endpoints:\n  - GET /items/{sku}\n");
    expect(status).toBe(2);
    expect(output).toContain("GET /items/{sku} is not among the app's endpoints");
    const broken = await run("endpoints: auto\n", { app: "nothing:app" });
    expect(broken.status).toBe(2);
    expect(broken.output).toContain("the app cannot be imported: ModuleNotFoundError");
  });
});

/** Every file below a folder, and its text. */
async function textsIn(path: string): Promise<[name: string, text: string][]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, string]> => {
        const name = join(entry.parentPath, entry.name);
        return [name, await readFile(name, "latin1")];
      }),
  );
}

describe("a login", () => {
  const password = "correct horse/battery";
  const file = `
app-env: { APP_PASSWORD: "${password}" }
login:
  path: /login
  json: { user: load, password: { secret: LOADTEST_PASSWORD } }
`;

  test("opens what is protected, and its secret is in nothing that is written", async () => {
    const summary = join(folder, "summary.md");
    const commandLines = new Set<string>();
    let isOver = false;
    const looking = (async () => {
      while (!isOver) {
        const pids = (await readdir("/proc")).filter((each) => /^\d+$/.test(each));
        const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
        for (const line of await Promise.all(lines)) commandLines.add(line);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const {
      status,
      output,
      measurements: all,
    } = await run(
      `${file}endpoints: [/me, /items/1]\n`,
      {},
      { LOADTEST_PASSWORD: password, GITHUB_STEP_SUMMARY: summary },
    );
    isOver = true;
    await looking;
    expect(status, output).toBe(3);
    expect(statusesOf(all)).toEqual({ "/me": ["200"], "/items/1": [] });
    const texts = await textsIn(join(folder, "results"));
    const log = texts.find(
      ([name, text]) => name.endsWith("-head.log") && text.includes("signed in with ***"),
    );
    expect(log, "the app prints what it was sent").toBeDefined();
    expect([...commandLines].some((line) => line.includes("k6"))).toBe(true);
    const written = [...texts, ["output", output], ["arguments", [...commandLines].join("\n")]] as const;
    for (const [name, text] of written) {
      for (const secret of [password, "token-correct-horse/battery", encodeURIComponent(password)])
        expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
    }
  });

  test("that the app echoes when it refuses is hidden too", async () => {
    const wrong = "wrong but secret";
    const { status, output } = await run(
      "login: { headers: { Authorization: { secret: LOADTEST_TOKEN } } }\nendpoints: [/me]\n",
      {},
      { LOADTEST_TOKEN: wrong },
    );
    expect(status).toBe(3);
    expect(output).toContain("answered 401");
    expect(output).toContain("not ***");
    const texts = await textsIn(join(folder, "results"));
    for (const [name, text] of [...texts, ["output", output]] as const)
      expect(text.includes(wrong), name).toBe(false);
  });

  test("without its secret is told with the remedy, and nothing is started", async () => {
    const { status, output } = await run(`${file}endpoints: [/me]\n`);
    expect(status).toBe(2);
    expect(output).toMatch(
      /loadtest\.yml:\d+:1: login: the secret LOADTEST_PASSWORD is not set; pass it to the step/,
    );
  });
});

test("a k6 script is run unchanged, and what it says is in the report", async () => {
  const { status, output, measurements: all } = await run("script: load/visit.js\n");
  expect(status, output).toBe(1); // one of its thresholds is crossed
  const [replicate] = all.flatMap(({ replicates }) => replicates);
  expect(replicate?.script).toMatchObject({
    checks: [
      { group: "::home", name: "is 200, as it should", fails: 0 },
      { group: "::home", name: "is never", passes: 0 },
    ],
    groups: [
      { name: "::home", count: expect.any(Number) },
      { name: "::home::missing", count: expect.any(Number) },
    ].toReversed(),
    thresholds: expect.arrayContaining([
      expect.objectContaining({ metric: "http_req_duration", isKept: true }),
      expect.objectContaining({ metric: "http_req_duration{group:::home}", isKept: false }),
      expect.objectContaining({ metric: "visits", isKept: true }),
    ]),
  });
  expect(replicate?.script?.metrics.map(({ name }) => name).toSorted()).toEqual([
    "found",
    "visits",
    "waits_in_all",
  ]);
  const { statuses = {}, blocks = [] } = replicate?.arms.head ?? {};
  expect(statuses["200"]).toBe(statuses["404"]);
  expect(Object.keys(statuses)).toEqual(["200", "404"]);
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  expect(output).toContain(
    "Threshold not met: load/visit.js, 1 worker: http_req_duration{group:::home}: max<0.001",
  );
  expect(output).toContain("load/visit.js (w1): check home: is never: 0 of ");
});
