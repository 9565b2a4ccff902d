import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";

import { type KnownServer, servers } from "../../src/model/workload/servers.ts";
import { root } from "./files.ts";

const table = "../../src/model/workload/servers.ts";

/** A server that nobody has written. */
const command = "tornadic {app} --listen {host}:{port} --processes {workers}";
const row: KnownServer = {
  name: "tornadic",
  command,
  note: "made up",
  needs: ["tornadic-server"],
  factory: { option: "--made" },
  variables: /^TORNADIC_/,
  eventLoop: { option: "--on", preferred: "uvloop", otherwise: "asyncio" },
  endsWorkers: { file: "tornadic.toml", setting: /^(retire) = /m, off: "--retire never" },
};

/** The modules that read the table, with the row in it. Other test files must get theirs without it. */
async function readers() {
  vi.resetModules();
  vi.doMock(table, async (original) => {
    const { servers, ...others } = await original<typeof import("../../src/model/workload/servers.ts")>();
    return { ...others, servers: [...servers, row] };
  });
  const modules = {
    ...(await import("../../scripts/lib/input-tables.ts")),
    ...(await import("../../src/config/inputs.ts")),
    ...(await import("../../src/init/read/server.ts")),
    ...(await import("../../src/model/workload/server-command.ts")),
    ...(await import("../../src/repository/frameworks.ts")),
  };
  vi.doUnmock(table);
  vi.resetModules();
  return modules;
}

const { findServer, inputs, inputsSchema, runningParts, withServerTable, ...commands } = await readers();

describe("a new server is one row: it is known", () => {
  test("to the input and to the documentation", () => {
    expect(inputsSchema.shape.server.parse("tornadic")).toBe(command);
    expect(inputs.find(({ name }) => name === "server")?.details).toContain("`tornadic` (made up)");
    expect(withServerTable("<!-- servers -->\n<!-- /servers -->")).toContain(
      `|\`tornadic\`|\`${command}\`|\`tornadic-server\`|\`--made\`|`,
    );
  });

  test("to commands", () => {
    const values = { app: "shop:create_app()", host: "::1", port: 8000, workers: 2 };
    const argv = commands.serverArgv(command, values);
    const expected = ["tornadic", "shop:create_app", "--listen", "::1:8000", "--processes", "2", "--made"];
    expect(argv).toEqual(expected);
    expect(commands.serverChoices(argv, { uvloop: "1" })).toEqual({ eventLoop: "uvloop", httpParser: "" });
    expect(commands.isServerVariable("TORNADIC_PORT")).toBe(true);
  });

  test("to init, and to the search for what an app needs to run", () => {
    const has = (name: string) => name === "tornadic-server";
    const app = { framework: "FastAPI" } as const;
    expect(findServer(app, { has }, [])).toMatchObject([{ key: "server", value: "tornadic" }]);
    const files = [
      { path: "Procfile", text: "web: tornadic shop:app" },
      { path: "tornadic.toml", text: "retire = 1" },
    ];
    expect(findServer(app, { has: () => false }, files)).toMatchObject([
      { value: `${command} --retire never` },
    ]);
    expect(runningParts(["fastapi"], { prod: ["tornadic-server"] })).toEqual(["prod"]);
  });
});

/** Sentences of findings and of help may name a server; code may not. */
test("no text in src/ that code could compare or run begins with a server's name, but in the table", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  // `fastapi` is the framework, too.
  const names = servers.map(({ name }) => name).filter((name) => name !== "fastapi");
  const beginning = new RegExp(`["'\`/^|](?:${names.join("|")})\\b(?!\`)`);
  const named = files
    .filter((path) => path.endsWith(".ts") && path !== "model/workload/servers.ts")
    .filter((path) => beginning.test(codeOf(path)));
  expect(named).toEqual([]);
});

function codeOf(path: string): string {
  return readFileSync(join(root, "src", path), "utf8").replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
