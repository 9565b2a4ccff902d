import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { measure } from "../../../src/measure/measure.ts";
import type { Endpoint } from "../../../src/model/endpoint/endpoint.ts";
import type { EndpointForm } from "../../../src/model/endpoint/form.ts";
import { makePlan } from "../../../src/model/plan/plan.ts";
import type { Workload } from "../../../src/model/workload/workload.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { comparingPorts, recordingPorts } from "../fake-ports.ts";
import { compare, run, workloadOf } from "../run-measure.ts";

/** Answers of both arms: the head's server has an odd port when both are started in this order. */
async function compared(answers: { readonly base: number | string; readonly head: number | string }) {
  const made = comparingPorts();
  const arms = new Map<string, "base" | "head">();
  const ports: MeasurePorts = {
    ...made.ports,
    startApp: (command, python, name) => {
      arms.set(command.baseUrl, name.endsWith("-base") ? "base" : "head");
      return made.ports.startApp(command, python, name);
    },
    sendRequest: ({ url }) => {
      const answer = answers[arms.get(url.replace(/\/$/, "")) ?? "head"];
      return Promise.resolve(typeof answer === "string" ? answer : { status: answer, body: "words" });
    },
  };
  const [measurement] = await compare(ports);
  return { measurement, calls: made.calls };
}

