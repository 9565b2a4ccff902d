import { describe, expect, test } from "vitest";

import { measure } from "../../../src/measure/measure.ts";
import { readVariables } from "../../../src/measure/preparation/index.ts";
import type { Login } from "../../../src/model/endpoint/login.ts";
import { makePlan } from "../../../src/model/plan/plan.ts";
import type { PrintingCommand, SingleRequest } from "../../../src/ports/app.ts";
import type { LoadTarget } from "../../../src/ports/load.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { comparingPorts, recordingPorts } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const login: Login = {
  place: "l.yml:1:1",
  headers: { "X-Key": { secret: "LOADTEST_KEY" } },
  request: {
    path: "/token",
    encoding: "json",
    fields: { p: { secret: "LOADTEST_P" } },
    token: "access_token",
    header: "Authorization",
    scheme: "Bearer",
  },
};
const measured = (ports: MeasurePorts, own: Login = login, raw: Record<string, string> = {}) => {
  const workload = { ...workloadOf({ workers: "1", ...raw }), login: own };
  return measure(makePlan(workload), workload, ports);
};

/** Ports whose servers' commands print something. */
function printing(printed: (command: PrintingCommand) => string) {
  const made = recordingPorts();
  const startApp: MeasurePorts["startApp"] = async (...start) => ({
    ...(await made.ports.startApp(...start)),
    printed: (command) => Promise.resolve(printed(command)),
  });
  return { ...made, ports: { ...made.ports, startApp } };
}

