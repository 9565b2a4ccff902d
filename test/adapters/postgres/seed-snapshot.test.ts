import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { seedDiskProblem } from "../../../src/adapters/machine/index.ts";
import { openDatabaseServer } from "../../../src/adapters/postgres/database-server.ts";
import type { DatabaseServerOptions } from "../../../src/adapters/postgres/running-server.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-kept-"));
  await chmod(folder, 0o711); // as the command line does for its work folder
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A user's machine, with nothing kept yet. */
async function machine() {
  const home = await mkdtemp(join(folder, "home-"));
  await chmod(home, 0o711);
  return { toolsFolder: join(home, "tools"), seeds: join(home, "tools", "seeds"), home };
}

type Machine = Awaited<ReturnType<typeof machine>>;

async function seedFile({ home }: Machine, sql: string): Promise<string> {
  const path = join(await mkdtemp(join(home, "seed-")), "seed.sql");
  await writeFile(path, sql);
  return path;
}

/** One run: a server, seeded or restored, and what it said. */
async function start(
  on: Machine,
  file: string,
  more: Partial<DatabaseServerOptions> & { scale?: number } = {},
) {
  const { scale = 1, ...options } = more;
  const workFolder = await mkdtemp(join(on.home, "work-"));
  await chmod(workFolder, 0o711);
  const steps: string[] = [];
  const seed = { seedFiles: [file], scale, variable: "DATABASE_URL" };
  const server = await openDatabaseServer(
    { kind: "private", ...seed },
    {
      workFolder,
      toolsFolder: on.toolsFolder,
      signal: new AbortController().signal,
      onStep: (text) => steps.push(text),
      keepSeedsFromSeconds: 0,
      ...options,
    },
  );
  const template = await server.seed(seed);
  return {
    steps,
    server,
    template,
    wasSeeded: steps.some((step) => step.startsWith("seeding:")),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const rows = "CREATE TABLE note (id INT PRIMARY KEY, text TEXT); INSERT INTO note VALUES (1, 'seeded');";

describe.concurrent("a second run", () => {
  test("gets the same data without seeding, with a password of its own, and its writes stay its own", async () => {
    const on = await machine();
    const file = await seedFile(on, rows);
    const passwords: string[] = [];
    for (const run of ["first", "second", "third"]) {
      await using made = await start(on, file);
      expect(made.wasSeeded).toBe(run === "first");
      await using copy = await made.template.copy();
      passwords.push(new URL(copy.url).password);
      expect(await query(copy.url, "SELECT text FROM note")).toEqual([{ text: "seeded" }]);
      await query(copy.url, "UPDATE note SET text = 'changed'");
      await query(copy.url, "VACUUM note");
      await copy.resetStatements();
      await query(copy.url, "SELECT 1");
      expect(await copy.countStatements()).toMatchObject({ statements: 1 });
    }
    expect(new Set(passwords).size).toBe(3);
    expect(await readdir(on.seeds)).toHaveLength(1);
  });

  test("cannot change what was kept: the system refuses", async () => {
    const on = await machine();
    const file = await seedFile(on, rows);
    await using made = await start(on, file);
    await using copy = await made.template.copy();
    const [{ name } = { name: "" }] = (await query(
      copy.url,
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'loadtest_template%'",
    )) as { name: string }[];
    const template = Object.assign(new URL(copy.url), { pathname: `/${name}` }).href;
    await expect(query(template, "INSERT INTO note VALUES (2, 'forged')")).rejects.toThrow(/denied/i);
  });

  test.for([
    ["another scale", rows, { scale: 2 }],
    ["another text", `${rows} `, {}],
  ] as const)("with %s seeds anew", async ([, sql, more]) => {
    const on = await machine();
    await (await start(on, await seedFile(on, rows)))[Symbol.asyncDispose]();
    await using other = await start(on, await seedFile(on, sql), more);
    expect(other.wasSeeded).toBe(true);
  });
});

describe.concurrent("what is not kept", () => {
  test("what was seeded sooner than it could be restored", async () => {
    const on = await machine();
    const file = await seedFile(on, rows);
    await using made = await start(on, file, { keepSeedsFromSeconds: 60 });
    expect(made.wasSeeded).toBe(true);
    await expect(readdir(on.seeds)).rejects.toThrow("ENOENT");
  });

  test("what reads from elsewhere", async () => {
    const on = await machine();
    const file = await seedFile(on, `${rows}\n\\ir more.sql\n`);
    await writeFile(join(dirname(file), "more.sql"), "INSERT INTO note VALUES (2, 'included');");
    await using made = await start(on, file);
    expect(made.wasSeeded).toBe(true);
    await expect(readdir(on.seeds)).rejects.toThrow("ENOENT");
  });

  test("what was cut off by an abort, or failed", async () => {
    const on = await machine();
    const controller = new AbortController();
    const slow = await seedFile(on, `${rows} SELECT pg_sleep(20);`);
    const starting = start(on, slow, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("cancelled")), 2_500);
    await expect(starting).rejects.toThrow("cancelled");
    await expect(start(on, await seedFile(on, `${rows} SELECT 1 / 0;`))).rejects.toThrow("division by zero");
    await expect(readdir(on.seeds)).rejects.toThrow("ENOENT");
  });

  test("more than the two last used; who uses a third goes on", async () => {
    const on = await machine();
    await using first = await start(on, await seedFile(on, rows));
    for (const more of [1, 2]) {
      await using _ = await start(on, await seedFile(on, `${rows} SELECT ${more};`));
    }
    expect(await readdir(on.seeds)).toHaveLength(2);
    await using copy = await first.template.copy();
    expect(await query(copy.url, "SELECT text FROM note")).toEqual([{ text: "seeded" }]);
  });
});

describe.concurrent("an entry that is not whole", () => {
  let whole: Machine;
  beforeAll(async () => {
    whole = await machine();
    await (await start(whole, await seedFile(whole, rows)))[Symbol.asyncDispose]();
  });

  /** A machine of its own, on which a run has kept an entry. */
  async function kept() {
    const on = await machine();
    await run("cp", ["--archive", whole.toolsFolder, on.home]); // with its owners: Postgres may be another user
    const [key = ""] = await readdir(on.seeds);
    const manifest = join(on.seeds, key, "manifest.json");
    const { files } = JSON.parse(await readFile(manifest, "utf8")) as { files: Record<string, number> };
    const path = (name: string) => join(on.seeds, key, "data", name);
    return { on, file: await seedFile(on, rows), key, manifest, files, path };
  }

  test.for<[string, (entry: Awaited<ReturnType<typeof kept>>) => Promise<void>]>([
    ["without its manifest", ({ manifest }) => rm(manifest)],
    ["with a manifest cut short", ({ manifest }) => truncate(manifest, 40)],
    ["with a manifest of another kind", ({ manifest }) => writeFile(manifest, "{}")],
    ["with a file missing", ({ path }) => rm(path("global/pg_control"))],
    [
      "with a file cut short",
      async ({ path, files }) => {
        const name = Object.keys(files).find(
          (each) => /^base\/\d{5}\/\d+$/.test(each) && (files[each] ?? 0) > 0,
        );
        await truncate(path(name ?? ""), 1);
      },
    ],
    [
      "too old",
      async ({ manifest }) => {
        const text = await readFile(manifest, "utf8");
        await writeFile(manifest, text.replace(/"madeAtMs":\d+/, '"madeAtMs":0'));
      },
    ],
  ])("%s is replaced", async ([, damage]) => {
    const entry = await kept();
    await damage(entry);
    await using made = await start(entry.on, entry.file);
    expect(made.wasSeeded).toBe(true);
    await using copy = await made.template.copy();
    expect(await query(copy.url, "SELECT text FROM note")).toEqual([{ text: "seeded" }]);
    expect(await readdir(entry.on.seeds)).toEqual([entry.key]);
  });

  test("of one who was killed while keeping is not looked at", async () => {
    const { on, file, key } = await kept();
    await rm(join(on.seeds, key), { recursive: true });
    await mkdir(join(on.seeds, `${key}.0a1b2c3d.tmp`, "data"), { recursive: true });
    await using made = await start(on, file);
    expect(made.wasSeeded).toBe(true);
    expect(await readdir(on.seeds)).toContain(key);
  });
});

test("two runs at once keep one entry, and use it at once", async () => {
  const on = await machine();
  const file = await seedFile(on, rows);
  for (const wasSeeded of [true, false]) {
    const both = await Promise.all([start(on, file), start(on, file)]);
    for (const each of both) {
      expect(each.wasSeeded).toBe(wasSeeded);
      await using copy = await each.template.copy();
      expect(await query(copy.url, "SELECT text FROM note")).toEqual([{ text: "seeded" }]);
    }
    for (const each of both) await each[Symbol.asyncDispose]();
    expect(await readdir(on.seeds)).toHaveLength(1);
  }
});

describe.concurrent("parts of a file", () => {
  const threshold = { keepSeedsFromSeconds: 60 };

  test("of one step run at once, in sessions of their own, the steps in order", async () => {
    const on = await machine();
    // Each waits until it sees the other's lock, which cannot be when one runs after the other.
    const part = (mine: number, other: number) =>
      `SELECT pg_advisory_lock(${mine});
       DO $$ BEGIN FOR i IN 1..100 LOOP
         IF EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${other}) THEN
           PERFORM pg_sleep(0.3); INSERT INTO seen VALUES (${mine}, current_setting('loadtest.scale')); RETURN;
         END IF; PERFORM pg_sleep(0.05);
       END LOOP; RAISE 'alone'; END $$;`;
    const sql = `CREATE TABLE seen (part INT, scale TEXT);
-- loadtest: then
${part(1, 2)}
-- loadtest: meanwhile
${part(2, 1)}
-- loadtest: then
INSERT INTO seen SELECT count(*), 'last' FROM seen;`;
    await using made = await start(on, await seedFile(on, sql), threshold);
    await using copy = await made.template.copy();
    expect(await query(copy.url, "SELECT part, scale FROM seen ORDER BY scale, part")).toEqual([
      { part: 1, scale: "1" },
      { part: 2, scale: "1" },
      { part: 2, scale: "last" },
    ]);
  });

  test("one that fails ends the others, and is told with its line in the file", async () => {
    const on = await machine();
    const sql =
      "SELECT pg_sleep(30);\n-- loadtest: meanwhile\nSELECT 1;\n\nSELECT 1 / 0;\n-- loadtest: then\nSELECT 2;";
    const started = performance.now();
    const error: unknown = await start(on, await seedFile(on, sql), threshold).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(EnvironmentError);
    expect(String(error)).toMatch(/seed\.sql, line 5: division by zero \(at: SELECT 1 \/ 0;\)/);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test("a mark that nobody knows is told", async () => {
    const on = await machine();
    const starting = start(on, await seedFile(on, "SELECT 1;\n-- loadtest: parallel\n"), threshold);
    await expect(starting).rejects.toThrow(/seed\.sql, line 2: "-- loadtest: parallel" is not known/);
  });
});

test("a disk that is too small is told with what is needed and what is free", async () => {
  const on = await machine();
  const file = await seedFile(on, "-- loadtest: disk 9000000 GB at scale 1\n");
  const seed = { seedFiles: [file, "missing.sql"], scale: 0.5, variable: "DATABASE_URL" };
  const place = { arms: 2, folder };
  expect(await seedDiskProblem(seed, place)).toMatch(
    /need 22500000\.0 GB of disk and .* has \d+\.\d GB free; free some/,
  );
  expect(await seedDiskProblem({ ...seed, scale: 1e-9 }, place)).toBeUndefined();
});
