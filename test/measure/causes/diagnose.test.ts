import { describe, expect, test } from "vitest";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import { defined } from "../../../src/lists/defined.ts";
import type { ArmDiagnosis } from "../../../src/model/findings/diagnosis.ts";
import { parseMeasurements } from "../../../src/model/measurement/documents.ts";
import type { ProbePurpose } from "../../../src/ports/app.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { amount, endpoint, line, worker } from "../../diagnosis/samples.ts";
import { answer } from "../fake-load.ts";
import { armIn, comparingPorts, fakeProbe, recordingPorts } from "../fake-ports.ts";
import { compare, keepingTime, run } from "../run-measure.ts";

/** Time for one replicate only. */
const once = { "max-minutes": "0.3", warmup: "10s", diagnose: "on-change" };
const alone = { workers: "1", diagnose: "on-change" };

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));

const isDiagnosis = (name: string) => name.includes("-diagnosis");

/** What a worker writes that is blocked for as long as its load lasts: 80 replies in 5 s. */
function blockedWorker(window: string) {
  const stalls = [{ ...amount(80, 80 * 62.5), cpuMs: 0 }];
  const blocked = endpoint({ requests: 80, partsMs: { total: 80 * 500 }, stalls });
  const document = worker({ window, busySeconds: 5, loopCpuMs: 0, endpoints: [blocked] });
  return { name: "worker-1.json", text: JSON.stringify(document) };
}

/** Ports whose watched servers block the loop: those of the given arms. */
function blocking(made: ReturnType<typeof comparingPorts>, arms: readonly string[]): MeasurePorts {
  let arm = "";
  let window = "";
  return {
    ...made.ports,
    startApp: (command, python, name) => {
      arm = armIn(name);
      return made.ports.startApp(command, python, name);
    },
    openProbe: () =>
      Promise.resolve({
        ...fakeProbe(made.call),
        openWindow: (name) => {
          window = name;
          return made.call("open window", undefined);
        },
        readFiles: () =>
          made.call("read documents", arms.includes(arm) ? [blockedWorker(window)] : [fine(window)]),
      }),
  };
}

const fine = (window: string) => ({ name: "worker-1.json", text: JSON.stringify(worker({ window })) });

test("after the comparison each arm is started once more, watched, loaded and stopped; then the cell is written again", async () => {
  const made = comparingPorts();
  const [measurement] = await compare(keepingTime(blocking(made, ["head"])), once);
  const written = made.calls.findIndex((call) => call.startsWith("save cells/"));
  expect(made.calls.slice(written + 1)).toMatchInlineSnapshot(`
    [
      "stop head",
      "stop base",
      "drop database",
      "drop database",
      "copy database",
      "watch database",
      "start head, seed undefined",
      "open window",
      "begin watch",
      "load all of head: constant, slices of 250 ms",
      "read database",
      "read documents",
      "stop head",
      "end watch",
      "drop database",
      "close probe",
      "look up app/orders.py in . since ba5eba5e",
      "copy database",
      "watch database",
      "start base, seed undefined",
      "open window",
      "begin watch",
      "load all of base: constant, slices of 250 ms",
      "read database",
      "read documents",
      "stop base",
      "end watch",
      "drop database",
      "close probe",
      "save cells/get-w1.json",
      "stop postgres",
      "remove worktree",
    ]
  `);
  expect(measurement?.replicates).toHaveLength(1);
  expect(measurement?.diagnosis).toMatchObject({
    base: { findings: [] },
    head: {
      findings: [{ cause: "blocking call on the event loop", place: line, path: "api/app/orders.py" }],
      unseen: [],
    },
  });
  const saved = [...made.saved].filter(([name]) => name.startsWith("cells/"));
  const { measurements } = parseMeasurements(saved.map(([name, text]) => ({ name, text })));
  expect(measurements).toEqual([measurement]);
});

