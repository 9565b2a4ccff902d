import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { runLocustFile } from "../../../src/adapters/k6/locust-file.ts";
import { runScript } from "../../../src/adapters/k6/user-script.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { mergeStatuses } from "../../../src/model/load/statuses.ts";
import type { LoadOutput } from "../../../src/ports/load.ts";
import { type K6Bench, never, openK6, serving } from "./k6-fixture.ts";

vi.setConfig({ testTimeout: 600_000 });

const root = new URL("../../..", import.meta.url).pathname;
let bench: K6Bench;
let server: Awaited<ReturnType<typeof serving>>;
let venv = "";
beforeAll(async () => {
  bench = await openK6();
  // Answers with the status in the path: `/404`.
  server = await serving(({ url = "" }, response) => {
    response.statusCode = Number(url.slice(1, 4));
    response.end("hello");
  });
  venv = await mkdtemp(join(tmpdir(), "locust-venv-"));
  const run = promisify(execFile);
  await run("python3", ["-m", "venv", venv]);
  const words = ["install", "--quiet", "--disable-pip-version-check"];
  await run(join(venv, "bin", "pip"), [...words, "-r", join(root, "tools/locust/requirements.txt")]);
}, 300_000);
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(venv, { recursive: true, force: true });
});

const target = () => ({ arm: "head", baseUrl: server.baseUrl }) as const;

/** What we count of a run. */
function countsOf({ summary, records }: LoadOutput) {
  const { requests, failures } = parseK6Summary(summary);
  const slices = parseLoadRecords(records);
  return {
    requests,
    failures,
    statuses: mergeStatuses(slices.map((slice) => slice.statuses)),
    inRecords: slices.reduce((total, slice) => total + slice.failures, 0),
  };
}

const status = fc.constantFrom(200, 201, 204, 302, 304, 400, 404, 429, 500, 503);
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('a,"b"', "a\nb", "a\r\nb", "\u2028", "x y"),
);

const k6Request = fc.record({
  status,
  judge: fc.constantFrom("", "404", "404, 200", "500", "{ min: 200, max: 499 }", "none"),
  tags: fc.dictionary(
    fc.constantFrom("name", "status", "expected_response", "error_code", "method", "group", "of_ours"),
    text.filter((each) => each !== ""),
  ),
});

