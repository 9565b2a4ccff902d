import { expect, test } from "vitest";
import type { Files, RawInputs } from "../../src/config/inputs.ts";
import { callersInputs } from "../../src/config/several-apps.ts";

const files: Files = {
  resolve: (path) => (path === "." ? "/repo" : `/repo/${path}`),
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};

test.for<[what: string, raw: RawInputs, config: string, expected: Readonly<Record<string, string>>]>([
  ["nothing was given", {}, "", {}],
  ["a file", {}, "apps/shop.yml", { config: "apps/shop.yml" }],
  ["a file that was found", {}, "/repo/apps/loadtest.yml", { config: "apps/loadtest.yml" }],
  ["a file elsewhere", {}, "/etc/loadtest.yml", { config: "/etc/loadtest.yml" }],
  ["inputs", { vus: "16", app: "a:b", workers: "" }, "", { app: "a:b", vus: "16" }],
  ["settings", { settings: "ready-path: /up\nworkers: [1, 2]" }, "", { "ready-path": "/up", workers: "1,2" }],
  ["inputs over settings", { settings: "vus: 4", vus: "16" }, "", { vus: "16" }],
  ["what a repetition sets itself", { "max-minutes": "9", "base-ref": "main", thresholds: "avg<1" }, "", {}],
  ["a secret", { "app-env": "TOKEN=x", "database-url": "postgres://u:p@h/d" }, "", {}],
  ["a text that is too long", { endpoints: "/".repeat(2_001) }, "", {}],
])("%s", ([, raw, config, expected]) => {
  expect(callersInputs(raw, config, files)).toEqual(expected);
});
