import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

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
    `import os, runpy, sys
from types import SimpleNamespace
import locust

class MasterRunner: pass
class WorkerRunner: pass

def main():
    print("told", *sys.argv[1:])
    processes = int(sys.argv[sys.argv.index("--processes") + 1]) if "--processes" in sys.argv else 0
    options = SimpleNamespace(processes=processes)
    environment = SimpleNamespace(process_exit_code=None, shape_class=None, runner=None, parsed_options=options)
    locust.environment = environment
    is_worker = False
    for _ in range(processes):
        is_worker = os.fork() == 0
        if is_worker: break
    if processes:
        environment.runner = WorkerRunner() if is_worker else MasterRunner()
    sent = [runpy.run_path(path) for path in sys.argv[2].split(",")][-1]
    locust.events.init.fire(environment=environment)
    if not processes or is_worker: sent.get("load", lambda: None)()
    if is_worker and sent.get("dies"): os._exit(9)
    locust.events.quit.fire(exit_code=environment.process_exit_code or 0)
    if is_worker: os._exit(0)
    sys.exit(environment.process_exit_code)
`,
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function ran(file: string, processes?: number, mostMemoryBytes?: number) {
  const scriptPath = join(folder, "locustfile.py");
  await writeFile(scriptPath, file);
  const request: LoadRequest = {
    targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
    endpoint: { script: "locustfile.py" },
    load: {
      kind: "script",
      locust: { users: 3, durationSeconds: 2, ...(processes !== undefined && { processes }) },
    },
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

test.for([undefined, 2])(
  "exceptions that ended tasks are a broken gate, of %j processes",
  async (processes) => {
    const { output } = await ran(
      `${told}
def load():
    send("/", 200)
    for error in (AssertionError("not\\n seven"), ValueError()):
        events.user_error.fire(user_instance=None, exception=error, tb=None)
`,
      processes,
    );
    expect(output.script?.thresholds).toEqual([
      {
        metric: "tasks without an exception",
        condition: "AssertionError: not seven",
        isKept: false,
        value: 2 * (processes ?? 1),
      },
    ]);
  },
);

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
            /^the LoadTestShape of .*locustfile\.py would run longer than 2 s and is cut there: raise `duration`/,
          ),
        ]
      : [],
  );
});

describe("Locust's own processes", () => {
  test("write a file each, which are counted together", async () => {
    const { request, output } = await ran(
      `${told}
def load():
    for _ in range(5000): send("/", 200)
`,
      3,
    );
    expect(parseK6Summary(output.summary, request)).toMatchObject({ requests: 15_000, failures: 0 });
    expect(output.cpuSeconds).toBeGreaterThan(0);
    expect((await readdir(folder)).filter((name) => name.startsWith("run.csv"))).toEqual([]);
  });

  test("are told apart from those that ended before their time", async () => {
    await expect(ran(`${told}\ndies = True\ndef load(): send("/", 200)\n`, 2)).rejects.toThrow(
      "2 of 2 processes of Locust ended before their time, so their requests are not known",
    );
  });
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

test.for([1, 2, 4])("memory without end is stopped, in whichever of %i processes", async (processes) => {
  const flood = `${told}
def load():
    kept = []
    while True: kept.append(b"x" * 1_000_000)
`;
  // Twice what the interpreters take. Of several, the main one stays small.
  await expect(ran(flood, processes, 300_000_000)).rejects.toThrow(
    "the load generator needed more than 300 MB and was stopped: does a response never end?",
  );
});
