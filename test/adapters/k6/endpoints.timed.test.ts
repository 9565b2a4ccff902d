import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { turnsOf } from "../../../k6/scenario.ts";
import { materialOf } from "../../../src/endpoints/rows.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { sum } from "../../../src/statistics/estimate.ts";
import { type K6Bench, openK6, putLoad } from "./k6-fixture.ts";

let bench: K6Bench;
beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

/** A server that remembers whole requests. */
async function remembering(whenAsked: () => void = () => undefined) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    whenAsked();
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url: path = "", headers } = request;
    seen.push({ method, path, body, headers });
    setTimeout(() => response.end("ok"), 2);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { seen, baseUrl: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: stop };
}

const load = { kind: "constant", virtualUsers: 3, durationSeconds: 1 } as const;
const form = {
  endpoint: { method: "POST", path: "/orders/{id}", form: "0123abcd" },
  headers: { "X-Client": "load test" },
  body: { kind: "json", value: { item: "{id}" } },
  params: { id: { kind: "range", from: 1, to: 50 } },
  expect: { statuses: [], contains: undefined },
  weight: undefined,
  places: {},
} as const;
const ids = Array.from({ length: 50 }, (_, index) => index + 1);
const material = materialOf(form, { id: ids });

describe("requests with parameters, headers and a body", () => {
  test("vary in the same way for both arms, and are all counted", async () => {
    await using base = await remembering();
    await using head = await remembering();
    const { records, summary } = await putLoad(bench, {
      targets: [
        { arm: "base", baseUrl: base.baseUrl, headers: { Authorization: "Bearer of-base" } },
        { arm: "head", baseUrl: head.baseUrl, headers: { Authorization: "Bearer of-head" } },
      ],
      endpoint: form.endpoint,
      materials: [material],
      load: { ...load, durationSeconds: 2 },
    });
    for (const [arm, { seen }] of Object.entries({ base, head })) {
      expect(seen.length).toBeGreaterThan(150);
      for (const { method, path, body, headers } of seen) {
        expect(method).toBe("POST");
        expect(JSON.parse(body)).toEqual({ item: Number(path.slice("/orders/".length)) });
        expect(headers).toMatchObject({
          "x-client": "load test",
          "content-type": "application/json",
          authorization: `Bearer of-${arm}`,
        });
      }
    }
    // Each user goes through the rows in the same order in both arms, so what both have sent agrees but for the ends.
    const counts = (seen: readonly Seen[]) =>
      ids.map((id) => seen.filter(({ path }) => path.endsWith(`/${id}`)).length);
    const [ofBase, ofHead] = [counts(base.seen), counts(head.seen)];
    for (const count of [...ofBase, ...ofHead]) expect(count).toBeGreaterThan(0);
    const spread = (all: readonly number[]) => Math.max(...all) - Math.min(...all);
    expect(spread(ofBase)).toBeLessThanOrEqual(load.virtualUsers);
    expect(spread(ofHead)).toBeLessThanOrEqual(load.virtualUsers);
    const requests = sum(parseLoadRecords(records).map((slice) => slice.requests));
    expect(requests).toBe(base.seen.length + head.seen.length);
    expect(parseK6Summary(summary)).toMatchObject({ requests, failures: 0 });
  });

  test("no header reaches the arguments of a process, and no file stays", async () => {
    const commandLines: string[] = [];
    let looking: Promise<unknown> | undefined;
    await using server = await remembering(() => {
      looking ??= readdir("/proc").then(async (names) => {
        for (const name of names.filter((each) => /^\d+$/.test(each)))
          commandLines.push(await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => ""));
      });
    });
    await putLoad(bench, {
      targets: [{ arm: "head", baseUrl: server.baseUrl, headers: { Authorization: "Bearer hunter2" } }],
      load,
      name: "secret",
    });
    await looking;
    expect(server.seen[0]?.headers.authorization).toBe("Bearer hunter2");
    expect(commandLines.some((line) => line.includes("secret.input.json"))).toBe(true);
    expect(commandLines.some((line) => line.includes("hunter2"))).toBe(false);
    const files = (await readdir(bench.folder)).filter((name) => name.startsWith("secret"));
    expect(files.toSorted()).toEqual(["secret.console.log", "secret.json", "secret.log"]);
  });

  test("keep their time-out", async () => {
    await using server = await remembering();
    const slow: Partial<LoadRequest> = { materials: [material], endpoint: form.endpoint };
    const { records } = await putLoad(bench, {
      ...slow,
      targets: [{ arm: "head", baseUrl: server.baseUrl }],
      load: { ...load, timeoutSeconds: 5 },
    });
    expect(parseLoadRecords(records).every(({ statuses }) => Object.keys(statuses).join() === "200")).toBe(
      true,
    );
    expect(server.seen[0]?.headers["x-client"]).toBe("load test");
  });
});

