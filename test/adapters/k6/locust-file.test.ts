import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
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
  await writeFile(join(folder, "configargparse.py"), "class ArgumentParser:\n    def __init__(self): pass\n");
  await writeFile(
    join(folder, "locust", "__init__.py"),
    `class Hook:
    def __init__(self): self.listeners = []
    def add_listener(self, listener): self.listeners.append(listener)
    def fire(self, **of): [listener(**of) for listener in self.listeners]

class events:
    init = Hook()
    init_command_line_parser = Hook()
    request = Hook()
    user_error = Hook()
    quit = Hook()
`,
  );
  await writeFile(
    join(folder, "locust", "main.py"),
    `import runpy, sys
from types import SimpleNamespace
import locust

def main():
    print("told", *sys.argv[1:])
    environment = SimpleNamespace(process_exit_code=None, shape_class=None)
    locust.environment = environment
    sent = [runpy.run_path(path) for path in sys.argv[2].split(",")][-1]
    locust.events.init.fire(environment=environment)
    sent.get("load", lambda: None)()
    locust.events.quit.fire(exit_code=environment.process_exit_code or 0)
    sys.exit(environment.process_exit_code)
`,
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function ran(file: string, mostMemoryBytes?: number) {
  const scriptPath = join(folder, "locustfile.py");
  await writeFile(scriptPath, file);
  const request: LoadRequest = {
    targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
    endpoint: { script: "locustfile.py" },
    load: { kind: "script", locust: { users: 3, durationSeconds: 2 } },
    locust: {
      interpreter: join(root, ".tools", "target-app", "bin", "python"),
      folder,
    },
    isCompared: true,
    sliceMs: 250,
    seed: 1,
    name: "run",
  };
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const options = {
    scriptPath,
    runnerPath,
    folder,
    signal: never,
    warn,
    ...(mostMemoryBytes !== undefined && { mostMemoryBytes }),
  };
  return { request, warnings, output: await runLocustFile(request, options) };
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

test("the gate of a Locust file keeps its figures, and is told as a threshold", async () => {
  const file = `${told}
import locust
def load():
    send("/", 500, exception=RuntimeError("no"))
    locust.environment.process_exit_code = 3
`;
  const { output } = await ran(file);
  expect(output.script?.thresholds).toEqual([
    { metric: "environment.process_exit_code", condition: "0", isKept: false, value: 3 },
  ]);
  expect(parseLoadRecords(output.records)).toMatchObject([{ requests: 1, failures: 1 }]);
  const kept = await ran(file.replace("= 3", "= 0"));
  expect(kept.output.script?.thresholds).toMatchObject([{ isKept: true, value: 0 }]);
  const none = await ran(file.replace("= 3", "= None"));
  expect(none.output.script?.thresholds).toEqual([]);
});

test("exceptions that ended tasks are a broken gate", async () => {
  const { output } = await ran(`${told}
def load():
    send("/", 200)
    for error in (AssertionError("not\\n seven"), ValueError()):
        events.user_error.fire(user_instance=None, exception=error, tb=None)
`);
  expect(output.script?.thresholds).toEqual([
    {
      metric: "tasks without an exception",
      condition: "AssertionError: not seven",
      isKept: false,
      value: 2,
    },
  ]);
});

test("a file that ends itself in the middle of its load leaves no figures", async () => {
  const file = `${told}
import os
def load():
    send("/", 200)
    os._exit(3)
`;
  await expect(ran(file)).rejects.toThrow(/locustfile\.py failed \(code 3\)/);
});

test.for([
  { ends: 9, cut: true },
  { ends: 1.5, cut: false },
])("a shape of $ends s in a load of 2 s is cut: $cut", async ({ ends, cut }) => {
  const { warnings, output } = await ran(`${told}
import locust
class Shape:
    time = 0
    def get_run_time(self): return self.time
    def tick(self):
        self.time += 0.5
        return (1, 1) if self.time <= ${ends} else None
locust.environment.shape_class = Shape()
def load():
    while locust.environment.shape_class.tick() is not None: send("/", 200)
`);
  expect(parseLoadRecords(output.records)[0]?.requests).toBe(3);
  expect(warnings).toEqual(
    cut
      ? [
          expect.stringMatching(
            /^the LoadTestShape of .*locustfile\.py runs longer than 2 s and is stopped then; raise `duration`/,
          ),
        ]
      : [],
  );
});

test("leaves no file of its own", async () => {
  const { output } = await ran(`${told}\nsend("/", 200)\n`);
  expect(output.cpuSeconds).toBeGreaterThan(0);
  expect((await readdir(folder)).filter((name) => name.startsWith("run.csv"))).toEqual([]);
});

test.for<readonly [what: string, file: string, reason: RegExp, log: RegExp]>([
  [
    "that does not import",
    "import not_here\n",
    /the Locust file .*locustfile\.py failed \(code 1\)/,
    /told -f .*locustfile\.py --headless .*-u 3 -r 3 -t 2s --host http.*No module named 'not_here'/s,
  ],
  ["that sends nothing", "print('idle')\n", /locustfile\.py sent no HTTP request/, /idle/],
])("a file %s says so itself", async ([, file, reason, log]) => {
  await expect(ran(file)).rejects.toMatchObject({
    message: expect.stringMatching(reason),
    logTail: expect.stringMatching(log),
  });
});

test("what it prints without end is cut", async () => {
  let most = 0;
  const look = async () => {
    const names = await readdir(folder, { recursive: true });
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    most = Math.max(most, ...sizes);
  };
  const timer = setInterval(() => void look(), 50);
  const flood = `${told}
import sys, time
def load():
    send("/", 200, context={})
    until = time.monotonic() + 3
    written = 0
    while time.monotonic() < until: written += sys.stdout.write("x" * 1_000_000)
    with open(os.path.join(os.path.dirname(__file__), "written"), "w") as file: file.write(str(written))
`;
  await ran(flood);
  clearInterval(timer);
  await look();
  const written = Number(await readFile(join(folder, "written"), "utf8"));
  expect(written).toBeGreaterThan(200_000_000);
  expect(most).toBeLessThan(200_000_000);
});

test("memory without end is stopped", async () => {
  const flood = `${told}
def load():
    kept = []
    while True: kept.append(b"x" * 1_000_000)
`;
  await expect(ran(flood, 300_000_000)).rejects.toThrow(
    "the load generator needed more than 300 MB and was stopped; perhaps a response never ends",
  );
});