describe("a login", () => {
  test("is made once to each server of each arm, and its headers go with every request", async () => {
    const targets: LoadTarget[] = [];
    const sent: SingleRequest[] = [];
    const made = comparingPorts();
    let tokens = 0;
    await measured(
      {
        ...made.ports,
        sendRequest: (request) => {
          sent.push(request);
          const token = request.url.endsWith("/token") ? `token${++tokens}` : "";
          return Promise.resolve({ status: 200, body: JSON.stringify({ access_token: token }) });
        },
        generateLoad: (request, signal) => {
          targets.push(...request.targets);
          return made.ports.generateLoad(request, signal);
        },
      },
      login,
      { "base-ref": "main", diagnose: "always" },
    );
    const logins = sent.filter(({ url }) => url.endsWith("/token"));
    expect(logins).toHaveLength(10); // a look outside, three replicates and a diagnosis, each of both arms
    expect(logins[0]).toMatchObject({
      method: "POST",
      headers: { "X-Key": "value of LOADTEST_KEY", "Content-Type": "application/json" },
      body: '{"p":"value of LOADTEST_P"}',
    });
    expect(sent.find(({ url }) => !url.endsWith("/token"))?.headers).toMatchObject({
      Authorization: expect.stringMatching(/^Bearer token[12]$/),
    });
    for (const { headers } of targets)
      expect(headers).toEqual({
        "X-Key": "value of LOADTEST_KEY",
        Authorization: expect.stringMatching(/^Bearer token\d+$/),
      });
    expect(made.calls.filter((call) => call.startsWith("hide token"))).toHaveLength(10);
  });

  test("may be headers alone, a token without a scheme, or one in a cookie", async () => {
    const targets: LoadTarget[] = [];
    const { ports } = recordingPorts();
    const watched: MeasurePorts = {
      ...ports,
      sendRequest: () => Promise.resolve({ status: 200, body: '{"access_token":"tkn"}' }),
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    };
    await measured(watched, { ...login, request: undefined });
    expect(targets[0]?.headers).toEqual({ "X-Key": "value of LOADTEST_KEY" });
    const sent = async (carrier: { readonly header?: string; readonly scheme: string }) => {
      if (login.request !== undefined)
        await measured(watched, { ...login, headers: {}, request: { ...login.request, ...carrier } });
      return targets.at(-1)?.headers;
    };
    expect(await sent({ scheme: "" })).toEqual({ Authorization: "tkn" });
    expect(await sent({ header: "Cookie", scheme: "session=" })).toEqual({ Cookie: "session=tkn" });
  });

  test("of several identities is made for each that the load has users for, one after the other", async () => {
    const targets: LoadTarget[] = [];
    const bodies: (string | undefined)[] = [];
    const { ports } = recordingPorts();
    let [underWay, most] = [0, 0];
    const watched: MeasurePorts = {
      ...ports,
      sendRequest: async (request) => {
        if (!request.url.endsWith("/token")) return { status: 200, body: "" };
        bodies.push(request.body);
        most = Math.max(most, ++underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return { status: 200, body: JSON.stringify({ access_token: `token${bodies.length}` }) };
      },
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    };
    const own: Login = {
      ...login,
      headers: { "X-Name": "{name}" },
      request: login.request && { ...login.request, fields: { u: "{name}", p: { secret: "LOADTEST_P" } } },
      users: [{ name: "ada" }, { name: "bo" }, { name: "cy" }],
    };
    await measured(watched, own, { vus: "2" });
    expect(bodies).toEqual(['{"u":"ada","p":"value of LOADTEST_P"}', '{"u":"bo","p":"value of LOADTEST_P"}']);
    expect(most).toBe(1);
    const users = [
      { "X-Name": "ada", Authorization: "Bearer token1" },
      { "X-Name": "bo", Authorization: "Bearer token2" },
    ];
    expect(targets.at(-1)).toMatchObject({ headers: users[0], users });
    expect(targets.at(-1)?.users).toHaveLength(2);
  });

  test.for([
    [{ status: 403, body: "wrong\npassword" }, "POST /token answered 403: wrong password; correct its path"],
    [{ status: 500, body: "" }, "POST /token answered 500; correct its path"],
    [{ status: 200, body: "{}" }, "POST /token answered 200, but there is no access_token in its JSON"],
    ["no response came", "POST /token failed: no response came (login, l.yml:1:1)"],
  ] as const)("that is answered by %j fails the cell", async ([reply, reason]) => {
    const { ports } = recordingPorts({ sendRequest: () => Promise.resolve(reply) });
    const [measurement] = await measured(ports);
    expect(measurement?.failure).toMatchObject({ phase: "log in", reason: expect.stringContaining(reason) });
  });

  test.for<readonly [cookies: readonly string[], own: Record<string, string>, sent: string | undefined]>([
    [['sid="Bearer abcdefgh"; Path=/; HttpOnly', "a=b"], {}, 'sid="Bearer abcdefgh"'],
    [["sid=abcdefgh"], { Cookie: "theme=dark" }, "theme=dark; sid=abcdefgh"],
    [["other=abcdefgh"], {}, undefined],
    [[], {}, undefined],
  ])("may give a cookie (%j), which goes with every request as it came", async ([cookies, own, sent]) => {
    const targets: LoadTarget[] = [];
    const { ports, calls } = recordingPorts();
    const watched: MeasurePorts = {
      ...ports,
      sendRequest: () => Promise.resolve({ status: 200, body: "{}", headers: { "set-cookie": cookies } }),
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    };
    const request = login.request && { ...login.request, token: { cookie: "sid" } };
    const [measurement] = await measured(watched, { ...login, headers: own, request });
    expect(targets[0]?.headers).toEqual(sent && { Cookie: sent });
    if (sent === undefined)
      expect(measurement?.failure?.reason).toContain("POST /token answered 200, but it sets no cookie sid");
    else expect(calls).toContain("hide abcdefgh");
    expect(calls).not.toContain("hide Bearer");
  });

  test("may be a command that prints a token, in the server's own environment", async () => {
    const targets: LoadTarget[] = [];
    const asked: PrintingCommand[] = [];
    const command = { text: "make {name}", header: "Authorization", scheme: "Bearer" };
    const own: Login = { ...login, request: undefined, command, users: [{ name: "ada" }, { name: "bo" }] };
    const { ports, calls } = printing((each) => {
      asked.push(each);
      return `token-of-${each.values["name"]}\n`;
    });
    const watched: MeasurePorts = {
      ...ports,
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    };
    await measured(watched, own, { vus: "2" });
    expect(asked).toEqual([
      { input: "login (l.yml:1:1): command", text: "make {name}", values: { name: "ada" } },
      { input: "login (l.yml:1:1): command", text: "make {name}", values: { name: "bo" } },
    ]);
    const users = ["ada", "bo"].map((name) => ({
      "X-Key": "value of LOADTEST_KEY",
      Authorization: `Bearer token-of-${name}`,
    }));
    expect(targets.at(-1)).toMatchObject({ headers: users[0], users });
    expect(calls).toContain("hide token-of-ada");
    expect(calls.some((call) => call.startsWith("try POST"))).toBe(false);
  });

  test.for<readonly [printed: string, token: string | undefined, header: string | undefined, said: string]>([
    ['{"a":{"t":"tkn"}}', "a.t", "tkn", ""],
    ["", undefined, undefined, "printed 0 lines: it must print only the token, as one word"],
    ["log line\ntkn\n", undefined, undefined, "printed 2 lines: it must print only the token, as one word"],
    ['{"b":"tkn"}', "a.t", undefined, "printed 1 line: there is no a.t in it; it must print JSON"],
  ])("by a command that prints %j", async ([printed, token, header, said]) => {
    const command = { text: "make", header: "Cookie", scheme: "", ...(token !== undefined && { token }) };
    const own: Login = { ...login, headers: {}, request: undefined, command };
    const { ports } = printing(() => printed);
    let seen: LoadTarget | undefined;
    const watched: MeasurePorts = {
      ...ports,
      generateLoad: (request, signal) => {
        seen = request.targets[0];
        return ports.generateLoad(request, signal);
      },
    };
    const [measurement] = await measured(watched, own);
    expect(seen?.headers?.["Cookie"]).toBe(header);
    if (header === undefined)
      expect(measurement?.failure).toMatchObject({
        phase: "log in",
        reason: expect.stringContaining(`login (l.yml:1:1): command "make" ${said}`),
      });
    expect(JSON.stringify(measurement)).not.toContain("tkn");
  });

  test.for<readonly [what: string, printed: string]>([
    ["JSON", '[{"name":"ada","key":"key-of-ada"},{"name":"bo","key":"key-of-bo"}]\n'],
    ["CSV", "name,key\nada,key-of-ada\nbo,key-of-bo\n"],
  ])("may be of users that a command prints as %s, once for each server", async ([, printed]) => {
    const targets: LoadTarget[] = [];
    const asked: PrintingCommand[] = [];
    const { ports, calls } = printing((each) => {
      asked.push(each);
      return printed;
    });
    const own: Login = {
      ...{ place: "l.yml:1:1", headers: { "X-Key": "{key}" }, request: undefined },
      usersFrom: { kind: "command", text: "python -m users" },
    };
    const watched: MeasurePorts = {
      ...ports,
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return ports.generateLoad(request, signal);
      },
    };
    await measured(watched, own, { vus: "2", diagnose: "never" });
    const [command] = asked;
    expect(command).toEqual({
      input: "login (l.yml:1:1): users: command",
      text: "python -m users",
      values: {},
    });
    expect(asked).toHaveLength(calls.filter((call) => call.startsWith("start uvicorn")).length);
    const users = [{ "X-Key": "key-of-ada" }, { "X-Key": "key-of-bo" }];
    expect(targets.at(-1)).toMatchObject({ headers: users[0], users });
    expect(calls).toContain("hide key-of-bo");
  });

  test.for<readonly [printed: string, said: string]>([
    ["", "is empty"],
    ["two users made", "has no rows after its header"],
    ["making users\n2 made, 0 left\n", "has no name in row 1, and {name} is used"],
    ['[{"id":1}]', "has no name in row 1, and {name} is used"],
    ['{"name":"ada"}', "is JSON, but not a list"],
    ["[seed] made", "starts like JSON, but is not valid JSON"],
  ])("of users of a command that prints %j fails the cell", async ([printed, said]) => {
    const own: Login = {
      ...{ place: "l.yml:1:1", headers: { "X-Name": "{name}" }, request: undefined },
      usersFrom: { kind: "command", text: "python -m users" },
    };
    const [measurement] = await measured(printing(() => printed).ports, own);
    expect(measurement?.failure).toMatchObject({
      phase: "log in",
      reason: `login (l.yml:1:1): users: command "python -m users": its output ${said}; it must print a JSON list of objects, or CSV whose first line names the columns, and nothing else`,
    });
  });

  test("of users of a query takes those of each arm's own database", async () => {
    const targets: LoadTarget[] = [];
    const made = comparingPorts();
    const own: Login = {
      ...{ place: "l.yml:1:1", headers: { "X-Name": "{name}", "X-Key": "{key}" }, request: undefined },
      usersFrom: { kind: "sql", query: "SELECT name, key FROM users" },
    };
    const watched: MeasurePorts = {
      ...made.ports,
      generateLoad: (request, signal) => {
        targets.push(...request.targets);
        return made.ports.generateLoad(request, signal);
      },
    };
    await measured(watched, own, { "base-ref": "main", vus: "2", seed: "a.sql" });
    const users = [
      { "X-Name": "ada", "X-Key": "7" },
      { "X-Name": "bo", "X-Key": "k8" },
    ];
    expect(new Set(targets.map(({ arm }) => arm))).toEqual(new Set(["base", "head"]));
    for (const target of targets) expect(target).toMatchObject({ headers: users[0], users });
    expect(made.calls.filter((call) => call === "ask SELECT name, key FROM users")).toHaveLength(1);
  });

  test("of users of a query cannot be what fills the database", async () => {
    const own: Login = {
      ...{ place: "l.yml:1:1", headers: { "X-Name": "{name}" }, request: undefined },
      usersFrom: { kind: "sql", query: "SELECT name FROM users" },
    };
    const { ports } = recordingPorts({ sendRequest: () => Promise.resolve({ status: 401, body: "" }) });
    const [measurement] = await measured(ports, own, { "seed-request": "POST /notes" });
    expect(measurement?.failure).toMatchObject({
      phase: "log in",
      reason:
        "login (l.yml:1:1): users: the query can run only once the database is filled, so requests that fill it cannot log in; list the users, or print them with a command",
    });
  });

  test("of a script has its variables, with their secrets read and hidden", () => {
    const read = (name: string) => (name === "LOADTEST_KEY" ? "hush-hush" : undefined);
    const ports = { secrets: { read, hide: () => Promise.resolve() } };
    const scriptVariables = { SIZE: "3", KEY: { secret: "LOADTEST_KEY" } };
    expect(readVariables({ scriptVariables }, ports)).toEqual({ SIZE: "3", KEY: "hush-hush" });
    expect(readVariables({}, ports)).toBeUndefined();
    const unset = { scriptVariables: { KEY: { secret: "LOADTEST_OTHER" } } };
    expect(() => readVariables(unset, ports)).toThrow(/script-env: the secret LOADTEST_OTHER is not set/);
  });

  test("without its secrets is told before anything starts", async () => {
    const { calls, ports } = recordingPorts({
      secrets: {
        read: (name) => (name === "LOADTEST_P" ? "short" : undefined),
        hide: () => Promise.resolve(),
      },
    });
    await expect(measured(ports)).rejects.toMatchObject({
      problems: [
        expect.stringMatching(
          /^l\.yml:1:1: login: the secret LOADTEST_KEY is not set; pass it to the step .*forks/,
        ),
        "l.yml:1:1: login: the secret LOADTEST_P has fewer than 6 characters, so it could not be hidden; choose a longer one",
      ],
    });
    expect(calls).not.toContain("install");
  });
});
