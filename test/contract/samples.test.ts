import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { readRepository, readScripts, readVariables } from "../../src/adapters/python/index.ts";
import { init } from "../../src/commands/init.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { parseRequest } from "../../src/config/several-apps.ts";
import { isNonEmpty } from "../../src/lists/non-empty.ts";
import { servicePresets } from "../../src/model/workload/service-presets.ts";
import { files } from "../../src/wiring/run.ts";
import { requestOf } from "../init/tests/recorded.ts";
import { trialPorts } from "../trial/fake-trial.ts";
import { root } from "./files.ts";

const samples = join(root, "test/samples");
const names = readdirSync(samples, { withFileTypes: true }).flatMap((each) =>
  each.isDirectory() ? [each.name] : [],
);

const parameters = ["path", "query", "header"].map((place) => ({
  ...{ in: place, name: `the-${place}`, required: true, schema: { type: "string" } },
}));
const odd = [
  "/a b",
  "/é",
  "/a?b=1",
  "/a#b",
  "/{a}/{a}",
  "/{a:path}",
  "/a//b",
  "/a, /b",
  "/",
  "mix",
  "/{the-path}",
];
const document = { paths: Object.fromEntries(odd.map((path) => [path, { get: { parameters }, post: {} }])) };
const recorded = odd.flatMap((path) => [
  JSON.stringify(requestOf({ path: `/${path}`, query: "a={b}&c=é" })),
  JSON.stringify(requestOf({ path: `/${path}`, query: "a=b", headers: { "x-a": "{b}" } })),
  JSON.stringify(requestOf({ method: "POST", path: `/${path}`, body: '{"a":"x\\u0000","b":["é"]}' })),
]);

/** With an app whose endpoints all answer, whatever they are. */
async function written(name: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const folder = join(samples, name);
  const app = {
    documentFor: () => document,
    recorded: recorded.join("\n"),
    tests: { folder: ".", files: ["a.py"], needs: [], variables: {}, onSqlite: [] },
    replyTo: () => ({ status: 200, body: "[1]" }),
  };
  await init(
    { apps: [], appFolders: [], overwrites: true },
    {
      progress: () => undefined,
      files,
      folder,
      here: ".",
      fromHere: (path) => path,
      isFile: (path) => existsSync(join(folder, path)),
      textOf: () => undefined,
      readRepository: async () => readRepository(folder),
      readScripts: () => readScripts(folder),
      findApps: () => files.findApps(folder),
      readVariables: (sources) => readVariables(sources, new AbortController().signal),
      presetsHere: async () => new Set([...Object.keys(servicePresets), "mysql"]),
      trialPorts: async ({ workload }) => trialPorts(workload, app),
      changedOn: async () => "2026-01-01",
      write: async (path, text) => void texts.set(path, text),
      print: () => undefined,
    },
  );
  return texts;
}

test("there are samples", () => {
  expect(names.length).toBeGreaterThan(20);
});

test.for(names)("`run` takes what `init` writes for %s", async (name) => {
  const texts = await written(name);
  const configurations = [...texts].flatMap(([path, text]) => {
    const from = join(samples, name, path.startsWith(".github/") ? "" : path.replace(/[^/]*$/, ""));
    return path.endsWith("loadtest.yml") && !path.includes("workflows")
      ? [{ name: path, file: parseConfigurationFile(path, from, text) }]
      : [];
  });
  if (!isNonEmpty(configurations)) throw new Error("nothing was written");
  const own = { ...files, isFile: (path: string) => path.endsWith("-rows.sql") || files.isFile(path) };
  const { apps } = parseRequest("run", {}, own, {
    pullRequest: { kind: "none", reason: "" },
    configurations,
  });
  for (const { workload } of apps) expect(workload.endpoints.length).toBeGreaterThan(0);
});