test("the load is the cell's own, closed, and short", async () => {
  const made = comparingPorts();
  const loads: unknown[] = [];
  await compare(
    keepingTime({
      ...made.ports,
      generateLoad: (request, signal) => {
        if (isDiagnosis(request.name)) loads.push([request.targets.length, request.load]);
        return made.ports.generateLoad(request, signal);
      },
    }),
    { ...once, vus: "5", connections: "new" },
  );
  const load = {
    kind: "constant",
    virtualUsers: 5,
    durationSeconds: 5,
    gracefulStopSeconds: 0,
    connections: "new",
  };
  expect(loads).toEqual([
    [1, load],
    [1, load],
  ]);
});

describe("which cells", () => {
  const diagnosed = async (raw: Record<string, string>) => {
    const { calls, ports } = comparingPorts();
    const asked: ProbePurpose[] = [];
    const openProbe: MeasurePorts["openProbe"] = (purpose) => {
      asked.push(purpose);
      return ports.openProbe(purpose);
    };
    await compare({ ...ports, openProbe }, raw);
    const arms = asked.filter((purpose) => purpose === "causes").length;
    const looks = asked.includes("outside") ? 1 : 0; // only the head's hosts are wanted
    expect(calls.filter((call) => call === "open window")).toHaveLength(arms + looks);
    return arms;
  };

  test.for([
    ["never", 0],
    ["always", 2],
  ] as const)("%s: %d arms", async ([diagnose, arms]) => {
    expect(await diagnosed({ diagnose })).toBe(arms);
  });

  test("that have no base: the head alone", async () => {
    const { calls, ports } = recordingPorts();
    const [measurement] = await run(ports, alone);
    expect(calls).toContain(
      "start watched uvicorn app.main:app --host 127.0.0.1 --port 4000 --workers 1 --no-access-log",
    );
    expect(measurement?.diagnosis).toEqual({
      head: { unseen: [expect.stringMatching(/^the server never loaded the probe/)] },
    });
  });
});

describe("the base of a slower cell is looked into", () => {
  test.for<[string, readonly string[], readonly string[]]>([
    ["where the head has a problem, which may be an old one", ["head"], ["base", "head"]],
    ["not where it has none", [], ["head"]],
  ])("%s", async ([, blocked, looked]) => {
    const ports = blocking(comparingPorts(), blocked);
    const slower: MeasurePorts = {
      ...ports,
      generateLoad: (request, signal) =>
        isDiagnosis(request.name)
          ? ports.generateLoad(request, signal)
          : Promise.resolve(answer(request, { head: { latencyMs: 20 } })),
    };
    const [measurement] = await compare(keepingTime(slower), { diagnose: "on-change" });
    expect(Object.keys(measurement?.diagnosis ?? {}).toSorted()).toEqual(looked);
  });
});

describe("the diff is taken", () => {
  test.for([
    ["from the base's commit", {}, "since ba5eba5e"],
    [
      "from nothing, where the head is compared with itself",
      { control: "true", "base-ref": "auto" },
      "since undefined",
    ],
  ] as const)("%s", async ([, raw, since]) => {
    const made = comparingPorts();
    await compare(keepingTime(blocking(made, ["head"])), { ...once, ...raw });
    expect(made.calls.filter((call) => call.startsWith("look up"))).toEqual([
      expect.stringMatching(new RegExp(`^look up app/orders.py in .* ${since}$`)),
    ]);
  });

  test("and where git fails, the cause is told without a path", async () => {
    const made = comparingPorts();
    const ports = { ...blocking(made, ["head"]), findFile: () => Promise.reject(new Error("no git")) };
    const [measurement] = await compare(keepingTime(ports), once);
    expect(measurement?.diagnosis?.head?.findings).toHaveLength(1);
    expect(measurement?.diagnosis?.head?.findings?.[0]).not.toHaveProperty("path");
  });
});

