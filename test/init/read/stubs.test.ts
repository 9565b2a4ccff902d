import { expect, test } from "vitest";
import { stringify } from "yaml";

import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";
import { findStubs } from "../../../src/init/read/stubs.ts";

const read = (name: string, value?: string) => ({
  name,
  path: "app/settings.py",
  isNeeded: false,
  type: undefined,
  value,
  isField: true,
});
const stubsOf = (...variables: ReturnType<typeof read>[]) => {
  const [found] = findStubs(variables);
  return new Map(Object.entries(Object(found?.value)));
};

test.for<readonly [name: string, value: string | undefined, expected: readonly string[] | undefined]>([
  ["RATES_API_URL", "https://api.rates.example/v1/", ["rates", "{url}/v1", "/v1/*"]],
  ["RATES_BASE_URL", "http://rates.example.com", ["rates", "{url}", "/*"]],
  ["MAIL_SERVICE_URL", "https://mail.example.com", ["mail", "{url}", "/*"]],
  ["OPENAI_API_BASE", "https://api.openai.com/v1", ["openai", "{url}/v1", "/v1/*"]],
  ["HOOK_ENDPOINT", "https://hooks.example.com/in", ["hook", "{url}/in", "/in/*"]],
  ["GEO_URL", "https://api.geo.example", ["geo", "{url}", "/*"]],
  ["GEO_URL", "https://geo.example/api/lookup", ["geo", "{url}/api/lookup", "/api/lookup/*"]],
  ["API_URL", "https://api.geo.example", ["api", "{url}", "/*"]],
  ["GEO_URL", "https://geo.example/map.html", undefined],
  ["GEO_API_URL", undefined, undefined],
  ["GEO_API_URL", "", undefined],
  ["GEO_API_URL", "http://localhost:8080", undefined],
  ["GEO_API_URL", "http://127.0.0.1:8080", undefined],
  ["GEO_API_URL", "http://geo:8080", undefined],
  ["GEO_API_URL", "http://host.docker.internal:80", undefined],
  ["GEO_API_URL", "https://[::1]/", undefined],
  ["GEO_API_URL", "https://geo.example/a%0Ab", undefined],
  ["GEO_API_URL", "https://", undefined],
  ["GEO_API_URL", "redis://geo.example", undefined],
  ["FRONTEND_API_URL", "https://www.example.com", undefined],
  ["APP_BASE_URL", "https://www.example.com", undefined],
  ["OAUTH_REDIRECT_API_URL", "https://www.example.com", undefined],
  ["GEO_API_KEY", "https://geo.example", undefined],
])("%s=%s", ([name, value, expected]) => {
  const stubs = stubsOf(read(name, value));
  if (expected === undefined) expect(stubs.size).toBe(0);
  else {
    const [called, address, path] = expected;
    const routes = [{ path, delay: "50ms", body: {} }];
    expect([...stubs]).toEqual([[called, { "app-env": { [name]: address }, routes }]]);
  }
});

test("what is found is read as it stands, and the reason names file and hosts", () => {
  const variables = [
    read("PAY_API_URL", "https://pay.example/v2"),
    read("PAY_BASE_URL", "https://pay.example/v2"),
    read("GEO_API_URL", "https://geo.example"),
  ];
  const [found] = findStubs(variables);
  expect(found?.reason).toBe(
    "app/settings.py calls other systems (pay.example, geo.example), which a load test must not load. These stubs answer instead: set the real responses and delays (docs/services.md).",
  );
  const file = parseConfigurationFile("l.yml", "/repo", `app: a:b\n${stringify({ stubs: found?.value })}`);
  expect(file.services?.map(({ name, appVariables }) => [name, appVariables])).toEqual([
    ["pay", { PAY_API_URL: "{url}/v2", PAY_BASE_URL: "{url}/v2" }],
    ["geo", { GEO_API_URL: "{url}" }],
  ]);
});
