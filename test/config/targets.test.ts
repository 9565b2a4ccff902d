import { describe, expect, test } from "vitest";

import { parseConfig } from "../../src/config/config-parser.ts";
import { InputError } from "../../src/errors/errors.ts";

const files = {
  resolve: (path: string) => `/cwd/${path}`,
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};
const staging = {
  "base-url": "https://staging.example.com/",
  "allow-target": "staging.example.com",
  endpoints: "/",
};
const two = {
  ...staging,
  "head-url": "http://127.0.0.1:81/api",
  "allow-target": "staging.example.com, 127.0.0.1:81",
};
const parse = (raw: Record<string, string>) => parseConfig("run", raw, files).workload;

function problemsOf(raw: Record<string, string>): readonly string[] {
  try {
    parse(raw);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("an app that already runs", () => {
  test("is measured alone, with nothing started", () => {
    expect(parse(staging)).toMatchObject({
      targets: { head: "https://staging.example.com", base: undefined },
      server: { template: "https://staging.example.com" },
      database: { kind: "none" },
      workerCounts: [1],
      comparing: { base: { kind: "none" } },
      separateCpus: false,
      sameAddressLayout: false,
      diagnose: "never",
    });
    expect(parse({ app: "a:b" })?.targets).toBeUndefined();
  });

  test.for(["https://staging.example.com?", "https://staging.example.com/#", "HTTPS://STAGING.example.com"])(
    "%s is used as it was checked",
    (url) => {
      expect(parse({ ...staging, "base-url": url })?.targets?.head).toBe("https://staging.example.com");
    },
  );

  test("is compared with another", () => {
    expect(parse(two)).toMatchObject({
      targets: { head: "http://127.0.0.1:81/api", base: "https://staging.example.com" },
      comparing: { base: { kind: "url" }, maxMinutes: 2 },
    });
    expect(parse({ ...two, "max-minutes": "20", "target-cap": "false" })?.comparing.maxMinutes).toBe(20);
  });

  test.for<readonly [raw: Record<string, string>, problem: string]>([
    [{ ...staging, settings: "login: { command: make }" }, "login: command cannot be combined with base-url"],
    [
      { ...staging, settings: 'login: { headers: { X: "{a}" }, users: { sql: SELECT a FROM b } }' },
      "login: users: sql cannot be combined with base-url, because it needs the app's environment or database; list the users, or name a CSV file ({ csv: users.csv })",
    ],
    [
      { ...staging, settings: 'login: { headers: { X: "{a}" }, users: { command: make } }' },
      "login: users: command cannot be combined with base-url",
    ],
    [{ "head-url": "http://a", app: "a:b" }, "head-url: needs base-url"],
    [{ "allow-target": "a", app: "a:b" }, "allow-target: needs base-url"],
    [
      { "base-url": "http://a.b:8", endpoints: "/" },
      "base-url: is at a.b:8, which is not in allow-target; load is sent only",
    ],
    [{ ...staging, "allow-target": "example.com" }, "add allow-target: staging.example.com"],
    [{ ...staging, "head-url": "http://other" }, "head-url: is at other, which is not in allow-target"],
    [
      { ...staging, "base-url": "ftp://staging.example.com" },
      "base-url: must be an address without user, query",
    ],
    [
      { ...staging, "base-url": "http://0x7f.1/", "allow-target": "0x7f.1" },
      "base-url: is at 127.0.0.1, which",
    ],
    [
      { ...staging, "base-url": "http://2130706433/", "allow-target": "localhost" },
      "base-url: is at 127.0.0.1, which",
    ],
    [
      { ...staging, "base-url": "http://[::ffff:10.0.0.1]/", "allow-target": "10.0.0.1" },
      "base-url: is at [::ffff:a00:1], which",
    ],
    [
      { ...staging, "base-url": "http://localhost.evil.tld/", "allow-target": "localhost" },
      "base-url: is at localhost.evil.tld, which",
    ],
    [
      { ...staging, "base-url": "http://localhost/", "allow-target": "localhost.evil.tld, evil.tld" },
      "base-url: is at localhost, which",
    ],
    [
      { ...staging, "base-url": "http://127.0.0.1@evil.tld/", "allow-target": "127.0.0.1" },
      "base-url: must be an address without user",
    ],
    [
      { ...staging, "base-url": "http://evil.tld\\@127.0.0.1/", "allow-target": "127.0.0.1" },
      "base-url: is at evil.tld, which",
    ],
    [{ ...staging, "base-url": "https://u:p@staging.example.com" }, "must be an address without user"],
    [{ ...staging, "base-url": "staging" }, "must be an address without user"],
    [
      { ...staging, endpoints: "auto" },
      "endpoints: with base-url, list each endpoint with values for its parameters",
    ],
    [{ ...staging, control: "true" }, "control: cannot be combined with base-url"],
    [{ ...two, requests: "10" }, "requests: cannot be used in a comparison"],
    [{ ...two, rate: "5" }, "rate: cannot be used in a comparison"],
    [
      { ...staging, vus: "11" },
      "vus: must be at most 10 for a running app (got 11), unless target-cap is false",
    ],
    [{ ...staging, stages: "1s:20" }, "vus: must be at most 10"],
    [{ ...staging, stages: "61s:2" }, "duration: must be at most 60 s"],
    [{ ...staging, rate: "51" }, "rate: must be at most 50 req/s"],
    [{ ...staging, requests: "1001" }, "requests: must be at most 1000"],
    [{ ...staging, duration: "2m" }, "duration: must be at most 60 s"],
    [{ ...two, duration: "2m" }, "duration: must be at most 60 s"],
    [{ ...staging, warmup: "2m" }, "warmup: must be at most 60 s"],
    [{ ...two, "max-minutes": "3" }, "max-minutes: must be at most 2 minutes"],
  ])("%j is refused", ([raw, problem]) => {
    expect(problemsOf(raw)).toEqual([expect.stringContaining(problem)]);
    if (problem.includes("at most")) expect(problemsOf({ ...raw, "target-cap": "false" })).toEqual([]);
  });
});
