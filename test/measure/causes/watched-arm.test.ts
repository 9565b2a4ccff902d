import { expect, test } from "vitest";

import type { RepositoryChanges } from "../../../src/diagnosis/reach/changed-files.ts";
import { watchArm } from "../../../src/measure/causes/watched-arm.ts";
import { probeOf } from "../../../src/measure/causes/watched-servers.ts";
import { keyOf, prepare, runningServer } from "../../../src/measure/preparation/index.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparingPorts, fakeProbe } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const changes: RepositoryChanges = { topFolder: "/repository", prefix: "api", files: [] };

test("a server that is not watched has no probe", () => {
  const app = runningServer("http://127.0.0.1:81");
  expect(() => probeOf(new Map([["head", { app }]]), "head")).toThrow("the server of head is not watched");
});

test("a cell whose later steps need what a reply holds is not asked, and so measured", async () => {
  const document = { schemaVersion: 1, windows: ["start", "cell 0", "cell 1"], doubts: [], opened: [] };
  const file = { name: "worker-1-ab.json", text: JSON.stringify({ ...document, files: [] }) };
  const made = comparingPorts();
  const ports = { ...made.ports, openProbe: () => Promise.resolve(fakeProbe(made.call, [file])) };
  await using ready = await prepare(workloadOf({ "base-ref": "main", workers: "1" }), {}, ports);
  const form = "12345678";
  const [plain, keeping] = [cell(), cell({ endpoint: { method: "GET", path: "/orders", form } })];
  const captures = [{ name: "id", kind: "json", place: "/id" }] as const;
  const materials = new Map([["GET /orders", { rows: [{ path: "/orders" }], headers: {}, captures }]]);
  const watching = { ...ready, materials };

  const { answered } = await watchArm("head", [plain, keeping], changes, watching, ports);

  expect([...answered.keys()]).toEqual([keyOf(plain)]);
});