test("a server that dies once while it is watched is watched once more", async () => {
  const made = comparingPorts();
  const ports = blocking(made, ["head"]);
  let starts = 0;
  const dying: MeasurePorts = {
    ...ports,
    startApp: async (command, python, name) => {
      const app = await ports.startApp(command, python, name);
      if (!isDiagnosis(name) || armIn(name) !== "head") return app;
      starts += 1;
      return starts === 1 ? { ...app, failure: Promise.resolve("server exited (signal SIGSEGV)") } : app;
    },
  };
  const [measurement] = await compare(keepingTime(dying), once);
  expect(measurement?.diagnosis?.head?.findings).toHaveLength(1);
  expect(measurement?.diagnosis?.head?.unseen).toEqual([]);
  expect(starts).toBe(2);
});

describe("what goes wrong is one sentence, and the comparison is untouched", () => {
  /** Measures with ports of which one fails in the phase; the head's diagnosis. */
  async function diagnosisWith(
    change: (ports: MeasurePorts) => Partial<MeasurePorts>,
  ): Promise<ArmDiagnosis | undefined> {
    const made = recordingPorts();
    const ports = { ...made.ports, ...change(made.ports) };
    const [measurement] = await run(ports, alone);
    const [plain] = await run(made.ports, { ...alone, diagnose: "never" });
    const { diagnosis, ...rest } = measurement ?? { diagnosis: undefined };
    // Only a run that diagnoses looks for outbound calls.
    const outsideHosts = measurement?.environment?.outsideHosts;
    const environment = plain?.environment && { ...plain.environment, ...defined({ outsideHosts }) };
    expect(rest).toEqual({ ...plain, environment });
    return diagnosis?.head;
  }

  test.for<[what: string, change: (ports: MeasurePorts) => Partial<MeasurePorts>, reason: string | RegExp]>([
    [
      "the app cannot be started through the probe",
      (ports) => ({
        startApp: (command, python, name) =>
          isDiagnosis(name)
            ? Promise.reject(
                new EnvironmentError("start app", "the server exited with code 1", {
                  logTail: "Traceback\nNo module named loadtest_probe\n",
                }),
              )
            : ports.startApp(command, python, name),
      }),
      "start app: the server exited with code 1 (No module named loadtest_probe)",
    ],
    [
      "what the app said last is the message already",
      (ports) => ({
        startApp: (command, python, name) =>
          isDiagnosis(name)
            ? Promise.reject(
                new EnvironmentError("start app", "KeyError: 'KEY' (server exited)", {
                  logTail: "KeyError: 'KEY'",
                }),
              )
            : ports.startApp(command, python, name),
      }),
      "start app: KeyError: 'KEY' (server exited)",
    ],
    [
      "it dies under load",
      (ports) => ({
        startApp: async (command, python, name) => {
          const app = await ports.startApp(command, python, name);
          return isDiagnosis(name) ? { ...app, failure: Promise.resolve("a worker died") } : app;
        },
        generateLoad: (request, signal) =>
          isDiagnosis(request.name) ? untilAborted(signal) : ports.generateLoad(request, signal),
      }),
      "load: a worker died",
    ],
    [
      "there is no folder for the probe",
      () => ({ openProbe: () => Promise.reject(new Error("the disk is full")) }),
      "the disk is full",
    ],
    [
      "the load sends nothing",
      (ports) => ({
        generateLoad: (request, signal) =>
          isDiagnosis(request.name)
            ? Promise.resolve({ records: "", summary: "{}", cpuSeconds: undefined })
            : ports.generateLoad(request, signal),
      }),
      /^read results: /,
    ],
  ])("%s", async ([, change, reason]) => {
    expect(await diagnosisWith(change)).toEqual({
      unseen: [typeof reason === "string" ? reason : expect.stringMatching(reason)],
    });
  });

  test("the base", async () => {
    const made = comparingPorts();
    const ports: MeasurePorts = {
      ...made.ports,
      startApp: (command, python, name) =>
        isDiagnosis(name) && armIn(name) === "base"
          ? Promise.reject(new EnvironmentError("start app", "no"))
          : made.ports.startApp(command, python, name),
    };
    const [measurement] = await compare(keepingTime(ports), once);
    expect(measurement?.diagnosis?.base).toEqual({ unseen: ["start app: no"] });
    expect(measurement?.status).toBe("measured");
  });

  test("a server that does not stop is warned of; what it told counts", async () => {
    const made = recordingPorts();
    const ports: MeasurePorts = {
      ...made.ports,
      startApp: async (command, python, name) => {
        const app = await made.ports.startApp(command, python, name);
        const dispose = () => Promise.reject(new Error("it stays"));
        return isDiagnosis(name) ? { ...app, [Symbol.asyncDispose]: dispose } : app;
      },
      openProbe: () => Promise.resolve(fakeProbe(made.call, [fine("")])),
    };
    const [measurement] = await run(ports, alone);
    expect(measurement?.status).toBe("measured");
    expect(made.events).toContainEqual({ kind: "warning", text: "after a diagnosis: it stays" });
  });

  test("a start of seconds takes nothing from the load", async () => {
    const made = recordingPorts();
    const seen: string[] = [];
    let now = 0;
    const ports: MeasurePorts = {
      ...made.ports,
      clock: () => now,
      startApp: (command, python, name) => {
        if (isDiagnosis(name)) now += command.readyWithinSeconds - 1;
        seen.push(`ready within ${command.readyWithinSeconds} s`);
        return made.ports.startApp(command, python, name);
      },
      generateLoad: (request, signal) => {
        if (isDiagnosis(request.name) && "durationSeconds" in request.load)
          seen.push(`load of ${request.load.durationSeconds} s`);
        return made.ports.generateLoad(request, signal);
      },
    };
    await run(ports, alone);
    expect(seen.slice(-2)).toEqual(["ready within 30 s", "load of 5 s"]);
  });

  test("takes too long", async () => {
    const made = recordingPorts();
    const ports: MeasurePorts = {
      ...made.ports,
      startDeadline: (signal, seconds) =>
        made.ports.startDeadline(signal, seconds === undefined ? undefined : 0.02),
      generateLoad: (request, signal) =>
        isDiagnosis(request.name) ? untilAborted(signal) : made.ports.generateLoad(request, signal),
    };
    const [measurement] = await run(ports, alone);
    expect(measurement?.diagnosis).toEqual({ head: { unseen: ["it took more than 40 s"] } });
  });
});