test("several identities are spread over the virtual users, alike in both arms", async () => {
  await using base = await remembering();
  await using head = await remembering();
  const users = ["ada", "bo", "cy"].map((name) => ({ "X-User": name }));
  await putLoad(bench, {
    targets: [
      { arm: "base", baseUrl: base.baseUrl, users },
      { arm: "head", baseUrl: head.baseUrl, users },
    ],
    load: { ...load, virtualUsers: 4, durationSeconds: 2 },
    name: "identities",
  });
  for (const { seen } of [base, head]) {
    const names = seen.map(({ headers }) => headers["x-user"]);
    expect(new Set(names)).toEqual(new Set(["ada", "bo", "cy"]));
    // The fourth user is the first identity again.
    const share = names.filter((name) => name === "ada").length / names.length;
    expect(share).toBeGreaterThan(0.35);
  }
});

test("a mix sends each endpoint as often as its weight says, with its own rows", async () => {
  await using server = await remembering();
  const plain = { method: "GET", path: "/plain" } as const;
  await putLoad(bench, {
    targets: [{ arm: "head", baseUrl: server.baseUrl }],
    endpoint: {
      mix: [
        { weight: 3, endpoint: plain },
        { weight: 1, endpoint: form.endpoint },
      ],
    },
    materials: [undefined, material],
    load,
  });
  const posted = server.seen.filter(({ method }) => method === "POST").length;
  expect(server.seen.length).toBeGreaterThan(100);
  expect(posted / server.seen.length).toBeCloseTo(0.25, 1);
  expect(server.seen.filter(({ path }) => path === "/plain").length + posted).toBe(server.seen.length);
});

test("the turns of a mix are spread", () => {
  expect(turnsOf([1, 1])).toEqual([0, 1]);
  expect(turnsOf([4, 2])).toEqual([0, 1, 0]);
  expect(turnsOf([3, 1])).toEqual([0, 0, 1, 0]);
});

test("what a reply holds goes into the later requests of the same arm", async () => {
  const shops = await Promise.all([shop("b"), shop("h")]);
  const [base, head] = shops;
  await using _ = base;
  await using __ = head;
  const steps = [
    { method: "POST", path: "/orders", form: "0123abcd" },
    { method: "PUT", path: "/orders/{order}", form: "0123abce" },
    { method: "GET", path: "/orders/{order}" },
  ] as const;
  const { records, summary } = await putLoad(bench, {
    targets: [
      { arm: "base", baseUrl: base.baseUrl },
      { arm: "head", baseUrl: head.baseUrl },
    ],
    endpoint: { steps: [...steps] },
    materials: [
      { headers: {}, rows: [{ path: "/orders" }], captures: [{ name: "order", kind: "json", place: "/id" }] },
      {
        headers: { "Content-Type": "application/json" },
        rows: [{ path: "/orders/{order}", body: '{"id":"{order}"}' }],
      },
      undefined,
    ],
    load: { ...load, durationSeconds: 2 },
    name: "captures",
  });
  for (const { wrong, answered } of shops) {
    expect(wrong).toEqual([]);
    for (const method of ["POST", "PUT", "GET"]) expect(answered[method]).toBeGreaterThan(10);
  }
  expect(parseK6Summary(summary)).toMatchObject({ failures: 0 });
  expect(parseLoadRecords(records).every(({ failures }) => failures === 0)).toBe(true);
});

test("a reply without the value is told apart, and the iteration begins anew", async () => {
  await using server = await remembering();
  const { records } = await putLoad(bench, {
    targets: [{ arm: "head", baseUrl: server.baseUrl }],
    endpoint: {
      steps: [
        { method: "POST", path: "/a", form: "0123abcd" },
        { method: "GET", path: "/b/{x}" },
      ],
    },
    materials: [
      { headers: {}, rows: [{ path: "/a" }], captures: [{ name: "x", kind: "json", place: "/id" }] },
      undefined,
    ],
    load,
    name: "no-value",
  });
  expect(new Set(server.seen.map(({ path }) => path))).toEqual(new Set(["/a"]));
  const slices = parseLoadRecords(records);
  expect(slices.flatMap(({ statuses }) => Object.keys(statuses))).toEqual(slices.map(() => "no value"));
});

/** Orders whose keys only this one knows. */
async function shop(prefix: string) {
  const wrong: string[] = [];
  const answered: Record<string, number> = {};
  const known = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "" } = request;
    const id = url.split("/")[2] ?? "";
    answered[method] = (answered[method] ?? 0) + 1;
    if (method === "POST") {
      const made = `${prefix}${known.size}`;
      known.add(made);
      response.setHeader("content-type", "application/json").end(JSON.stringify({ id: made }));
      return;
    }
    if (!known.has(id)) wrong.push(`${method} ${url}`);
    if (method === "PUT" && body !== JSON.stringify({ id })) wrong.push(body);
    setTimeout(() => response.end("ok"), 2);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { wrong, answered, baseUrl: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: stop };
}
