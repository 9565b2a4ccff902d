import { expect, test } from "vitest";

import { howMeasured, replacedLoginWords, warningsOf } from "../../../src/report/facts/notes.ts";
import { cell, environment } from "../../fixtures/measurement.ts";
import { comparedOf, loneArm, row } from "../compared.ts";

const warned = (rows: Parameters<typeof comparedOf>[0]) => {
  const comparison = comparedOf(rows);
  return warningsOf(comparison, new Map([[undefined, comparison.rows]]));
};

const constant = (virtualUsers: number) =>
  cell({ load: { kind: "constant", virtualUsers, durationSeconds: 10 } });
const rated = cell({
  load: { kind: "rate", requestsPerSecond: 50, virtualUsers: 20, durationSeconds: 10 },
});
const staged = cell({ load: { kind: "stages", stages: [{ durationSeconds: 5, virtualUsers: 10 }] } });

test("a row that says another number of workers than accepted connections is told, of each version", () => {
  const two = cell({ path: "/songs", workers: 2 });
  const seen = (workers: number) => ({ workerCpuSeconds: Array<number>(workers).fill(1) });
  const said = (base: number, head: number) =>
    warned([row({ cell: two, arm: seen(base), headArm: seen(head) })]);
  expect(said(2, 2)).toEqual([]);
  expect(said(2, 1)).toEqual(["/songs: only 1 of the head's 2 workers accepted connections."]);
  expect(said(1, 1)).toHaveLength(2);
  expect(said(0, 3)).toEqual([
    "/songs: 3 of the head's processes accepted connections, not 2: use `{workers}` in `server` to set their number.",
  ]);
});

test("a request that is sent on is told once", () => {
  const notices = ["GET /a answered 307 to /b: measure that"];
  const rows = [row({ cell: cell({ path: "/a" }), notices }), row({ cell: cell({ path: "/a" }), notices })];
  expect(warned(rows)).toEqual(["GET /a answered 307 to /b: measure that."]);
});

test.for([
  { name: "both arms", rows: [row({ cell: constant(8) })], load: "8 VUs at saturation" },
  {
    name: "a new connection for each request",
    rows: [
      row({
        cell: cell({
          load: { kind: "constant", virtualUsers: 8, durationSeconds: 10, connections: "new" },
        }),
      }),
    ],
    load: "8 VUs at saturation, a new connection each",
  },
  { name: "one user", rows: [row({ cell: constant(1) })], load: "1 VU at saturation" },
  {
    name: "a rate, which only the open phase has",
    rows: [row({ cell: rated })],
    load: "20 VUs at saturation",
  },
  {
    name: "each load once",
    rows: [row({ cell: constant(8) }), row({ cell: constant(8) }), row({ cell: constant(16) })],
    load: "8 VUs at saturation, 16 VUs at saturation",
  },
  {
    name: "one arm alone, for as long as was asked",
    rows: [row({ cell: constant(8), loneArm: loneArm("added") })],
    load: "8 VUs for 10 s",
  },
  {
    name: "one arm alone beside both arms",
    rows: [row({ cell: constant(8) }), row({ cell: constant(8), loneArm: loneArm("added") })],
    load: "8 VUs at saturation, 8 VUs for 10 s",
  },
])("$name: $load", ({ rows, load }) => {
  const sentence = howMeasured(rows);
  expect(sentence.slice(0, sentence.indexOf(" Software:"))).toBe(
    `Load per cell (one endpoint at one worker count): ${load}.`,
  );
});

test("Locust is named in k6's place", () => {
  const locust = environment({ k6: "", packages: { locust: "2.47.0" } });
  expect(howMeasured([row({ cell: constant(8), environment: locust })])).toContain(
    "Software: Locust 2.47.0,",
  );
});

test("what nobody knows of an app elsewhere, or of a server's loop, is not named", () => {
  const known = environment({ packages: {} });
  const said = (changes: object) =>
    howMeasured([row({ cell: constant(8), environment: { ...known, ...changes } })]).split("Software: ")[1];
  expect(said({ python: "", eventLoop: "", httpParser: "", postgres: undefined })).toBe("k6 2.2.0.");
  expect(said({ eventLoop: "", httpParser: "" })).toBe("k6 2.2.0, Postgres 18.4, Python 3.11.7.");
});

test("stages have no one number of users", () => {
  expect(howMeasured([row({ cell: staged })])).toMatch(
    /^(?:Planned l|L)oad per cell \(one endpoint at one worker count\): stages 5 s to 10 VUs\. Software:/,
  );
});

test("warns of a load that was lower than asked for, where it is what was measured", () => {
  const dropping = row({ cell: rated, loneArm: loneArm("no base"), droppedIterations: 3 });
  expect(warned([dropping, row({ cell: rated })])).toEqual([
    "In 1 cell k6 could not send all requests in time, so the load was lower than requested.",
  ]);
  expect(warned([row({ cell: rated, droppedIterations: 3 })])).toEqual([]);
});

test("services that both arms share are told once, with the variables that name them", () => {
  const sharing = (...sharedServices: string[]) => ({
    ...row({ cell: rated }),
    environment: environment({ sharedServices }),
  });
  const said = warned([sharing("Redis (A)", "RabbitMQ (B)"), sharing("Redis (A)")]);
  expect(said).toEqual([
    "Both versions share Redis (A) and RabbitMQ (B), so each may find data that the other left there. Declare them under `services` to give each version its own.",
  ]);
});

test("a login that the app replaces is told once, by its dependencies", () => {
  const replacing = (...names: string[]) => ({
    ...row({ cell: rated }),
    environment: environment(names.length > 0 ? { replacedLogin: names } : {}),
  });
  const said = (...rows: ReturnType<typeof replacing>[]) => replacedLoginWords(comparedOf(rows).rows);
  expect(said(replacing())).toBe("");
  expect(said(replacing("get_user", "get_admin"), replacing("get_user"), replacing())).toBe(
    "The app replaces its login (`get_user`, `get_admin`), so these figures do not include the cost of the login.",
  );
});

test("hosts outside that the app tries to reach are told once, with the endpoints that make it do so", () => {
  const reaching = (path: string, ...outsideHosts: string[]) => ({
    ...row({ cell: { ...rated, endpoint: { method: "GET", path } } }),
    environment: environment({ outsideHosts }),
  });
  const rows = [reaching("/a", "api.example.com"), reaching("/b", "api.example.com"), reaching("/c")];
  expect(warned(rows)).toEqual([
    "The app calls api.example.com (for /a, /b), so the load goes there too. Use a stub instead (`stubs`), unless you are allowed to load-test it.",
  ]);
});
