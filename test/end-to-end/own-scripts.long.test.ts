import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { root } from "./act.ts";

vi.setConfig({ testTimeout: 180_000 });

const run = promisify(execFile);
let folder = "";
let venv = "";
beforeAll(async () => {
  venv = await mkdtemp(join(tmpdir(), "own-scripts-venv-"));
  await run("python3", ["-m", "venv", venv]);
  const install = ["install", "--quiet", "--disable-pip-version-check"];
  await run(join(venv, "bin", "pip"), [...install, "fastapi", "uvicorn[standard]", "locust"]);
}, 300_000);
afterAll(() => rm(venv, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "own-scripts-test-"));
  return () => rm(folder, { recursive: true, force: true });
});

const app = `from fastapi import FastAPI, Response

app = FastAPI()

@app.get("/")
async def root():
    return {"ok": True}

@app.get("/fish/{fish_id}")
async def fish(fish_id: int):
    return {"id": fish_id, "name": "Pike"}

@app.get("/none")
async def none():
    return Response(status_code=404)

@app.get("/broken")
async def broken():
    return Response(status_code=500)
`;

/** A team's script as a file of its own, and what the tool says of it. */
interface Own {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string>>;
  readonly exit: number;
  readonly says: readonly (string | RegExp)[];
  readonly saysNot?: readonly (string | RegExp)[];
}

async function ran({ files, options = {} }: Pick<Own, "files" | "options">) {
  for (const [name, text] of Object.entries({ "main.py": app, ...files })) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const script = Object.keys(files).find((name) => /^load\.\w+$/.test(name)) ?? "load.js";
  const words = {
    ...{ app: "main:app", script, install: venv, database: "none", workers: "1", vus: "2", duration: "3s" },
    ...{ "base-ref": "none", diagnose: "never", "results-directory": join(folder, "results"), ...options },
  };
  const argv = Object.entries(words).flatMap(([name, value]) => [`--${name}`, value]);
  const env = { ...process.env, TMPDIR: folder, GITHUB_STEP_SUMMARY: "", LOADTEST_KEY: "hush-hush-hush" };
  const cli = join(root, "dist", "cli.js");
  const done = await run("node", [cli, "run", ...argv], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ exit: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ exit: Number(code), text: `${stdout}${stderr}` }),
  );
  const read = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  return { ...done, read, report: await read("results/report.md") };
}

function isAsTold(owns: readonly Own[]) {
  test.for(owns)("$name", async ({ exit: wanted, says, saysNot = [], ...own }) => {
    const { exit, text, report } = await ran(own);
    const all = `${text}\n${report}`;
    for (const each of says) expect(all).toMatch(each);
    for (const each of saysNot) expect(all).not.toMatch(each);
    expect(exit, all).toBe(wanted);
  });
}

const k6 = (body: string, options: object = {}, head = "") =>
  `import http from "k6/http";\nimport { check, group } from "k6";\nimport exec from "k6/execution";\n${head}\n` +
  `export const options = ${JSON.stringify({ vus: 2, duration: "1s", ...options })};\nconst at = __ENV.BASE_URL;\n` +
  `export default function () {\n${body}\n}\n`;
const locust = (body: string, more = "") =>
  `from locust import HttpUser, constant, events, task\n${more}\n\nclass Angler(HttpUser):\n` +
  `    wait_time = constant(0)\n    turn = 0\n\n    @task\n    def fish(self):\n${body.replaceAll(/^/gm, "        ")}\n`;

const limit = { thresholds: "http_req_failed: rate<0.01" };
const kept = /Threshold met: load\.\w+, 1 worker: rate<0\.01/;
const broken = /Threshold not met: load\.\w+, 1 worker: rate<0\.01/;

