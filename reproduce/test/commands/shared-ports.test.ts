import { expect, test } from "vitest";
import { type App, type Database, EnvironmentError } from "../../../src/engine.ts";
import { recordingPorts } from "../../../test/measure/fake-ports.ts";
import { sharePorts } from "../../commands/shared-ports.ts";

const app: App = { importString: "a:b", folder: "/app", python: "python3", install: "auto", variables: {} };
const database: Exclude<Database, { kind: "none" }> = {
  kind: "private",
  seedFiles: ["/a.sql"],
  scale: 1,
  variable: "DATABASE_URL",
};

test("makes what is dear once, and copies afresh", async () => {
  const { calls, ports } = recordingPorts();
  {
    await using shared = sharePorts(ports);
    for (const importString of ["a:b", "a:b", "c:d"]) {
      const python = await shared.ports.preparePython(app);
      await shared.ports.tryImport(python, { ...app, importString }, {}, 30);
      await using server = await shared.ports.openDatabases(database, "0");
      const template = await server.seed(database);
      await using _copy = await template.copy();
    }
    await shared.ports.preparePython({ ...app, folder: "/other" });
  }
  const times = (call: string) => calls.filter((each) => each === call).length;
  expect({
    installs: times("install"),
    imports: times("import app"),
    servers: times("start postgres"),
    seeds: times("seed /a.sql"),
    copies: times("copy database"),
    stops: times("stop postgres"),
  }).toEqual({ installs: 2, imports: 2, servers: 1, seeds: 1, copies: 3, stops: 1 });
  expect(calls.at(-1)).toBe("stop postgres");
});

test("another scale is another template, and another server's URL another server", async () => {
  const { calls, ports } = recordingPorts();
  await using shared = sharePorts(ports);
  const server = await shared.ports.openDatabases(database, undefined);
  await server.seed(database);
  await server.seed({ ...database, scale: 2 });
  await shared.ports.openDatabases({ ...database, kind: "existing", url: "postgresql://x" }, undefined);
  expect(calls).toEqual(["start postgres", "seed /a.sql", "seed /a.sql", "start postgres"]);
});

test("what commands fill is made each time", async () => {
  const { calls, ports } = recordingPorts();
  await using shared = sharePorts(ports);
  const server = await shared.ports.openDatabases(database, undefined);
  const seed = { ...database, commands: { migrate: ["alembic upgrade head"], seed: [] } };
  await server.seed(seed);
  await server.seed(seed);
  expect(calls).toEqual(["start postgres", "seed /a.sql", "seed /a.sql"]);
});

test("tries again what failed", async () => {
  let tries = 0;
  const { ports } = recordingPorts({
    openDatabases: () => {
      tries += 1;
      return Promise.reject(new EnvironmentError("start postgres", "no"));
    },
  });
  await using shared = sharePorts(ports);
  await expect(shared.ports.openDatabases(database, undefined)).rejects.toThrow("no");
  await expect(shared.ports.openDatabases(database, undefined)).rejects.toThrow("no");
  expect(tries).toBe(2);
});
