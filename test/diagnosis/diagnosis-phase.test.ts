import { describe, expect, test } from "vitest";

import { diagnosePhase, phaseLoad } from "../../src/diagnosis/diagnosis-phase.ts";
import { parseLoadRecords } from "../../src/model/load/load-records.ts";
import type { Load } from "../../src/model/plan/cell.ts";
import { cell } from "../fixtures/measurement.ts";
import { answer } from "../measure/fake-load.ts";
import { amount, endpoint, worker } from "./samples.ts";

test.for<[load: Load, virtualUsers: number]>([
  [{ kind: "constant", virtualUsers: 8, durationSeconds: 60 }, 8],
  [{ kind: "rate", requestsPerSecond: 50, virtualUsers: 9, durationSeconds: 60 }, 9],
  [{ kind: "requests", virtualUsers: 7, requests: 1_000 }, 7],
  [
    {
      kind: "stages",
      stages: [
        { durationSeconds: 1, virtualUsers: 5 },
        { durationSeconds: 1, virtualUsers: 0 },
      ],
    },
    5,
  ],
])("%j becomes a closed load of %d users", ([load, virtualUsers]) => {
  expect(phaseLoad({ ...load, connections: "new", timeoutSeconds: 3 }, 5)).toEqual({
    kind: "constant",
    virtualUsers,
    durationSeconds: 5,
    gracefulStopSeconds: 0,
    connections: "new",
    timeoutSeconds: 3,
  });
});

describe("one phase", () => {
  const load = phaseLoad({ kind: "constant", virtualUsers: 8, durationSeconds: 60 }, 5);
  const request = { load, sliceMs: 250, targets: [{ arm: "head", baseUrl: "http://x" }] } as const;
  const slices = parseLoadRecords(
    answer({ ...request, endpoint: cell().endpoint, seed: 1, name: "x" }).records,
  );
  const phase = {
    cell: cell({ path: "/orders" }),
    load,
    slices,
    appCpus: 1,
    generatorCpus: 1,
    generatorCpuSeconds: 0.5,
    database: undefined,
  };
  const fileOf = (document: object) => ({ name: "worker-1.json", text: JSON.stringify(document) });
  // 100 replies in 5 s: the loop is held for 50 ms by each.
  const blocking = worker({
    window: "w",
    busySeconds: 5,
    loopCpuMs: 0,
    endpoints: [
      endpoint({
        requests: 100,
        partsMs: { total: 100 * 500 },
        stalls: [{ ...amount(100, 100 * 50), cpuMs: 0 }],
      }),
    ],
    unseen: [{ what: "hottest lines", reason: "no clocks" }],
  });

  test("leads from documents and load to a cause, and says what was not seen", () => {
    const database = { facts: { tables: [] }, unseen: ["tables: too many clients"] };
    const { findings, unseen, seen } = diagnosePhase([fileOf(blocking)], "w", { ...phase, database });
    expect(findings?.[0]).toMatchObject({
      cause: "blocking call on the event loop",
      endpoint: "/orders",
      prediction: { observed: 20 },
    });
    expect(unseen).toEqual(["hottest lines: no clocks", "the database's tables: too many clients"]);
    expect(seen).toMatchObject({ requests: 100, partsMs: { total: 500 } });
  });

  test.for<[what: string, files: Parameters<typeof diagnosePhase>[0], reason: RegExp]>([
    ["no file", [], /^the server never loaded the probe/],
    ["one of another window", [fileOf(worker({ window: "v" }))], /^the server never loaded the probe/],
    ["one that is not ours", [{ name: "worker-1.json", text: "{" }], /^Ignored worker-1.json/],
    [
      "nobody who answered",
      [fileOf(worker({ window: "w", endpoints: [] }))],
      /^none of the processes that the probe observed answered/,
    ],
  ])("%s is nothing seen", ([, files, reason]) => {
    expect(diagnosePhase(files, "w", phase)).toEqual({ unseen: [expect.stringMatching(reason)] });
  });

  test("nobody who answered may have said why", () => {
    const unseen = [{ what: "requests", reason: "gunicorn's worker Odd is not known" }];
    const blind = worker({ window: "w", endpoints: [], unseen });
    expect(diagnosePhase([fileOf(blind)], "w", phase)).toEqual({
      unseen: [
        "none of the processes that the probe observed answered a request",
        "requests: gunicorn's worker Odd is not known",
      ],
    });
  });

  test("connections that were asked for one by one, and no reply at all, prove nothing", () => {
    const made = { ...phase, load: { ...load, connections: "new" as const }, slices: [] };
    expect(diagnosePhase([fileOf(blocking)], "w", made).findings).toEqual([]);
  });
});