describe("a request before the load", () => {
  test("is sent once to each arm, before the first replicate only", async () => {
    const { calls, ports } = comparingPorts();
    await compare(ports);
    expect(calls.filter((call) => call.startsWith("try "))).toEqual(["try GET /", "try GET /"]);
    const first = calls.findIndex((call) => call.startsWith("load "));
    expect(calls.slice(0, first).filter((call) => call.startsWith("try "))).toHaveLength(2);
  });

  test("that the head does not answer as expected fails the cell, which gets no load", async () => {
    const { measurement, calls } = await compared({ base: 404, head: 404 });
    expect(measurement).toMatchObject({
      status: "failed",
      replicates: [],
      failure: {
        phase: "dry request",
        reason: expect.stringMatching(
          /^GET \/ answered 404 to a request before the load, not below 400: words;/,
        ),
      },
    });
    expect(calls.filter((call) => call.startsWith("load "))).toEqual([]);
  });

  test.for([
    [{ base: 404, head: 200 }, "added", "head"],
    [{ base: 200, head: 404 }, "removed", "base"],
    [{ base: 500, head: 200 }, "no base", "head"],
    [{ base: "nobody is there", head: 200 }, "no base", "head"],
  ] as const)("%j: one arm is measured, because it is %s", async ([answers, kind, arm]) => {
    const { measurement } = await compared(answers);
    expect(measurement?.status).toBe("measured");
    expect(measurement?.loneArm?.kind).toBe(kind);
    expect(measurement?.replicates.map(({ arms }) => Object.keys(arms))).toEqual([[arm]]);
  });

  test("that is sent on is measured, and the redirect is said", async () => {
    const made = comparingPorts();
    const sendRequest = () =>
      Promise.resolve({ status: 307, body: "", headers: { location: ["/plain"] as const } });
    const [measurement] = await compare({ ...made.ports, sendRequest });
    expect(measurement?.redirects).toEqual([
      { request: "GET /", base: "307 to /plain", head: "307 to /plain" },
    ]);
    expect(made.events).toContainEqual({
      kind: "warning",
      text: "GET / answered 307 to /plain: measure that instead",
    });
  });

  test("that the head fails is no removal", async () => {
    const { measurement } = await compared({ base: 200, head: 500 });
    expect(measurement?.failure).toMatchObject({ phase: "dry request" });
  });

  test("alone: what did not answer, and the log of what failed", async () => {
    const none = recordingPorts({ sendRequest: () => Promise.resolve("no response came") });
    expect((await run(none.ports))[0]?.failure).toMatchObject({
      phase: "dry request",
      reason: "GET /: no response came",
    });
    const broken = recordingPorts({ sendRequest: () => Promise.resolve({ status: 503, body: "" }) });
    expect((await run(broken.ports))[0]?.failure?.reason).toContain("answered 503");
  });

  test("is not sent where the server must be cold", async () => {
    const { calls, ports } = recordingPorts();
    await run(ports, { warmup: "0s" });
    expect(calls.filter((call) => call.startsWith("try "))).toEqual([]);
  });

  test("goes to each request of an iteration", async () => {
    const { calls, ports } = recordingPorts();
    await run(ports, { iteration: "/a\nsleep 1ms\nPOST /b" });
    expect(calls.filter((call) => call.startsWith("try "))).toEqual(["try GET /a", "try POST /b"]);
  });

  test("that lacks a cookie for another host says so, as the load would lack it too", async () => {
    const sent: unknown[] = [];
    const { ports } = recordingPorts({
      sendRequest: ({ url, headers }) => {
        sent.push(headers);
        return Promise.resolve(
          url.endsWith("/enter")
            ? { status: 200, body: "", headers: { "set-cookie": ["a=1; Domain=harbour.example"] } }
            : { status: 401, body: "" },
        );
      },
    });
    const [measurement] = await run(ports, { iteration: "/enter\n/mine" });
    expect(sent).toEqual([{}, {}]);
    expect(measurement?.failure?.reason).toMatch(
      /^GET \/mine answered 401.*; a cookie before it is for harbour\.example, so \S+ does not get it: clear its domain in `app-env`$/,
    );
  });

  describe("whose reply holds a value for later steps", () => {
    const create: Endpoint = { method: "POST", path: "/orders", form: "0123abcd" };
    const read: Endpoint = { method: "GET", path: "/orders/{id}", form: "4567cdef" };
    const form: Omit<EndpointForm, "endpoint"> = {
      ...{ headers: {}, body: undefined, params: {}, weight: undefined, places: {} },
      expect: { statuses: [], contains: undefined },
    };
    const forms: EndpointForm[] = [
      { ...form, endpoint: create, captures: [{ name: "id", kind: "json", place: "/id" }] },
      { ...form, endpoint: read, needs: ["id"] },
    ];

    /** The replies to the first step, arm by arm. */
    async function iterated(bodies: readonly [first: string, second: string]) {
      const made = comparingPorts();
      const sent: string[] = [];
      const left = [...bodies];
      const workload: Workload = {
        ...workloadOf({ "base-ref": "main", workers: "1" }),
        endpoints: [{ steps: [create, read] }],
        forms,
      };
      const [measurement] = await measure(makePlan(workload), workload, {
        ...made.ports,
        sendRequest: ({ method, url }) => {
          sent.push(`${method} ${new URL(url).pathname}`);
          return Promise.resolve({ status: 200, body: method === "POST" ? (left.shift() ?? "") : "" });
        },
      });
      return { measurement, sent };
    }

    test("each arm's own value goes into its next request", async () => {
      const { measurement, sent } = await iterated(['{"id": 7}', '{"id": "a b"}']);
      expect(sent).toEqual(["POST /orders", "GET /orders/7", "POST /orders", "GET /orders/a%20b"]);
      expect(measurement?.status).toBe("measured");
    });

    test("and lacks it, is told, and the next step is not sent", async () => {
      const { measurement, sent } = await iterated(['{"no": 7}', '{"no": 7}']);
      expect(sent).toEqual(["POST /orders", "POST /orders"]);
      expect(measurement?.failure).toMatchObject({
        phase: "dry request",
        reason:
          'POST /orders answered 200 without /id in its JSON, which later steps need as {id}: {"no": 7}; fix `capture`',
      });
    });
  });

  test("a fault of ours is none of the app's", async () => {
    const { ports } = recordingPorts({ sendRequest: () => Promise.reject(new TypeError("oops")) });
    await expect(run(ports)).rejects.toThrow("oops");
    expect(new EnvironmentError("dry request", "x").phase).toBe("dry request");
  });
});
