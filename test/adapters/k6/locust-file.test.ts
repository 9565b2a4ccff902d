import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { runLocustFile } from "../../../src/adapters/k6/locust-file.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { never } from "./k6-fixture.ts";

const root = new URL("../../..", import.meta.url).pathname;
const runnerPath = join(root, "probe", "loadtest_probe", "locust_run.py");

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "locust-test-"));
  // Stands where the team's Locust is: it loads the file, which does as it likes with the events.
  await mkdir(join(folder, "locust"));
  await writeFile(
    join(folder, "locust", "__init__.py"),
    `class Hook:
    def __init__(self): self.listeners = []
    def add_listener(self, listener): self.listeners.append(listener)
    def fire(self, **of): [listener(**of) for listener in self.listeners]

class events:
    request = Hook()
    quit = Hook()
`,
  );
  await writeFile(
    join(folder, "locust", "main.py"),
    `import runpy, sys
from locust import events

def main():
    print("told", *sys.argv[1:])
    runpy.run_path(sys.argv[2])
    events.quit.fire(exit_code=0)
`,
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function ran(file: string) {
  const scriptPath = join(folder, "locustfile.py");
  await writeFile(scriptPath, file);
  const request: LoadRequest = {
    targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
    endpoint: { script: "locustfile.py" },
    load: { kind: "script", locust: { users: 3, durationSeconds: 2 } },
    locust: { interpreter: join(root, ".tools", "target-app", "bin", "python"), folder },
    isCompared: true,
    sliceMs: 250,
    seed: 1,
    name: "run",
  };
  return { request, output: await runLocustFile(request, { scriptPath, runnerPath, folder, signal: never }) };
}

const told = `import os
from types import SimpleNamespace
from locust import events

assert os.environ["LOADTEST_COMPARED"] == "true" and os.environ["BASE_URL"] == "http://127.0.0.1:1"
def send(name, status, **more):
    reply = SimpleNamespace(status_code=status)
    events.request.fire(request_type="GET", name=name, response_time=10.5, response=reply, **more)
`;

test("each request of a Locust file is counted, whatever its name", async () => {
  const { request, output } = await ran(
    `${told}
send("/", 200, context={})
send("/a, \\"b\\"\\n c", 404, exception=RuntimeError("no"))
events.request.fire(request_type="grpc", name="call", response_time=None, exception=OSError())
`,
  );
  expect(parseK6Summary(output.summary, request)).toMatchObject({ requests: 3, failures: 2 });
  const [slice] = parseLoadRecords(output.records);
  expect(slice).toMatchObject({ requests: 3, statuses: { "200": 1, "404": 1, "error 1000": 1 } });
  expect(output.script?.requests?.map(({ name }) => name).toSorted()).toEqual(
    ['GET /a, "b" c', "GET /", "grpc call"].toSorted(),
  );
});

test.for<readonly [what: string, file: string, reason: RegExp, log: RegExp]>([
  [
    "that does not import",
    "import not_here\n",
    /the Locust file .*locustfile\.py failed \(code 1\)/,
    /told -f .*locustfile\.py --headless .*-u 3 -r 3 -t 2s --host http.*No module named 'not_here'/s,
  ],
  ["that sends nothing", "print('idle')\n", /locustfile\.py sent no request/, /idle/],
])("a file %s says so itself", async ([, file, reason, log]) => {
  await expect(ran(file)).rejects.toMatchObject({
    message: expect.stringMatching(reason),
    logTail: expect.stringMatching(log),
  });
});
