import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { mixLine } from "../../src/model/endpoint/endpoint.ts";
import { makeCell } from "../../src/model/plan/cell.ts";
import { againCommand } from "../../src/report/again.ts";
import { cell } from "../fixtures/measurement.ts";
import { commits, design, effect } from "./compared.ts";

const program = ["fastapi-loadtest"];
const compared = { design: design(), commits };
const commandOf = (
  settings: Readonly<Record<string, string>> = {},
  parts: Parameters<typeof cell>[0] = {},
  changes: Partial<Parameters<typeof againCommand>[1]> = {},
) => {
  const of = cell(parts);
  const command = againCommand(
    { cell: of },
    { ...compared, settings: [{ inputs: settings }], program, ...changes },
  );
  return command?.replace(of.id, "ID");
};
const start = "fastapi-loadtest again ID";
const base = `--base-ref ${commits.base.slice(0, 10)}`;

test.for<[what: string, expected: string, ...Parameters<typeof commandOf>]>([
  ["a comparison", `${start} ${base}`],
  ["a base that is not known", `${start} --base-ref auto`, {}, {}, { commits: {} }],
  ["a control", `${start} --control`, {}, {}, { design: design({ kind: "control" }) }],
  ["a head alone", `${start} --base-ref none`, {}, {}, { design: undefined }],
  [
    "settings of the workflow",
    `${start} --config a/b.yml --vus 16 ${base}`,
    { config: "a/b.yml", vus: "16" },
  ],
  ["a text with spaces", `${start} --stages '1s:5, 2s:0' ${base}`, { stages: "1s:5, 2s:0" }],
  [
    "flags",
    `${start} --no-only-affected --separate-cpus ${base}`,
    { "only-affected": "false", "separate-cpus": "true" },
  ],
  ["worker counts", `${start} --workers 4 ${base}`, { workers: "1,4" }, { workers: 4 }],
  ["endpoints", `${start} --endpoints /b ${base}`, { endpoints: "/a\n/b" }, { path: "/b" }],
  [
    "endpoints with methods",
    `${start} --endpoints 'GET /b' ${base}`,
    { endpoints: " GET /b\nPOST /b" },
    { path: "/b" },
  ],
  [
    "endpoints of the app",
    `${start} --endpoints 'auto /b' ${base}`,
    { endpoints: "auto /b" },
    { path: "/b" },
  ],
  ["all endpoints of the app", `${start} --endpoints auto ${base}`, { endpoints: "auto" }, { path: "/b" }],
  ["an app among several", `${start} --name till ${base}`, {}, { app: "till" }, { settings: undefined }],
  [
    "an app among several with settings",
    `${start} --name till --config till.yml ${base}`,
    {},
    { app: "till" },
    {
      settings: [
        { app: "shop", inputs: { config: "shop.yml" } },
        { app: "till", inputs: { config: "till.yml" } },
      ],
    },
  ],
  ["an iteration", `${start} ${base}`, {}, { endpoint: { steps: [{ method: "GET", path: "/a" }] } }],
])("%s", ([, expected, ...parts]) => {
  expect(commandOf(...parts)).toBe(expected);
});

test.for<[what: string, reported: string, row: Partial<Parameters<typeof againCommand>[0]>]>([
  ["that is large", " --reported-slowdown 15%", { standing: "slower", effect: effect(-0.2, 0.05) }],
  ["that is small", " --reported-slowdown 3.2%", { standing: "slower", effect: effect(-0.04, 0.0076) }],
  ["that may be tiny", "", { standing: "slower", effect: effect(-0.04, 0.0396) }],
  ["seen in total throughput", "", { standing: "slower", effect: effect(0, 0.01) }],
  ["that is not certain", "", { standing: "inconclusive", effect: effect(-0.04, 0.1) }],
  ["that is none", "", { standing: "faster", effect: effect(0.2, 0.1) }],
])("the command tells the size of a slowdown %s", ([, reported, measured]) => {
  const settings = [{ inputs: { vus: "16" } }];
  const command = againCommand({ cell: cell(), ...measured }, { ...compared, settings });
  expect(command).toContain(` --vus 16${reported} --base-ref `);
});

test("a mix keeps its line", () => {
  const mix = makeCell({
    ...cell(),
    endpoint: { mix: [1, 2].map((weight) => ({ weight, endpoint: { method: "GET", path: `/${weight}` } })) },
  });
  const settings = [{ inputs: { endpoints: mixLine } }];
  expect(againCommand({ cell: mix }, { ...compared, settings })).toContain(" --endpoints mix ");
});

test("the program of a report needs nothing but Node", () => {
  expect(againCommand({ cell: cell() }, compared)).toMatch(/^npx --yes \S+\.tgz again get-health-w1-/);
});

test("a shell reads back what was meant", () => {
  const text = "a'b $(touch x) `y`";
  const command = commandOf({ "ready-path": text }) ?? "";
  expect(
    execFileSync("sh", ["-c", command.replace("fastapi-loadtest", "printf '%s\\n'")], { encoding: "utf8" }),
  ).toBe(["again", "ID", "--ready-path", text, "--base-ref", commits.base.slice(0, 10), ""].join("\n"));
});

test("what nobody can read is no command", () => {
  expect(commandOf({ "ready-path": "/\u202e" })).toBeUndefined();
});
