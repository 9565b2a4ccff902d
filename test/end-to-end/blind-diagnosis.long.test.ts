import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "../../src/config/config-parser.ts";
import { measure } from "../../src/measure/measure.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import { measurePorts } from "../../src/wiring/measure.ts";
import { files } from "../../src/wiring/run.ts";
import { openShared } from "../../src/wiring/shared.ts";
import { root } from "../contract/files.ts";

// Apps into which the probe cannot look, or not everywhere. They are measured as ever, and diagnosis says what it misses.

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "blind-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const appOf = (first: string) => `import asyncio, sys, time

${first}
from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def wait() -> str:
    time.sleep(0.03)
    return "done"
`;

/** Measures the app for a second as the command line would, and looks into it. */
async function measured(app: string, raw: Readonly<Record<string, string>>) {
  await writeFile(join(folder, "main.py"), app);
  await using shared = await openShared(process.env);
  const inputs = {
    app: "main:app",
    "working-directory": folder,
    install: join(root, ".tools", "target-app"),
    "ready-path": "/",
    endpoints: "/",
    workers: "1",
    vus: "4",
    duration: "1s",
    warmup: "0s",
    database: "none",
    "base-ref": "none",
    diagnose: "always",
    "results-directory": join(folder, "results"),
    ...raw,
  };
  const { workload, reporting } = parseConfig("measure", inputs, files);
  if (workload === undefined) throw new Error("measure has a workload");
  const ports = await measurePorts(reporting, workload, shared);
  const [measurement] = await measure(makePlan(workload), workload, ports);
  return measurement;
}

interface Case {
  readonly what: string;
  /** Python that runs before the app is made. */
  readonly first?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Causes; `undefined`: nothing could be seen at all. */
  readonly found: readonly string[] | undefined;
  readonly unseen: RegExp;
}

test.for<Case>([
  {
    what: "an app that refuses to be started through the probe",
    first: `if "loadtest_probe.probe" in sys.modules:\n    raise RuntimeError("no strangers")`,
    found: undefined,
    unseen: /^start app: RuntimeError: no strangers \(server exited \(code 1\) before it became ready\)$/,
  },
  {
    what: "a Python that does not listen to its environment",
    inputs: { server: "python -I -m uvicorn --app-dir . {app} --host {host} --port {port}" },
    found: undefined,
    unseen:
      /^the server never loaded the probe: it does not run Python, or Python ignores environment variables/,
  },
  {
    what: "an app that may not write files",
    first: "import resource\n\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    found: undefined,
    unseen: /^uvicorn was imported, but no process that serves the app recorded anything$/,
  },
  {
    what: "an app that has changed its loop: what does not need the changed part is seen",
    first: `plain = asyncio.BaseEventLoop.call_later


def call_later(self, delay, callback, *args, **kwargs):
    if callback.__module__.split(".")[0] not in ("asyncio", "uvicorn"):
        raise RuntimeError(f"no timers of {callback.__module__}")
    return plain(self, delay, callback, *args, **kwargs)


asyncio.BaseEventLoop.call_later = call_later`,
    inputs: { server: "uvicorn {app} --host {host} --port {port} --loop asyncio" },
    found: ["blocking call on the event loop"],
    unseen: /^lateness of the event loop: RuntimeError: no timers of loadtest_probe/,
  },
])("$what", { timeout: 120_000 }, async ({ first = "", inputs = {}, found, unseen }) => {
  const measurement = await measured(appOf(first), inputs);
  expect(measurement?.status, JSON.stringify(measurement?.failure)).toBe("measured");
  const [replicate] = measurement?.replicates ?? [];
  expect(replicate?.arms.head?.statuses).toEqual({ "200": expect.any(Number) });
  const diagnosis = measurement?.diagnosis?.head;
  expect(diagnosis?.findings?.map(({ cause }) => cause)).toEqual(found);
  expect(diagnosis?.unseen).toEqual([expect.stringMatching(unseen)]);
});
