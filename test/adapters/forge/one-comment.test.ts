import { expect, test } from "vitest";
import type { Fault } from "../../stand-in/faults.ts";
import { bodyOf, bot, comment, commentsOf, pullNumber, startStandIn, stateOf } from "./github-fixture.ts";

// Whatever is answered, and whether or not it was carried out, there is exactly one comment in the end.

const answers: readonly Fault["answer"][] = [
  "silence",
  "empty",
  "nothing",
  "welcome",
  "page",
  "nonsense",
  "stalls",
  "ends",
  "loops",
  500,
  502,
];
const operations = [
  "users/get-authenticated",
  "issues/list-comments",
  "issues/create-comment",
  "issues/update-comment",
];
const client = { timeoutMs: 400 };

const cases = answers.flatMap((answer) =>
  operations.flatMap((operation) =>
    [false, true].flatMap((isCarriedOut) =>
      [1, 2].map((times) => ({ operation, answer, isCarriedOut, times }) satisfies Fault),
    ),
  ),
);

test.for(cases)(
  "$operation is answered with $answer $times times, carried out: $isCarriedOut",
  { timeout: 60_000 },
  async (fault) => {
    for (const hasComment of [false, true]) {
      await using standIn = await startStandIn();
      if (hasComment) standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(1)) });
      standIn.fail(fault);
      const outcome = await comment(standIn, stateOf(2), { client });
      expect([outcome.kind, commentsOf(standIn)]).toEqual([
        hasComment ? "updated" : "created",
        [[bot, bodyOf(stateOf(2))]],
      ]);
      expect(standIn.violations).toEqual([]);
    }
  },
);

test.for(answers.flatMap((answer) => operations.map((operation) => ({ operation, answer }))))(
  "$operation is answered with $answer for good: no second comment, and the next run has one",
  { timeout: 60_000 },
  async (fault) => {
    await using standIn = await startStandIn();
    standIn.state.add({ pullNumber, login: bot, body: bodyOf(stateOf(1)) });
    standIn.fail({ ...fault, times: 40 });
    const outcome = await comment(standIn, stateOf(2), { client });
    expect(commentsOf(standIn)).toHaveLength(1);
    if (!["created", "updated"].includes(outcome.kind)) expect(outcome.kind).toBe("failed");
    standIn.heal();
    await comment(standIn, stateOf(3), { client });
    expect(commentsOf(standIn)).toEqual([[bot, bodyOf(stateOf(3))]]);
  },
);

test("a list without end is told, and nothing is written", async () => {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    asked.push(`${init?.method} ${url}`);
    const headers = { "content-type": "application/json", link: `<${url}>; rel="next"` };
    const page = url.endsWith("/user")
      ? { login: "octocat" }
      : [{ id: asked.length, html_url: "", body: "hi", user: { login: "somebody" } }];
    return new Response(JSON.stringify(page), { headers });
  };
  const outcome = await comment({ apiUrl: "http://forge.example" }, stateOf(1), { client: { fetch } });
  expect(outcome).toEqual({ kind: "failed", reason: expect.stringContaining("has more than 100 pages") });
  expect(asked.filter((line) => !line.startsWith("GET"))).toEqual([]);
  expect(asked).toHaveLength(101);
});