describe("A: failures are the script's own", () => {
  isAsTold([
    {
      name: "k6 expects a 404, in general",
      files: {
        "load.js": k6(
          "http.get(at + '/none'); http.get(at + '/fish/1');",
          {},
          "http.setResponseCallback(http.expectedStatuses(200, 404));",
        ),
      },
      options: limit,
      exit: 0,
      says: [kept],
      saysNot: [/with failed requests/],
    },
    {
      name: "k6 expects a 404, of one request",
      files: {
        "load.js": k6("http.get(at + '/none', { responseCallback: http.expectedStatuses(404) });", {
          systemTags: ["url"],
        }),
      },
      options: limit,
      exit: 0,
      says: [kept],
    },
    {
      name: "k6 does not expect a 200",
      files: {
        "load.js": k6(
          "http.get(at + '/fish/1'); http.get(at + '/fish/1', { responseCallback: http.expectedStatuses(201) });",
          { systemTags: ["proto", "vu", "iter"] },
        ),
      },
      options: limit,
      exit: 1,
      says: [broken, "× 200 that the script calls a failure"],
    },
    {
      name: "k6 judges nothing: the status does",
      files: {
        "load.js": k6(
          "http.get(at + '/fish/1'); http.get(at + '/broken');",
          {},
          "http.setResponseCallback(null);",
        ),
      },
      options: limit,
      exit: 1,
      says: [broken, /\d+ × 500\b/],
    },
    {
      name: "k6 judges nothing, and every status is a failure",
      files: { "load.js": k6("http.get(at + '/broken', { responseCallback: null });") },
      exit: 3,
      says: ["every request failed (500)"],
    },
    {
      name: "k6 names its requests with commas, quotes and line breaks",
      files: {
        "load.js": k6('http.get(at + "/none", { tags: { name: \'a,"b"\\nc\\u2028d\', status: "200" } });'),
      },
      exit: 3,
      says: ["every request failed (404)"],
    },
    {
      name: "Locust refuses every other reply",
      files: {
        "load.py": locust(
          'self.turn += 1\nwith self.client.get("/fish/1", catch_response=True) as reply:\n    if self.turn % 2: reply.failure("not a perch")',
        ),
      },
      options: limit,
      exit: 1,
      says: [broken, "× 200 that the script calls a failure"],
    },
    {
      name: "Locust refuses every reply",
      files: {
        "load.py": locust(
          'with self.client.get("/fish/1", catch_response=True) as reply:\n    reply.failure("not a perch")',
        ),
      },
      exit: 3,
      says: ["every request failed (200 that the script calls a failure)"],
    },
    {
      name: "Locust accepts a 404",
      files: {
        "load.py": locust(
          'with self.client.get("/none", catch_response=True) as reply:\n    if reply.status_code == 404: reply.success()',
        ),
      },
      options: limit,
      exit: 0,
      says: [kept],
    },
    {
      name: "Locust raises its own error for a reply",
      files: {
        "load.py": locust(
          'self.turn += 1\nwith self.client.get("/fish/1", catch_response=True) as reply:\n    if self.turn % 2: raise ResponseError("not a perch")',
          "from locust.exception import ResponseError",
        ),
      },
      options: limit,
      exit: 1,
      says: [broken],
    },
    {
      name: "Locust's task raises what is none of its own errors",
      files: {
        "load.py": locust(
          'self.turn += 1\nwith self.client.get("/fish/1", catch_response=True) as reply:\n    assert self.turn % 2, "not a perch"',
        ),
      },
      options: limit,
      exit: 1,
      says: [
        /Threshold not met: load\.py, 1 worker: tasks without an exception: AssertionError: not a perch/,
      ],
    },
    {
      name: "Locust measures something without a status",
      files: {
        "load.py": locust(
          'self.client.get("/fish/1")\nevents.request.fire(request_type="WS", name="talk", response_time=2, response_length=1, exception=None, context={})',
        ),
      },
      options: limit,
      exit: 0,
      says: [kept],
    },
  ]);

  test("a head of which half fails is never unchanged, even if the base does as well", async () => {
    const script = locust(
      'self.turn += 1\nwith self.client.get("/fish/1", catch_response=True) as reply:\n    if self.turn % 2: reply.failure("no")',
    );
    const git = (...words: string[]) =>
      run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: folder });
    await git("init", "--quiet", "--initial-branch=main");
    await writeFile(join(folder, "main.py"), app);
    await git("add", "main.py");
    await git("commit", "--quiet", "--message=base");
    await git("commit", "--quiet", "--allow-empty", "--message=head");
    const { text, read } = await ran({
      files: { "load.py": script },
      options: { "base-ref": "HEAD~1", "max-minutes": "0.5" },
    });
    const { cells } = JSON.parse(await read("results/figures.json"));
    expect(cells[0].verdict, text).toBe("invalid");
  });
});

const gated = (metric: string, words: string) =>
  new RegExp(`Threshold not met: load\\.js, 1 worker: ${metric}: ${words}`);
const figures = /load\.js +1 +[\d,]+( ± [\d,]+)? +[\d.]+/;

