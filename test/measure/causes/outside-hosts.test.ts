import { describe, expect, test } from "vitest";

import type { ProbeFile } from "../../../src/diagnosis/probe-documents.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import type { ProbePurpose } from "../../../src/ports/app.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { comparingPorts, fakeProbe, recordingPorts } from "../fake-ports.ts";
import { compare, keepingTime, run } from "../run-measure.ts";

const wrote = (outside: Readonly<Record<string, readonly string[]>>, more: object = {}): ProbeFile => ({
  name: "worker-1-ab.json",
  text: JSON.stringify({ schemaVersion: 1, outside, ...more }),
});

interface Looked {
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
  readonly raw?: Record<string, string>;
  readonly overrides?: Partial<MeasurePorts>;
}

/** Measures two endpoints of the head alone, whose app tries to reach those hosts. */
async function looked({ hosts = {}, raw = {}, overrides = {} }: Looked) {
  const made = recordingPorts();
  const ports: MeasurePorts = {
    ...made.ports,
    openProbe: (purpose: ProbePurpose) =>
      made.call(`open probe for ${purpose}`, fakeProbe(made.call, [wrote(hosts)])),
    startApp: (command, python, name) => {
      if (command.argv[0] === "watched") made.calls.push(`watched, ready in ${command.readyWithinSeconds} s`);
      return made.ports.startApp(command, python, name);
    },
    ...overrides,
  };
  const measurements = await run(ports, { diagnose: "on-change", endpoints: "/a\n/b", ...raw });
  const texts = (kind: "warning" | "step") =>
    made.events.flatMap((event) => (event.kind === kind ? [event.text] : []));
  const ofCells = measurements.map(({ environment }) => environment?.outsideHosts);
  return { ...made, measurements, warnings: texts("warning"), steps: texts("step"), ofCells };
}

const warning = (told: string) =>
  `The app calls ${told}, so the load goes there too. Use a stub instead (\`stubs\`), unless you are allowed to load-test it.`;

describe("before any load", () => {
  test("the app starts once, watched, and an endpoint that reaches for others is told and written down", async () => {
    const hosts = { all: ["api.example.com"], "cell 1": ["api.example.com"], start: ["logs.example.com"] };
    const { calls, warnings, ofCells, measurements } = await looked({ hosts });
    expect(warnings).toEqual([warning("api.example.com (for /b)")]);
    expect(ofCells).toEqual([[], ["api.example.com"]]);
    expect(measurements.map(({ status }) => status)).toEqual(["measured", "measured"]);
    const first = calls.findIndex((call) => call.startsWith("load "));
    const before = calls.slice(0, first);
    expect(before.filter((call) => call.startsWith("open probe"))).toEqual(["open probe for outside"]);
    expect(before).toContain("watched, ready in 15 s");
    // Both together, each alone, then the measurement's own.
    expect(before.filter((call) => call.startsWith("try "))).toEqual(
      ["/a", "/b", "/a", "/b", "/a"].map((path) => `try GET ${path}`),
    );
    expect(before.filter((call) => call === "open window")).toHaveLength(3);
  });

  test("an app that reaches for nobody is asked once", async () => {
    const { calls, warnings, ofCells } = await looked({});
    expect(warnings).toEqual([]);
    expect(ofCells).toEqual([[], []]);
    const first = calls.findIndex((call) => call.startsWith("load "));
    expect(calls.slice(0, first).filter((call) => call === "open window")).toHaveLength(1);
  });

  test("the only endpoint is asked once, whomever it reaches for", async () => {
    const raw = { endpoints: "/a", workers: "1,2" };
    const { calls, warnings, ofCells } = await looked({ hosts: { all: ["api.example.com"] }, raw });
    expect(warnings).toEqual([warning("api.example.com (for /a)")]);
    expect(ofCells).toEqual([["api.example.com"], ["api.example.com"]]);
    const first = calls.findIndex((call) => call.startsWith("load "));
    expect(calls.slice(0, first).filter((call) => call === "open window")).toHaveLength(1);
  });

  test("a host that is reached for once only is told without an endpoint", async () => {
    const hosts = { all: ["api.example.com", "token.example.com"], "cell 0": ["api.example.com"] };
    const { warnings, ofCells } = await looked({ hosts });
    expect(warnings).toEqual([warning("api.example.com (for /a), token.example.com")]);
    expect(ofCells).toEqual([["api.example.com"], undefined]);
  });

  test("servers that are told as shared are not told again", async () => {
    const hosts = { all: ["cache", "db", "api.example.com"] };
    const raw = {
      endpoints: "/a",
      "app-env": "CACHE=redis://cache:6379/0\nAPI=https://api.example.com",
      "database-url": "postgresql://u:p@db:5432/app",
    };
    expect((await looked({ hosts, raw })).warnings).toEqual([warning("api.example.com (for /a)")]);
  });
});

