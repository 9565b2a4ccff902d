import { describe, expect, test } from "vitest";

import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";
import type { Reply } from "../../../src/endpoints/dry-request.ts";
import { prepare } from "../../../src/measure/preparation/prepare.ts";
import type { SingleRequest } from "../../../src/ports/app.ts";
import { comparingPorts } from "../fake-ports.ts";
import { compare, workloadOf } from "../run-measure.ts";

const bodyOf = ({ url, headers, body }: SingleRequest) =>
  [url.replace(/^http:\/\/[^/]+/, ""), headers["Authorization"] ?? "-", body].join(" ");

describe("requests that fill the database", () => {
  test("come after the commands, to an app of each arm that is gone before its database is copied", async () => {
    const { calls, ports } = comparingPorts();
    await compare(ports, { "seed-command": "python -m seed", "seed-request": "POST /notes\nPUT /a 1" });
    const asked = ["try POST /notes", "try PUT /a"];
    for (const [arm, folder] of [
      ["head", "."],
      ["base", "/base"],
    ] as const) {
      const from = calls.findIndex((call) => call.startsWith(`seed-${arm}`));
      expect(calls.slice(from, from + 5)).toEqual([
        `seed-${arm}: python -m seed in ${folder}`,
        `start ${arm}, seed undefined`,
        ...asked,
        `stop ${arm}`,
      ]);
      expect(from).toBeLessThan(calls.indexOf("copy database"));
    }
  });

  async function prepared(reply: (request: SingleRequest, arm: string) => Reply | string, raw = "POST /a 1") {
    const { ports, events } = comparingPorts();
    const sent: string[] = [];
    let arm = "";
    const login = "login: { path: /token, json: { user: me } }";
    const { login: own } = parseConfigurationFile("l.yml", "/", login);
    const made = await prepare(
      { ...workloadOf({ "base-ref": "main", workers: "1", "seed-request": raw }), login: own },
      { head: "0123abc" },
      {
        ...ports,
        startApp: (command, python, name) => {
          arm = name;
          return ports.startApp(command, python, name);
        },
        sendRequest: async (request) => {
          sent.push(bodyOf(request));
          return request.url.endsWith("/token")
            ? { status: 200, body: '{"access_token": "t0ken"}' }
            : reply(request, arm);
        },
      },
    );
    await using _ = made;
    const warnings = events.flatMap((each) => (each.kind === "warning" ? [each.text] : []));
    return { sent, warnings, loneArm: made.loneArm };
  }
  const fine = { status: 201, body: "" };

  test.for([
    { status: 401, body: "" },
    { status: 422, body: '{"detail":[{"type":"missing","loc":["header","authorization"]}]}' },
  ])("log in once, where one asks for it: $status", async (refusal) => {
    const { sent } = await prepared(
      ({ headers }) => (headers["Authorization"] === undefined ? refusal : fine),
      'POST /a "x{n}"',
    );
    expect(sent).toHaveLength(2 * 22);
    expect(sent.slice(0, 4)).toEqual([
      '/a - "x1"',
      '/token - {"user":"me"}',
      '/a Bearer t0ken "x1"',
      '/a Bearer t0ken "x2"',
    ]);
  });

  test("that are refused say how", async () => {
    await expect(prepared(() => ({ status: 422, body: "no title" }))).rejects.toThrow(
      "seed-request: POST /a answered 422: no title",
    );
    await expect(prepared(() => "timed out")).rejects.toThrow("seed-request: POST /a failed: timed out");
  });

  test("to an endpoint that is new are left out in the base; others cost the comparison alone", async () => {
    const ofBase = (status: number) =>
      prepared((_, arm) => (arm.includes("base") ? { status, body: "" } : fine));
    const isNew = await ofBase(404);
    expect(isNew.loneArm).toBeUndefined();
    expect(isNew.warnings).toEqual([
      "seed-request: POST /a answered 404, so the base is measured without it",
    ]);
    expect((await ofBase(500)).loneArm).toMatchObject({
      reason: "the base could not be prepared (seed): seed-request: POST /a answered 500",
    });
  });
});
