import { describe, expect, test } from "vitest";
import { mostRows } from "../../../src/endpoints/rows.ts";
import { EnvironmentError, InputError } from "../../../src/errors/errors.ts";
import { readFiles } from "../../../src/measure/preparation/files.ts";
import {
  materialsFor,
  prepareMaterials,
  sendingMaterials,
} from "../../../src/measure/preparation/materials.ts";
import type { EndpointForm, ParameterSource } from "../../../src/model/endpoint/form.ts";
import type { DatabaseTemplate } from "../../../src/ports/database.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { recordingPorts } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const endpoint = { method: "GET", path: "/{id}", form: "0123abcd" } as const;
const formWith = (params: Record<string, ParameterSource>): EndpointForm => ({
  endpoint,
  headers: {},
  body: undefined,
  params,
  expect: { statuses: [], contains: undefined },
  weight: undefined,
  places: Object.fromEntries(["", ...Object.keys(params)].map((name) => [name, `l.yml:${name}`])),
});
const workloadWith = (params: Record<string, ParameterSource>) => ({
  ...workloadOf(),
  forms: [formWith(params)],
});
const csv = (file: string, column = "id") => ({ kind: "csv", file, column, values: [] }) as const;

describe("CSV files", () => {
  const tables: Record<string, string> = { "/a.csv": "id\n1\n2\n", "/empty.csv": "" };
  const ports = {
    readTable: async (path: string) => {
      const text = tables[path];
      return text === undefined ? { problem: "cannot be read: ENOENT" } : { text };
    },
  };

  test("are read, and everything else stays", async () => {
    const range = { kind: "range", from: 1, to: 2 } as const;
    const { forms } = await readFiles(workloadWith({ a: csv("/a.csv"), b: range }), ports);
    expect(forms[0]?.params).toEqual({ a: { ...csv("/a.csv"), values: ["1", "2"] }, b: range });
  });

  test("that give no values are told all at once, with their places", async () => {
    const workload = workloadWith({ a: csv("/a.csv", "x"), b: csv("/empty.csv"), c: csv("/none.csv") });
    const reading = readFiles(workload, ports);
    await expect(reading).rejects.toThrow(InputError);
    await expect(reading).rejects.toMatchObject({
      problems: [
        "l.yml:a: params.a: /a.csv has no column x, only id",
        "l.yml:b: params.b: /empty.csv is empty; its first line must name the columns",
        "l.yml:c: params.c: /none.csv cannot be read: ENOENT",
      ],
    });
  });
});