test("k6's own count of failed requests is ours, to the request", async () => {
  const plan = fc.record({
    requests: fc.array(k6Request, { minLength: 1, maxLength: 12 }),
    general: fc.constantFrom("", "404", "none"),
    systemTags: fc.constantFrom(null, ["url"], ["status", "vu", "iter"], []),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(plan, async ({ requests, general, systemTags }) => {
      run += 1;
      const callback = (judge: string) => (judge === "none" ? "null" : `http.expectedStatuses(${judge})`);
      const scriptPath = join(bench.folder, `random-${run}.js`);
      const lines = requests.map(
        ({ status: answer, judge, tags }) =>
          `  http.get(\`\${__ENV.BASE_URL}/${answer}\`, { redirects: 0, tags: ${JSON.stringify(tags)}${judge === "" ? "" : `, responseCallback: ${callback(judge)}`} });`,
      );
      const options = { vus: 2, iterations: 6, ...(systemTags !== null && { systemTags }) };
      await writeFile(
        scriptPath,
        [
          'import http from "k6/http";',
          `export const options = ${JSON.stringify(options)};`,
          general === "" ? "" : `http.setResponseCallback(${callback(general)});`,
          "export default function () {",
          ...lines,
          "}",
          "export function handleSummary(data) { globalThis.x = data; return {}; }",
        ].join("\n"),
      );
      const name = `run-${run}`;
      const output = await runScript(
        bench.k6,
        { targets: [target()], name, cpus: undefined },
        { scriptPath, folder: bench.folder, signal: never, warn: () => undefined },
      ).catch((error: unknown) => {
        if (error instanceof EnvironmentError) return error;
        throw error;
      });
      const { metrics } = JSON.parse(await readFile(join(bench.folder, `${name}.json`), "utf8"));
      // Of a script whose every request fails there are no figures, only the reason.
      if (output instanceof EnvironmentError) {
        expect(output.message).toContain("every request failed");
        const judged = requests.filter(({ judge }) => (judge === "" ? general : judge) !== "none").length * 6;
        expect(metrics.http_req_failed?.passes ?? 0).toBe(judged);
        return;
      }
      const counts = countsOf(output);
      const judgeOf = (judge: string) => (judge === "" ? general : judge);
      const unjudged = requests.filter(({ judge }) => judgeOf(judge) === "none");
      const alone = unjudged.filter(({ status: answer }) => answer >= 400).length * 6;
      expect(counts.requests).toBe(metrics.http_reqs.count);
      expect(counts.failures).toBe((metrics.http_req_failed?.passes ?? 0) + alone);
      expect(counts.inRecords).toBe(counts.failures);
      // Each reply is counted under its own status, whatever the script's tags call it.
      const replies = requests.map(({ status: answer }) => `${answer}`);
      for (const each of new Set(replies))
        expect(
          Object.entries(counts.statuses).reduce((sum, [key, n]) => sum + (key.startsWith(each) ? n : 0), 0),
        ).toBe(6 * replies.filter((other) => other === each).length);
    }),
    { numRuns: 25 },
  );
});

const locustRequest = fc.record({
  status,
  judge: fc.constantFrom("", "success", "failure", "raise"),
  name: text,
});

test("Locust's own count of failed requests is ours, to the request", async () => {
  const plan = fc.array(locustRequest, { minLength: 1, maxLength: 12 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(plan, async (requests) => {
      run += 1;
      const scriptPath = join(bench.folder, `locustfile_${run}.py`);
      const told = join(bench.folder, `told-${run}.json`);
      await writeFile(
        scriptPath,
        `import json
from locust import HttpUser, constant, events, task
from locust.exception import ResponseError

PLAN = json.loads(${JSON.stringify(JSON.stringify(requests))})

@events.quitting.add_listener
def tell(environment, **_):
    total = environment.stats.total
    with open(${JSON.stringify(told)}, "w") as file:
        json.dump([total.num_requests, total.num_failures], file)

class Visitor(HttpUser):
    wait_time = constant(0)

    @task
    def visit(self):
        for each in PLAN:
            path = f"/{each['status']}"
            name = each["name"] or None
            if each["judge"] == "":
                self.client.get(path, name=name, allow_redirects=False)
                continue
            with self.client.get(path, name=name, catch_response=True, allow_redirects=False) as reply:
                if each["judge"] == "success": reply.success()
                elif each["judge"] == "failure": reply.failure("no")
                else: raise ResponseError("no")
        events.request.fire(request_type="WS", name="\\ud800", response_time=1, response_length=1, exception=None, context={})
        events.request.fire(request_type="WS", name="talk", response_time=None, response_length=1, exception=ValueError("no"), context={})
        self.environment.runner.quit()
`,
      );
      const output = await runLocustFile(
        {
          targets: [target()],
          endpoint: { script: "locustfile.py" },
          load: { kind: "script", locust: { users: 1, durationSeconds: 20 } },
          locust: { interpreter: join(venv, "bin", "python"), folder: bench.folder },
          sliceMs: 250,
          seed: 1,
          name: `locust-${run}`,
        },
        {
          scriptPath,
          runnerPath: join(root, "probe", "loadtest_probe", "locust_run.py"),
          folder: bench.folder,
          signal: never,
          warn: () => undefined,
        },
      );
      const [all, failed] = JSON.parse(await readFile(told, "utf8"));
      const counts = countsOf(output);
      expect(all).toBeGreaterThanOrEqual(requests.length + 2);
      expect([counts.requests, counts.failures, counts.inRecords]).toEqual([all, failed, failed]);
      expect(counts.statuses).toMatchObject({ "no status": 1, "error 1000": 1 });
    }),
    { numRuns: 10 },
  );
});
