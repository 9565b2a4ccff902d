import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";

import { hasProgram } from "../../src/adapters/services/index.ts";
import { verdictKinds } from "../../src/compare/comparison.ts";
import { servicePresets } from "../../src/model/workload/service-presets.ts";
import { root } from "./act.ts";
import { runProgram } from "./program.ts";
import { pullRequest, startTeam } from "./team.ts";

interface Sample {
  readonly name: string;
  /** The file with its app. */
  readonly module: string;
  readonly rows: readonly string[];
  /** Options of `init`. */
  readonly options?: readonly string[];
  /** Service that this machine must be able to start. */
  readonly service?: keyof typeof servicePresets;
}

/** Those with services, streams, users or a script of their own. */
const samples: readonly Sample[] = [
  { name: "cache-redis", module: "main.py", rows: ["/rates", "/visits"], service: "redis" },
  { name: "jobs-celery", module: "jobs/main.py", rows: ["/say", "/tallies"], service: "redis" },
  {
    name: "recipes-sqlite",
    module: "recipes/main.py",
    rows: ["/", "/recipes", "/recipes/{recipe_id}"],
  },
  { name: "ticker-streams", module: "main.py", rows: ["/ticks", "/rates", "WS /echo"] },
  {
    name: "guests-mysql",
    module: "guests/main.py",
    rows: ["/guests", "/guests/{guest_id}"],
    service: "mysql",
  },
  {
    name: "shelf-mongo",
    module: "shelf/main.py",
    rows: ["/books", "/books/{book_id}"],
    service: "mongodb",
  },
  { name: "prices-outside", module: "main.py", rows: ["/offer", "/tax"] },
  { name: "desk-users", module: "desk/main.py", rows: ["/me", "/tickets"] },
  { name: "tour-k6", module: "main.py", rows: ["load/tour.js"], options: ["--script", "load/tour.js"] },
  {
    name: "walk-locust",
    module: "main.py",
    rows: ["load/locustfile.py"],
    options: ["--script", "load/locustfile.py"],
  },
];

/** A millisecond or so of each request. */
const burning = `

@app.middleware("http")
async def burn(request, call_next):
    sum(range(60_000))
    return await call_next(request)
`;

/** Each takes three minutes: `npm run samples`. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

test.runIf(isLong).for(samples.map((each) => [each.name, each] as const))(
  "a slower pull request of %s is compared by what `init` wrote",
  { timeout: 900_000 },
  async ([name, { module, rows, options = [], service }], { skip }) => {
    const programs = service === undefined ? undefined : (servicePresets[service]?.programs ?? []);
    skip(programs !== undefined && !(await hasProgram({ programs })), `${service} is not on this machine`);
    const { workflow, files } = await initialised(name, options, 2 * rows.length);
    const slower = { [module]: `${files[module]}${burning}` };
    await using team = await startTeam(workflow, files, slower);
    const started = performance.now();
    const { succeeded, output } = await team.run("pull_request", pullRequest(team));
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    const cells = await team.cells();
    const verdicts = cells.map(({ endpoint, workers, verdict }) => `${endpoint} ${workers}: ${verdict}`);
    process.stdout.write(`${name}: ${seconds} s for its comparison (${verdicts.join(", ")})\n`);
    // Which verdict it is depends on the machine, and whether each cell has had its turn; that none fails does not.
    const statuses = oneOf("measured", "not reached", "cancelled");
    expect(
      cells.map(({ endpoint, workers, status }) => [endpoint, workers, status]),
      output,
    ).toEqual(rows.flatMap((row) => [1, 2].map((workers) => [row, workers, statuses])));
    const judged = cells.filter(({ status }) => status !== "cancelled");
    expect(judged, output).not.toEqual([]);
    for (const { verdict } of judged) expect(verdict, output).toEqual(oneOf(...verdictKinds, "not reached"));
    expect([succeeded, output]).toEqual([judged.length === cells.length, output]);
    for (const row of rows) expect(team.comment()).toContain(row);
  },
);

function oneOf(...words: readonly string[]) {
  return expect.stringMatching(`^(?:${words.join("|")})$`);
}

/** The workflow that `init` writes for a sample, and the sample's files with the configuration and so many minutes. */
async function initialised(name: string, options: readonly string[], minutes: number) {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    const source = join(root, "test/samples", name);
    await cp(source, folder, { recursive: true, filter: (path) => !path.includes("__pycache__") });
    const paths = await pathsBelow(folder);
    const { status, output } = await runProgram(folder, ["init", ...options]);
    expect(status, output).toBe(0);
    const textOf = (path: string) => readFile(join(folder, path), "utf8");
    const texts = paths.map(async (path) => [path, await textOf(path)] as const);
    const config = ".github/loadtest.yml";
    const files: Readonly<Record<string, string>> = {
      ...Object.fromEntries(await Promise.all(texts)),
      [config]: `${await textOf(config)}max-minutes: ${minutes}\nfail-on: never\n`,
    };
    return { workflow: await textOf(".github/workflows/loadtest.yml"), files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
