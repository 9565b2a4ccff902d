import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";

import { sendMetrics } from "../../../src/adapters/otlp/index.ts";

/** A receiver of OTLP/HTTP on loopback, which answers what it is told to, and keeps what it got. */
let replies: (readonly [status: number, body: string, headers?: Readonly<Record<string, string>>])[] = [];
let got: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
let receiver: ReturnType<typeof createServer>;
let place = "";
beforeEach(async () => {
  [replies, got] = [[], []];
  receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      got.push({ path: request.url ?? "", headers: request.headers, body });
      const [status, text, headers] = replies.shift() ?? [200, "{}"];
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  place = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const never = new AbortController().signal;
const send = (
  changes: {
    readonly endpoint?: string;
    readonly timeoutMs?: number;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
  signal = never,
) =>
  sendMetrics(
    {
      kind: "on",
      settings: {
        endpoint: `${place}/v1/metrics?key=s3cret`,
        headers: { authorization: "Basic s3cret" },
        resource: {},
        timeoutMs: 60_000,
        ...changes,
      },
    },
    () => ({ resourceMetrics: [] }),
    { signal },
  );

test("without a receiver nothing is sent, and a mistake in its variables is reported", async () => {
  const make = () => ({ resourceMetrics: [] });
  expect(await sendMetrics({ kind: "off" }, make, { signal: never })).toEqual({ kind: "none" });
  const reason = "OTEL_EXPORTER_OTLP_ENDPOINT is no address";
  expect(await sendMetrics({ kind: "problem", reason }, make, { signal: never })).toEqual({
    kind: "failed",
    reason,
  });
});

test.for([
  ["a value that was wrapped", { authorization: "Basic s3cret\nwrapped" }],
  ["a name that was wrapped", { "s3cret\nname": "x" }],
  ["a value beyond Latin letters", { authorization: "s3cret\u2026" }],
] as const)("T32: an error quotes nothing of %s", async ([, headers]) => {
  const outcome = await send({ headers });
  expect(outcome).toMatchObject({ kind: "failed" });
  expect(JSON.stringify(outcome)).not.toMatch(/s3cret|wrapped/);
  expect(got).toEqual([]);
});

test("a receiver gets the figures as JSON, with the headers", async () => {
  expect(await send()).toEqual({ kind: "sent", place });
  expect(got).toEqual([
    {
      path: "/v1/metrics?key=s3cret",
      headers: expect.objectContaining({
        "content-type": "application/json",
        authorization: "Basic s3cret",
      }),
      body: '{"resourceMetrics":[]}',
    },
  ]);
});

test("one that is busy is asked again", async () => {
  replies = [[503, ""]];
  expect(await send()).toMatchObject({ kind: "sent" });
  expect(got).toHaveLength(2);
});

test.for<readonly [what: string, reply: (typeof replies)[number], said: RegExp]>([
  ["refuses", [401, "who are you, Basic s3cret?"], /^http:\S+ answered 401$/],
  [
    "takes a part",
    [200, '{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"no"}}'],
    /^http:\S+ refused 3 of the figures$/,
  ],
  ["sends on", [302, "", { location: "http://127.0.0.1:1/" }], /^http:\S+ did not accept them: /],
])("one that %s is told in words without a secret", async ([, reply, said]) => {
  replies = [reply];
  const outcome = await send();
  expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringMatching(said) });
  expect(JSON.stringify(outcome)).not.toContain("s3cret");
  expect(got).toHaveLength(1);
});

test.for(["not JSON", "", `{"partialSuccess":{}}${" ".repeat(200_000)}`])(
  "a reply in another form is taken for a yes",
  async (text) => {
    replies = [[200, text]];
    expect(await send()).toMatchObject({ kind: "sent" });
  },
);

test("one that is away, or silent, is given up", async () => {
  const away = await send({ endpoint: "http://127.0.0.1:1/s3cret" });
  expect(away).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("http://127.0.0.1:1 "),
  });
  expect(JSON.stringify(away)).not.toContain("s3cret");
  receiver.removeAllListeners("request");
  const silent = await send({ timeoutMs: 300 });
  expect(silent).toMatchObject({ kind: "failed", reason: expect.stringContaining("not done within 0.3 s") });
});

test("cancelling ends it", async () => {
  receiver.removeAllListeners("request");
  const cancelling = new AbortController();
  const sending = send({}, cancelling.signal);
  cancelling.abort(new Error("cancelled"));
  expect(await sending).toMatchObject({ kind: "failed" });
});
