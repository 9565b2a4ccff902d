import { expect, test } from "vitest";

import { type OutboundCalls, outsideHosts, outsideSentence } from "../../src/diagnosis/probe-documents.ts";

const file = (text: string) => ({ name: "worker-1-ab.json", text });
const wrote = (outside: unknown) => file(JSON.stringify({ schemaVersion: 1, outside }));

test.for<[what: string, files: ReturnType<typeof file>[], hosts: string[]]>([
  ["nothing", [], []],
  ["a document without any", [file('{"schemaVersion":1}')], []],
  ["another window", [wrote({ start: ["a.example"] })], []],
  [
    "several processes, each host once",
    [wrote({ load: ["a.example", "192.0.2.7"] }), wrote({ load: ["a.example", "fe80::1%lo"] })],
    ["a.example", "192.0.2.7", "fe80::1%lo"],
  ],
  ["what is no host", [wrote({ load: ["a b", "`x`", "a\nb", "", "bücher.example"] })], ["bücher.example"]],
  ["what is no JSON, and of another form", [file("{"), wrote("all"), wrote({ load: "x" })], []],
  ["a name that every object has", [wrote(JSON.parse('{"toString":["a.example"]}'))], []],
])("hosts in %s", ([, files, hosts]) => {
  expect(outsideHosts(files, "load")).toEqual(hosts);
});

const endOf =
  ", so the load goes there too. Use a stub instead (`stubs`), unless you are allowed to load-test it.";

test.for<[what: string, calls: OutboundCalls[], words: string | undefined]>([
  ["nobody", [], undefined],
  ["endpoints without any", [{ hosts: [], endpoint: "/a" }], undefined],
  [
    "a host of two endpoints, one of them twice",
    [
      { hosts: ["a.example"], endpoint: "/a" },
      { hosts: ["a.example"], endpoint: "POST /b" },
      { hosts: ["a.example"], endpoint: "/a" },
    ],
    "a.example (for /a, POST /b)",
  ],
  [
    "a host of nobody's",
    [{ hosts: ["a.example"], endpoint: "/a" }, { hosts: ["b.example"] }],
    "a.example (for /a), b.example",
  ],
  [
    "many endpoints",
    ["/a", "/b", "/c", "/d", "/e"].map((endpoint) => ({ hosts: ["a.example"], endpoint })),
    "a.example (for /a, /b, /c and 2 more)",
  ],
  [
    "many hosts",
    [{ hosts: Array.from({ length: 10 }, (_, at) => `h${at}`) }],
    "h0, h1, h2, h3, h4, h5, h6, h7 and 2 more",
  ],
  [
    "a long endpoint",
    [{ hosts: ["a.example"], endpoint: `/${"a".repeat(200)}` }],
    `a.example (for /${"a".repeat(98)}…)`,
  ],
])("what is said of %s", ([, calls, words]) => {
  expect(outsideSentence(calls)).toBe(words && `The app calls ${words}${endOf}`);
});
