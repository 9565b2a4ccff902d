import { expect, test } from "vitest";
import { parse } from "yaml";
import { packagesOf, renderWorkflow } from "../../../src/init/write/workflow.ts";
import { servicePresets } from "../../../src/model/workload/service-presets.ts";

test.for<readonly [paths: string[], config: string | undefined, minutes: number]>([
  [[".github/loadtest.yml"], undefined, 30],
  [["a/loadtest.yml", "b c/loadtest.yml"], "a/loadtest.yml\nb c/loadtest.yml\n", 45],
])("measures what %j say", ([paths, config, minutes]) => {
  const text = renderWorkflow(paths, config === undefined ? [] : ["redis-server", "memcached"]);
  const { jobs } = parse(text);
  expect(jobs.loadtest["timeout-minutes"]).toBe(minutes);
  expect(jobs.loadtest.steps).toEqual([
    expect.objectContaining({ with: { "fetch-depth": 2, "persist-credentials": false } }),
    ...(config === undefined
      ? []
      : [{ run: expect.stringContaining("install --yes redis-server memcached") }]),
    { uses: "org/fastapi-loadtest-action@v1", ...(config !== undefined && { with: { config } }) },
  ]);
  expect(text).toContain(
    config === undefined ? "are in .github/loadtest.yml." : "are in the files in `config`.",
  );
});

test("packages of services are named once, and those of images not at all", () => {
  const services = ["redis", "valkey", "minio", "memcached"].flatMap((name) => {
    const preset = servicePresets[name];
    return preset === undefined ? [] : [{ name, ...preset }];
  });
  expect(packagesOf(services)).toEqual(["redis-server", "memcached"]);
});