describe("the values of parameters", () => {
  const sql = { kind: "sql", query: "SELECT id" } as const;
  const templateOf = async (readColumn?: (query: string, most: number) => Promise<readonly unknown[]>) => {
    const { calls, ports } = recordingPorts();
    const server = await ports.openDatabases(
      { kind: "private", seedFiles: [], scale: 1, variable: "U" },
      undefined,
    );
    const template = await server.seed({ seedFiles: [], scale: 1, variable: "U" });
    const copy: DatabaseTemplate["copy"] = async () => {
      const made = await template.copy();
      return readColumn === undefined ? made : { ...made, readColumn };
    };
    return { calls, template: { copy } };
  };
  const pathsOf = async (params: Record<string, ParameterSource>, template?: DatabaseTemplate) => {
    const { materials } = await prepareMaterials(workloadWith(params), template);
    return materials
      .get("GET /{id}")
      ?.rows.map(({ path }) => path)
      .toSorted();
  };

  test.for<readonly [params: ParameterSource, paths: readonly string[]]>([
    [{ kind: "range", from: 1, to: 3 }, ["/1", "/2", "/3"]],
    [{ kind: "list", values: ["a", 2] }, ["/2", "/a"]],
    [{ ...csv("/a.csv"), values: ["x"] }, ["/x"]],
  ])("come from %j", async ([source, paths]) => {
    expect(await pathsOf({ id: source })).toEqual(paths);
  });

  test("come from a query on a copy of the database, which goes", async () => {
    const { calls, template } = await templateOf();
    expect(await pathsOf({ id: sql }, template)).toEqual(["/3", "/4"]);
    expect(calls.slice(-3)).toEqual(["copy database", "ask SELECT id", "drop database"]);
  });

  test.for<readonly [string, readonly unknown[] | Error, readonly string[], ofHeadOnly?: string]>([
    ["some of which both have", ["2", 3, 9], ["/2", "/3"]],
    ["all of which both have", [1, 2, 3], ["/1", "/2", "/3"]],
    ["that the base has none of, so that its endpoint may be new", [], ["/1", "/2", "/3"]],
    ["that the base cannot be asked for", new EnvironmentError("seed", "no such table"), ["/1", "/2", "/3"]],
    [
      "of which they share none",
      [7, 8],
      ["/1", "/2", "/3"],
      "l.yml:id: params.id: the query returns no value that head and base both have, because each version fills its own database; generate the same keys each time (with a fixed random seed), or use SQL files",
    ],
  ])("come from both arms' databases: %s", async ([, ofBase, expected, ofHeadOnly]) => {
    const head = await templateOf(() => Promise.resolve([1, 2, 3]));
    const base = await templateOf(() =>
      ofBase instanceof Error ? Promise.reject(ofBase) : Promise.resolve(ofBase),
    );
    const made = await prepareMaterials(workloadWith({ id: sql }), head.template, base.template);
    const rows = made.materials.get("GET /{id}")?.rows ?? [];
    expect(rows.map(({ path }) => path).toSorted()).toEqual(expected);
    expect(made.ofHeadOnly.get("GET /{id}")).toBe(ofHeadOnly);
    expect([head, base].map(({ calls }) => calls.at(-1))).toEqual(["drop database", "drop database"]);
  });

  test("come from all rows of both arms, of which each may give another part first", async () => {
    const rows = Array.from({ length: mostRows + 10 }, (_, index) => index);
    const head = await templateOf(async (_, most) => rows.slice(0, most));
    const base = await templateOf(async (_, most) => rows.toReversed().slice(0, most));
    const few = await templateOf(async (_, most) => rows.slice(-10).slice(0, most));
    const pathsWith = async (ofBase: DatabaseTemplate) =>
      (await prepareMaterials(workloadWith({ id: sql }), head.template, ofBase)).materials.get("GET /{id}")
        ?.rows;
    expect(await pathsWith(base.template)).toHaveLength(mostRows);
    expect(await pathsWith(few.template)).toHaveLength(10);
  });

  test("that a query does not give are told", async () => {
    const problemOf = async (template?: DatabaseTemplate) =>
      prepareMaterials(workloadWith({ id: sql }), template).catch((error: unknown) =>
        error instanceof InputError ? error.problems : error,
      );
    expect(await problemOf()).toEqual([
      "l.yml:id: params.id: needs a database that the run creates (database: postgres)",
    ]);
    const none = await templateOf(() => Promise.resolve([null]));
    expect(await problemOf(none.template)).toEqual([
      "l.yml:id: params.id: the query returned no values; correct it, or seed the rows that it looks for",
    ]);
    await expect(
      prepareMaterials(workloadWith({ id: sql }), none.template, none.template),
    ).rejects.toMatchObject({ problems: [expect.stringContaining("the query returned no values")] });
    const bad = await templateOf(() => Promise.reject(new EnvironmentError("seed", "no such table")));
    expect(await problemOf(bad.template)).toEqual(["l.yml:id: params.id: the query failed: no such table"]);
    const ours = await templateOf(() => Promise.reject(new TypeError("oops")));
    expect(await problemOf(ours.template)).toBeInstanceOf(TypeError);
  });
});

test("loads are given what belongs to each step, and nothing where no step has anything", async () => {
  const material = { headers: {}, rows: [{ path: "/1" }] };
  const materials = new Map([["GET /{id}", material]]);
  const plain = { method: "GET", path: "/" } as const;
  expect(materialsFor({ steps: [plain, { pauseSeconds: 1 }, endpoint] }, materials)).toEqual([
    undefined,
    undefined,
    material,
  ]);
  expect(materialsFor(plain, materials)).toBeUndefined();
  const seen: LoadRequest[] = [];
  const { ports } = recordingPorts({ generateLoad: (request) => Promise.reject(seen.push(request)) });
  expect(sendingMaterials(ports, { materials: new Map() })).toBe(ports);
  const request: LoadRequest = {
    targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
    endpoint,
    load: { kind: "constant", virtualUsers: 1, durationSeconds: 1 },
    sliceMs: 100,
    seed: 1,
    name: "x",
  };
  await sendingMaterials(ports, { materials })
    .generateLoad(request, new AbortController().signal)
    .catch(() => undefined);
  expect(seen[0]?.materials).toEqual([material]);
});