test("a user who cancels gets what was measured, and no half of a diagnosis", async () => {
  const made = comparingPorts();
  const cancel = new AbortController();
  const ports: MeasurePorts = {
    ...made.ports,
    signal: cancel.signal,
    generateLoad: (request) => {
      if (!isDiagnosis(request.name)) return Promise.resolve(answer(request));
      cancel.abort(new Error("cancelled"));
      return Promise.reject(new Error("cancelled"));
    },
  };
  const measurements = await compare(ports, { diagnose: "always", endpoints: "/a\n/b" });
  expect(measurements.map(({ status, diagnosis }) => [status, diagnosis])).toEqual([
    ["measured", undefined],
    ["measured", undefined],
  ]);
});

test("cells without a certain change are looked into for half of the minutes", async () => {
  const made = comparingPorts();
  const raw = { endpoints: "/a\n/b\n/c\n/d", warmup: "10s", "max-minutes": "1" };
  const looked = async (diagnose: string) => {
    const measurements = await compare(keepingTime(made.ports), { ...raw, diagnose });
    return measurements.map(({ diagnosis }) => diagnosis !== undefined);
  };
  // Each takes 5 s of load in each arm.
  expect(await looked("on-change")).toEqual([true, true, true, false]);
  expect(await looked("always")).toEqual([true, true, true, true]);
});
