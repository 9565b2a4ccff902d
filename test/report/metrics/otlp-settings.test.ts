import { expect, test } from "vitest";

import { otlpSettings } from "../../../src/report/metrics/otlp-settings.ts";

const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
const ofMetrics = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
const settingsOf = (variables: Readonly<Record<string, string>>) => {
  const choice = otlpSettings(variables);
  return choice.kind === "on" ? choice.settings : choice;
};

test.for<Readonly<Record<string, string>>>([
  {},
  { [endpoint]: " ", [ofMetrics]: "" },
  { OTEL_EXPORTER_OTLP_HEADERS: "a=b", OTEL_SERVICE_NAME: "shop" },
  { [endpoint]: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "True" },
  { [endpoint]: "http://127.0.0.1:4318", OTEL_METRICS_EXPORTER: "none" },
])("nothing is sent with %j", (variables) => {
  expect(otlpSettings(variables)).toEqual({ kind: "off" });
});

test.for<readonly [Readonly<Record<string, string>>, string]>([
  [{ [endpoint]: "http://127.0.0.1:4318" }, "http://127.0.0.1:4318/v1/metrics"],
  [{ [endpoint]: "https://otlp.example.com/otlp/" }, "https://otlp.example.com/otlp/v1/metrics"],
  [{ [ofMetrics]: "https://example.com/in?x=1", [endpoint]: "http://other" }, "https://example.com/in?x=1"],
])("the address of %j is %s", ([variables, expected]) => {
  expect(settingsOf(variables)).toMatchObject({ endpoint: expected });
});

test("headers, resource and time are the standard's", () => {
  expect(settingsOf({ [endpoint]: "http://a" })).toEqual({
    endpoint: "http://a/v1/metrics",
    headers: {},
    resource: { "service.name": "fastapi-loadtest" },
    timeoutMs: 10_000,
  });
  expect(
    settingsOf({
      [endpoint]: "http://a",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20eDp5, x-scope=1",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-scope=2,",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=ignored,deployment.environment.name=staging%2C eu",
      OTEL_SERVICE_NAME: "shop",
      OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
    }),
  ).toEqual({
    endpoint: "http://a/v1/metrics",
    headers: { Authorization: "Basic eDp5", "x-scope": "2" },
    resource: { "service.name": "shop", "deployment.environment.name": "staging, eu" },
    timeoutMs: 2_500,
  });
  const slow = { [endpoint]: "http://a", OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "900000" };
  expect(settingsOf(slow)).toMatchObject({ timeoutMs: 30_000 });
  expect(settingsOf({ ...slow, OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "-1" })).toMatchObject({
    timeoutMs: 10_000,
  });
});

test.for<readonly [Readonly<Record<string, string>>, string]>([
  [{ [endpoint]: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT is no http or https address"],
  [{ [ofMetrics]: "not an address" }, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is no http or https address"],
  [
    { [endpoint]: "http://a", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    "OTEL_EXPORTER_OTLP_PROTOCOL is grpc; give the address of a receiver of OTLP/HTTP and http/json",
  ],
  [
    { [endpoint]: "http://a", OTEL_EXPORTER_OTLP_HEADERS: "s3cret" },
    "OTEL_EXPORTER_OTLP_HEADERS must be pairs like name=value with commas between them",
  ],
  [
    { [endpoint]: "http://a", OTEL_RESOURCE_ATTRIBUTES: "a=%E0%A4%A" },
    "OTEL_RESOURCE_ATTRIBUTES must be pairs like name=value with commas between them",
  ],
])("%j is told without a value", ([variables, reason]) => {
  expect(otlpSettings(variables)).toEqual({ kind: "problem", reason });
});