describe("B: the end of a script is a result", () => {
  isAsTold([
    {
      name: "k6 calls the test failed",
      files: { "load.js": k6("http.get(at + '/'); if (__ITER === 5) exec.test.fail('fish 6 looked odd');") },
      exit: 1,
      says: [gated("exec.test.fail", "fish 6 looked odd"), figures],
    },
    {
      name: "k6 ends the test in the middle of the load",
      files: { "load.js": k6("http.get(at + '/'); if (__ITER === 50) exec.test.abort('enough fish');") },
      exit: 1,
      says: [gated("exec.test.abort", "enough fish"), figures],
    },
    {
      name: "k6 ends the test before the load",
      files: {
        "load.js": `${k6("http.get(at + '/');")}export function setup() { exec.test.abort('no login: ' + http.post(at + '/login').status); }`,
      },
      exit: 3,
      says: ["ended the test itself (`exec.test.abort`): no login: 404"],
    },
    {
      name: "k6 throws at its start",
      files: { "load.js": k6("", {}, "throw new Error('set FISH_KEY');") },
      exit: 3,
      says: ["threw an exception: Error: set FISH_KEY"],
    },
    {
      name: "k6 throws at its end",
      files: { "load.js": `${k6("http.get(at + '/');")}export function teardown() { nets.away(); }` },
      exit: 1,
      says: [gated("teardown without an exception", "ReferenceError: nets is not defined"), figures],
    },
    {
      name: "k6 throws in its iterations",
      files: { "load.js": k6("http.get(at + '/'); throw new Error('no fish');") },
      exit: 0,
      says: ["threw an exception: Error: no fish", figures],
    },
    {
      name: "a function that is not there",
      files: {
        "load.js": k6("http.get(at + '/');", {
          scenarios: { a: { executor: "shared-iterations", exec: "nets" } },
          vus: undefined,
          duration: undefined,
        }),
      },
      exit: 3,
      says: ["has options that k6 rejects: executor a: function 'nets' not found in exports"],
    },
    {
      name: "options that k6 rejects",
      files: { "load.js": k6("http.get(at + '/');", { scenarios: { a: { executor: "nope" } } }) },
      exit: 3,
      says: ["has options that k6 rejects: unknown executor type 'nope'"],
    },
    ...[
      ["a text", "return JSON.stringify(data.metrics)"],
      ["a promise", "return Promise.resolve({})"],
      ["a list", "return ['a']"],
      ["a mapping with something other than texts", "return { stdout: { a: 5 }, 'own.json': 'kept' }"],
      ["nothing, and changes the figures", "delete data.metrics.http_reqs; data.root_group = 5"],
      ["a frozen mapping", "return Object.freeze({ stdout: 'x' })"],
      ["an error", "throw new Error('no')"],
    ].map(([what = "", body = ""]) => ({
      name: `handleSummary returns ${what}`,
      files: { "load.js": `${k6("http.get(at + '/');")}export function handleSummary(data) { ${body}; }` },
      exit: 0,
      says: [figures],
    })),
    {
      name: "handleSummary is no function",
      files: { "load.js": `${k6("http.get(at + '/');")}export const handleSummary = 5;` },
      exit: 0,
      says: [figures],
    },
  ]);

  test("handleSummary writes its own files, and the script's own stay where they are", async () => {
    const head = "import { n } from './lib/n.js';\nconst data = JSON.parse(open('./data.json'));";
    const text = "JSON.stringify([data.n, n, Object.keys(made.metrics).includes('http_reqs')])";
    const {
      exit,
      read,
      text: all,
    } = await ran({
      files: {
        "load.js": `${k6("http.get(at + '/');", {}, head)}export function handleSummary(made) { return { 'own.json': ${text} }; }`,
        "data.json": '{"n": 1}',
        "lib/n.js": "export const { n } = JSON.parse(open('./n.json'));",
        "lib/n.json": '{"n": 2}',
      },
    });
    expect(exit, all).toBe(0);
    expect(await read("own.json")).toBe("[1,2,true]");
  });
});

