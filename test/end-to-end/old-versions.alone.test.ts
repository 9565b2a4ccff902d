import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";

import { readOpenApi, tryImport } from "../../src/adapters/python/index.ts";
import { parseConfig } from "../../src/config/config-parser.ts";
import { measure } from "../../src/measure/measure.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import { measurePorts } from "../../src/wiring/measure.ts";
import { files } from "../../src/wiring/run.ts";
import { openShared } from "../../src/wiring/shared.ts";
import { root } from "../contract/files.ts";
import { cases, expectedSeen, openPlanted, seenOf, servers } from "./planted.ts";

// The main cases of a diagnosis with the oldest, some middle and the newest versions of what people lock, and with the
// newest Python. Other environments may be named in LOADTEST_ENVIRONMENTS, a list of folders like PATH.

const isLong = process.env["LOADTEST_LONG"] !== undefined;
const own = ["old-versions-oldest", "old-versions-middle", "target-app-dev", "python3.14/environment"];
const environments =
  process.env["LOADTEST_ENVIRONMENTS"]?.split(delimiter) ??
  own.map((name) => join(root, ".tools", name)).filter((folder) => existsSync(folder));
const { signal } = new AbortController();

describe.runIf(isLong).each(environments)("%s", (environment) => {
  test.for(servers)(
    "each mistake is told with its line, served by $name",
    { timeout: 300_000 },
    async ({ command, of }, { skip }) => {
      await using planted = await openPlanted(environment);
      if (!(of in planted.environment.packages)) skip(`${of} is newer than these versions`);
      expect(await seenOf(planted, command)).toEqual(expectedSeen);
    },
  );

  test("the app is asked for its endpoints, and what is wrong with it is said", {
    timeout: 60_000,
  }, async () => {
    await using planted = await openPlanted(environment);
    const { app, environment: prepared } = planted;
    const variables = {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
    };
    const paths = Object.fromEntries(cases.map(({ path }) => [path, { get: expect.any(Object) }]));
    expect(await readOpenApi(prepared, app, variables, { signal, workFolder: tmpdir() })).toMatchObject({
      document: { paths },
    });
    expect(await tryImport(prepared, app, variables, { signal, workFolder: tmpdir() })).toEqual({
      replaced: [],
    });
    const other = { ...app, importString: "main:other" };
    const problem = /AttributeError: module 'main' has no attribute 'other'$/;
    expect(await tryImport(prepared, other, variables, { signal, workFolder: tmpdir() })).toEqual({
      problem: expect.stringMatching(problem),
    });
    expect(await readOpenApi(prepared, other, variables, { signal, workFolder: tmpdir() })).toEqual({
      problem: expect.stringMatching(problem),
    });
  });

  test("a whole run measures and diagnoses it", { timeout: 200_000 }, async () => {
    await using planted = await openPlanted(environment);
    const { app, folder } = planted;
    await using shared = await openShared(process.env);
    const raw = {
      ...{ app: "main:app", "working-directory": app.folder, install: environment, "ready-path": "/ready" },
      ...{ endpoints: "/blocked", workers: "2", vus: "8", duration: "1s", warmup: "0s" },
      ...{ "base-ref": "none", diagnose: "always", "results-directory": join(folder, "results") },
    };
    const { workload, reporting } = parseConfig("measure", raw, files);
    if (workload === undefined) throw new Error("measure has a workload");
    const ports = await measurePorts(reporting, workload, shared);
    const [measurement] = await measure(makePlan(workload), workload, ports);
    expect(measurement?.status, JSON.stringify(measurement?.failure)).toBe("measured");
    const { findings, unseen } = measurement?.diagnosis?.head ?? {};
    expect(unseen).toEqual([]);
    // Among others: connections that are kept may all be one worker's.
    const blocking = findings?.find(({ cause }) => cause === "blocking call on the event loop");
    expect(blocking?.place?.code).toContain("# blocks the loop");
  });
});
