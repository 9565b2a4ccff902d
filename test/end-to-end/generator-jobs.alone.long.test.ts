import { createServer } from "node:http";
import { expect, test } from "vitest";
import * as z from "zod";

import { parseGenerators } from "../../src/model/scale/generator-documents.ts";
import { textOf } from "../contract/files.ts";
import { yamlBlocks } from "../contract/trust-rules.ts";
import { pullRequest, startTeam, type Team } from "./team.ts";

const generators = 4;
/** The head waits 10% longer. */
const waitsMs = { base: 150, head: 165 } as const;

/** Answers after a while, and counts what k6 asked for: neither our own look at the endpoint nor looks at the clock. */
async function serverThatWaits(ms: number) {
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.method === "GET" && /\bk6\b/i.test(request.headers["user-agent"] ?? "")) asked += 1;
    setTimeout(() => response.end("ok"), ms);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    host: `127.0.0.1:${address.port}`,
    asked: () => asked,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The workflow of docs/scale.md, for these two hosts. */
function workflowFor(base: string, head: string): string {
  const jobs = yamlBlocks(textOf("docs/scale.md")).find((each) => each.includes("generators: 4"));
  if (jobs === undefined) throw new Error("docs/scale.md shows no workflow with generators");
  const own = jobs
    .replaceAll("https://staging.example.com", `http://${base}`)
    .replaceAll("https://candidate.example.com", `http://${head}`)
    .replace("staging.example.com, candidate.example.com", `${base}, ${head}`)
    .replace("endpoints: /health", "endpoints: /")
    .replace('vus: "400"', 'vus: "8"')
    .replace("max-minutes: 5", "max-minutes: 1.5\n        generators-wait: 75s\n        fail-on: never");
  expect(own).not.toContain("example.com");
  return `name: Load test\non: pull_request\npermissions: {}\n${own}`;
}

const documentSchema = z.object({
  generators: z.object({ each: z.array(z.object({ requests: z.number() })), problems: z.array(z.string()) }),
});

/** What the jobs and the report left: who sent the load, and the requests to each arm in all records. */
async function leftBy(team: Team) {
  const files = [...(await team.artifacts()).values()].flat();
  const all = (pattern: RegExp) =>
    files
      .filter(({ name }) => pattern.test(name))
      .map(({ name, content }) => ({ name, text: content.toString("utf8") }));
  const [document] = all(/(?:^|\/)cells\/(?!.*\.generator-)[^/]+\.json$/);
  const { records, warnings } = parseGenerators(all(/\.generator-\d+\.json$/));
  expect(warnings).toEqual([]);
  const slices = records.flatMap((each) => each.slices);
  const recorded = (arm: "base" | "head") =>
    slices.filter((slice) => slice.arm === arm).reduce((total, { requests }) => total + requests, 0);
  return { ...documentSchema.parse(JSON.parse(document?.text ?? "")).generators, recorded };
}

/** Three minutes: `npm run test:weekly`. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

test.runIf(isLong)("four jobs share a load, and one comment has it all", { timeout: 900_000 }, async () => {
  await using base = await serverThatWaits(waitsMs.base);
  await using head = await serverThatWaits(waitsMs.head);
  const files = { "README.md": "# Shop\n" };
  const options = { jobsAtOnce: generators };
  await using team = await startTeam(workflowFor(base.host, head.host), files, { "README.md": "" }, options);
  const { output } = await team.run("pull_request", pullRequest(team));

  expect(team.github.state.comments.size, output).toBe(1);
  const [cell, ...others] = await team.cells();
  expect(others).toEqual([]);
  const { each, problems, recorded } = await leftBy(team);
  // To the request, whether or not this machine's clocks and processors allow a verdict.
  expect([recorded("base"), recorded("head")], output).toEqual([base.asked(), head.asked()]);
  const sent = each.reduce((total, { requests }) => total + requests, 0);
  expect(sent, output).toBe(base.asked() + head.asked());
  if (problems.length > 0) return expect(cell?.status).toBe("invalid");
  expect(each).toHaveLength(generators);
  expect(cell?.verdict).not.toBe("faster");
});