test.for<[what: string, raw: Record<string, string>]>([
  ["with diagnose: never", { diagnose: "never" }],
  ["for a script", { endpoints: "", script: "load/visit.js" }],
  ["for messages through a WebSocket", { endpoints: "ws /chat" }],
])("nobody looks %s", async ([, raw]) => {
  const { calls, warnings } = await looked({ raw, hosts: { all: ["api.example.com"] } });
  expect(calls).not.toContain("open probe for outside");
  expect(warnings).toEqual([]);
});

describe("a look that fails", () => {
  const isUnknown = "outbound calls could not be checked: ";

  test("costs only that", async () => {
    const overrides = { openProbe: () => Promise.reject(new EnvironmentError("start app", "no probe")) };
    const { steps, measurements } = await looked({ overrides });
    expect(steps).toContain(`${isUnknown}no probe`);
    expect(measurements.map(({ status }) => status)).toEqual(["measured", "measured"]);
  });

  test("and a request without a reply are the measurement's to tell", async () => {
    const overrides: Partial<MeasurePorts> = { sendRequest: () => Promise.resolve("no response came") };
    const { warnings, measurements } = await looked({ overrides, hosts: { all: ["api.example.com"] } });
    expect(warnings).toEqual([warning("api.example.com")]);
    expect(measurements[0]?.failure?.reason).toBe("GET /a: no response came");
  });

  test("for any other reason is told, too", async () => {
    const full = { openProbe: () => Promise.reject(new Error("the disk is full")) };
    expect((await looked({ overrides: full })).steps).toContain(`${isUnknown}the disk is full`);
  });

  test("for it takes too long is given up", async () => {
    const overrides: Partial<MeasurePorts> = {
      startDeadline: (signal) => ({
        signal,
        isOver: true,
        abort: () => undefined,
        [Symbol.dispose]: () => undefined,
      }),
      openProbe: () => Promise.reject(new Error("cut off")),
    };
    expect((await looked({ overrides })).steps).toContain(`${isUnknown}it took more than 60 s`);
  });

  test("because the user cancelled ends with the measurement", async () => {
    const cancel = new AbortController();
    const overrides: Partial<MeasurePorts> = {
      signal: cancel.signal,
      openProbe: () => {
        cancel.abort();
        return Promise.reject(new Error("cancelled"));
      },
    };
    const { measurements, steps } = await looked({ overrides });
    expect(measurements).toEqual([]);
    expect(steps.filter((text) => text.startsWith(isUnknown))).toEqual([]);
  });

  test("after its time has no more endpoints to ask", async () => {
    let now = 0;
    const overrides: Partial<MeasurePorts> = {
      clock: () => now,
      sendRequest: ({ url }) => {
        now += url.endsWith("/a") ? 30 : 0;
        return Promise.resolve({ status: 200, body: "" });
      },
    };
    const hosts = { all: ["api.example.com"], "cell 0": ["api.example.com"] };
    const { calls, ofCells } = await looked({ overrides, hosts });
    expect(ofCells).toEqual([["api.example.com"], undefined]);
    expect(calls.filter((call) => call === "open window").length).toBeGreaterThan(0);
  });
});

describe("against a base", () => {
  const base = { windows: ["start", "cell 0", "cell 1"], doubts: [], opened: [], files: [] };
  const changes = { topFolder: "/repository", prefix: "api", files: [] };
  const shop = { path: "api/shop.py", lines: { base: [], head: [{ first: 12, last: 12 }] } };
  const close = [
    { file: "api/shop.py", functions: [{ name: "close", first: 10, last: 19, ran: ["cell 1"] }], empty: [] },
  ];

  async function compared(file: ProbeFile, raw: Record<string, string> = {}) {
    const made = comparingPorts({
      changesSince: () => Promise.resolve({ ...changes, files: [shop] }),
      openProbe: (purpose: ProbePurpose) =>
        made.call(`open probe for ${purpose}`, fakeProbe(made.call, [file])),
    });
    const all = { "max-minutes": "1.5", endpoints: "/a\n/b", diagnose: "on-change", ...raw };
    const measurements = await compare(keepingTime(made.ports), all);
    const warnings = made.events.flatMap((event) => (event.kind === "warning" ? [event.text] : []));
    return { ...made, measurements, warnings };
  }

  test("the look at what a change reaches tells it, too, of endpoints that get a load", async () => {
    const outside = { "cell 0": ["never.example.com"], "cell 1": ["api.example.com"] };
    const file = wrote(outside, { ...base, files: close });
    const { calls, warnings, measurements } = await compared(file, { diagnose: "never" });
    expect(warnings).toEqual([warning("api.example.com (for /b)")]);
    expect(calls).not.toContain("open probe for outside");
    expect(measurements.map(({ status, environment }) => [status, environment?.outsideHosts])).toEqual([
      ["not reached", undefined],
      ["measured", ["api.example.com"]],
    ]);
  });

  test("where that look cannot tell, there is one of its own", async () => {
    const file = wrote({ all: ["api.example.com"] }, { ...base, doubts: ["it hides"], files: close });
    const { calls, warnings } = await compared(file, { "only-affected": "false" });
    expect(calls).toContain("open probe for outside");
    expect(warnings).toEqual([warning("api.example.com")]);
  });
});
