import { expect, test } from "vitest";

import {
  fixedHosts,
  hostElsewhere,
  otherHostsWords,
  remoteModulesIn,
  statusRemedy,
} from "../../../src/model/load/script-hosts.ts";
import { cpuMs } from "../../cpu-time.ts";

/** Forms in which teams write an address, and the hosts that are all that a script can reach. */
test.for<readonly [form: string, tool: "k6" | "locust", text: string, hosts: readonly string[]]>([
  ["a literal", "k6", 'http.get("http://localhost:8000/boats");', ["localhost:8000"]],
  [
    "a constant with a variable of its own",
    "k6",
    'const at = __ENV.API_URL || "http://localhost:8000";',
    ["localhost:8000"],
  ],
  [
    "several, each once",
    "k6",
    "get('https://a.example/x'); get(`http://b:1?x`); get('https://a.example')",
    ["a.example", "b:1"],
  ],
  ["a socket", "k6", 'new WebSocket("ws://127.0.0.1:8000/talk")', ["127.0.0.1:8000"]],
  ["our variable", "k6", `http.get(\`\${__ENV.BASE_URL || 'http://localhost:8000'}/\`);`, []],
  ["our variable by its name", "k6", "const { BASE_URL = 'http://localhost' } = __ENV;", []],
  ["any variable", "k6", "const at = __ENV[name] || 'http://localhost';", []],
  ["an address from another file", "k6", 'import { at } from "./config.js"; get("http://x/");', []],
  ["the same by require", "k6", 'const at = require("./config.js"); get("http://x/");', []],
  ["a module from elsewhere", "k6", 'import { a } from "https://jslib.k6.io/a.js";\nimport b from "k6";', []],
  ["the same by require", "k6", 'const a = require("https://jslib.k6.io/a.js");', []],
  [
    "comments",
    "k6",
    "// see http://docs.example/\n/* https://x.example/\n */ http.get(at); // http://y/",
    [],
  ],
  ["a client's literal", "locust", 'self.client.get("http://localhost:8000/boats")', ["localhost:8000"]],
  ["the same as f-string", "locust", "self.client.post(f'http://localhost:8000/{key}')", ["localhost:8000"]],
  ["a path as well", "locust", 'self.client.get("http://x/")\nself.client.get("/boats")', []],
  [
    "the class' host, which is overruled",
    "locust",
    'host = "http://localhost:8000"\nself.client.get("/boats")',
    [],
  ],
  ["a comment", "locust", '# self.client.get("http://x/")\nself.client.get(url)', []],
])("%s in a script for %s", ([, tool, text, hosts]) => {
  expect(fixedHosts(text, tool, [])).toEqual(hosts);
});

test("a script that is given its own variable is free", () => {
  const text = 'const at = __ENV.API_URL || "http://localhost:8000";';
  expect(fixedHosts(text, "k6", ["API_URL"])).toEqual([]);
  expect(fixedHosts(text, "k6", ["OTHER"])).toEqual(["localhost:8000"]);
});

test.for([
  ["http://127.0.0.1:80/a", undefined],
  ["http://127.0.0.1:80", undefined],
  ["ws://127.0.0.1:80/talk", undefined],
  ["http://127.0.0.1:8000/a", "127.0.0.1:8000"],
  ["http://localhost:80/", "localhost:80"],
  ["https://x.example?y", "x.example"],
  ["one boat", undefined],
  ["", undefined],
] as const)("the host of %j that is not the app: %s", ([url, host]) => {
  expect(hostElsewhere(url, "http://127.0.0.1:80")).toBe(host);
});

test("other hosts are named with the remedy", () => {
  expect(otherHostsWords(["localhost:8000"], "k6")).toBe(
    "requests localhost:8000, which is not the app under test: take the address from `__ENV.BASE_URL`, or set the script's own variable to `{base-url}` in `script-env`",
  );
  expect(otherHostsWords(["a", "b"], "locust")).toMatch(
    /^requests a, b, which are not the app .*self\.host`$/,
  );
  expect(otherHostsWords([], "k6")).toMatch(/^requests another host, which is not/);
});

test.for([
  ["404", /path/],
  ["405", /path/],
  ["401", /script-env/],
  ["403", /script-env/],
  ["422", /body/],
  ["503", /log/],
  ["200 failed", /judges it/],
  ["error 1212", /judges it/],
] as const)("after %s: %s", ([status, remedy]) => {
  expect(statusRemedy(status)).toMatch(remedy);
});

test.for<[text: string, found: readonly string[]]>([
  ['import { a } from "https://jslib.k6.io/a.js";\nimport b from "k6";', ["https://jslib.k6.io/a.js"]],
  ["export * from 'http://a/b.js'", ["http://a/b.js"]],
  ['const a = require("https://a/b.js")', ["https://a/b.js"]],
  ['// import a from "https://a/b.js"\nimport b from "./b.js"; http.get("https://a/")', []],
])("%s imports %j", ([text, found]) => {
  expect(remoteModulesIn(text)).toEqual(found);
});

test.for([
  "\n",
  " ",
  "/*",
  "//",
  "import ",
  "import a\n",
  "require(",
  'import "https://',
  "http://",
  "get('http://",
])("T29: a script of %j again and again takes no time", (piece) => {
  const text = piece.repeat(500_000 / piece.length);
  const before = cpuMs();
  remoteModulesIn(text);
  fixedHosts(text, "k6", []);
  fixedHosts(text, "locust", []);
  expect(cpuMs() - before).toBeLessThan(1_500); // what is not linear takes minutes
});

test.for([
  ["GET undefined/nets", true],
  ["GET https://null/nets", true],
  ["GET /undefined", false],
] as const)("%s has no address: %j", ([request, isUnset]) => {
  expect(statusRemedy("no reply", request).includes("a variable that is not set")).toBe(isUnset);
});