describe("C: a script that requests something else, or lacks something", () => {
  const bare = (body: string, head = "") =>
    `import http from "k6/http";\n${head}\nexport const options = { vus: 1, duration: "1s" };\nexport default function () {\n${body}\n}\n`;
  isAsTold([
    {
      name: "k6: a fixed address",
      files: {
        "load.js": bare("http.get(at + '/');", 'const at = __ENV.API_URL || "http://localhost:8000";'),
      },
      exit: 3,
      says: [
        "requests localhost:8000, which is not the app under test: take the address from `__ENV.BASE_URL`",
      ],
    },
    {
      name: "k6: the same with its variable given",
      files: {
        "load.js": bare("http.get(at + '/');", 'const at = __ENV.API_URL || "http://localhost:8000";'),
      },
      options: { "script-env": "API_URL={base-url}" },
      exit: 0,
      says: [figures],
    },
    {
      name: "k6: another address in half of the requests",
      files: { "load.js": bare("http.get(__ENV.BASE_URL + '/'); http.get('http://localhost:8000/');") },
      exit: 0,
      says: ["also requests localhost:8000, which is not the app under test"],
    },
    {
      name: "k6: a secret and a plain variable",
      files: {
        "load.js": bare(
          "http.get(__ENV.BASE_URL + __ENV.AT);",
          "if (__ENV.KEY !== 'hush-hush-hush') throw new Error('set KEY');",
        ),
        "own.yml": "script-env: { KEY: { secret: LOADTEST_KEY }, AT: /fish/1 }\n",
      },
      options: { config: "own.yml" },
      exit: 0,
      says: [figures],
      saysNot: ["hush-hush-hush"],
    },
    {
      name: "k6: a secret that is not set",
      files: {
        "load.js": bare("http.get(__ENV.BASE_URL + '/');"),
        "own.yml": "script-env: { KEY: { secret: LOADTEST_OTHER } }\n",
      },
      options: { config: "own.yml" },
      exit: 2,
      says: ["script-env: the secret LOADTEST_OTHER is not set"],
    },
    {
      name: "k6: sockets only",
      files: {
        "load.js": `import { WebSocket } from "k6/websockets";\nexport const options = { vus: 1, duration: "1s" };\nexport default function () {\n  const s = new WebSocket(__ENV.BASE_URL.replace("http", "ws") + "/talk");\n  s.addEventListener("error", () => s.close());\n}\n`,
      },
      exit: 3,
      says: ["sent no HTTP request"],
    },
    {
      name: "k6: a log-in that answers 404",
      files: {
        "load.js": `${bare("http.get(__ENV.BASE_URL + '/');", 'import exec from "k6/execution";')}export function setup() { if (http.post(__ENV.BASE_URL + "/login").status !== 200) exec.test.abort("no login"); }`,
      },
      exit: 3,
      says: ["no login", "POST /login answered 404: correct its path"],
    },
    {
      name: "Locust: a log-in that answers 404",
      files: {
        "load.py": `${locust('self.client.get("/")')}\n    def on_start(self):\n        if self.client.post("/login").status_code != 200: self.environment.runner.quit()\n`,
      },
      exit: 3,
      says: ["every request failed (404); POST /login answered 404: correct its path"],
    },
    {
      name: "Locust: a fixed address",
      files: { "load.py": locust('self.client.get("http://localhost:8000/")') },
      exit: 3,
      says: ["requests localhost:8000, which is not the app under test: give the client a path"],
    },
    {
      name: "Locust: an argument and a setting of its own",
      files: {
        "load.py": locust(
          'assert os.environ["KEY"] == "abc"\nself.client.get(f"/fish/{self.environment.parsed_options.fish}")',
          'import os\n@events.init_command_line_parser.add_listener\ndef own(parser):\n    parser.add_argument("--fish", type=int, required=True)\n',
        ),
      },
      options: { "script-env": "KEY=abc\nLOCUST_FISH=7" },
      exit: 0,
      says: [/load\.py +1 +[\d,]+/],
    },
    ...[
      [
        "KeyError",
        "import os\nkey = os.environ['FISH_KEY']",
        "KeyError: 'FISH_KEY'; set the variables that it needs in `script-env`",
      ],
      ["another error", "import no_such_net", "ModuleNotFoundError: No module named 'no_such_net'"],
    ].map(([what = "", more = "", words = ""]) => ({
      name: `Locust: ${what} at its start`,
      files: { "load.py": locust('self.client.get("/")', more) },
      exit: 3,
      says: [`failed (code 1): ${words}`],
    })),
    {
      name: "Locust: nothing but an exception in its tasks",
      files: { "load.py": locust("raise KeyError('FISH')") },
      exit: 3,
      says: ["sent no HTTP request, but its tasks raised KeyError: 'FISH'"],
    },
    {
      name: "k6: an address from a variable that is not set",
      files: { "load.js": bare("http.get(__ENV.API_HOST + '/nets');") },
      exit: 3,
      says: [
        "GET undefined/nets failed: no response: the script builds its address from a variable that is not set",
      ],
    },
    {
      name: "k6: nothing but an exception in its iterations",
      files: { "load.js": k6("throw new Error('no fish');") },
      exit: 3,
      says: ["sent no HTTP request, but its iterations threw an exception: Error: no fish"],
    },
    {
      name: "Locust: an argument of its own that is missing",
      files: {
        "load.py": locust(
          'self.client.get("/")',
          '@events.init_command_line_parser.add_listener\ndef own(parser):\n    parser.add_argument("--fish-key", required=True)\n',
        ),
      },
      exit: 3,
      says: ["it requires the argument --fish-key; set LOCUST_FISH_KEY in `script-env`"],
    },
  ]);
});
