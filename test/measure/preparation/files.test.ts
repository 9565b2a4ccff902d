import { expect, test } from "vitest";

import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";
import { readFiles } from "../../../src/measure/preparation/files.ts";
import { workloadOf } from "../run-measure.ts";

const compose = `services:
  search: { image: "meili:1", command: "serve", ports: ["7700"], environment: { A: b } }
  cache: { image: "valkey:9" }
  bare: { image: "bare:1" }
`;
const read = (yaml: string, text: string | undefined = compose) => {
  const { services } = parseConfigurationFile("l.yml", "/repo", yaml);
  const workload = { ...workloadOf({}), ...(services && { services }) };
  return readFiles(workload, {
    readTable: async () => (text === undefined ? { problem: "cannot be read: ENOENT" } : { text }),
  });
};

test("a service takes image, words, variables and port from a compose file, and its own from the configuration", async () => {
  const { services = [] } = await read(
    "services:\n  search: { compose: c.yml, args: [now], env: { C: d }, ready: /health }\n  redis:\n",
  );
  expect(services.map(({ name, image, composed }) => [name, image?.image, composed])).toEqual([
    ["search", "meili:1", undefined],
    ["redis", "redis:7", undefined],
  ]);
  expect(services[0]).toMatchObject({
    image: { port: 7_700, args: ["now"], variables: { A: "b", C: "d" } },
    programs: [],
    ready: { kind: "http", path: "/health" },
  });
});

test("a preset knows the port and the readiness of its container", async () => {
  const { services = [] } = await read("services: { cache: { preset: valkey, compose: c.yml } }\n");
  expect(services[0]).toMatchObject({
    image: { image: "valkey:9", port: 6_379, args: [] },
    ready: { kind: "reply" },
    appVariables: { REDIS_URL: "{url}" },
  });
});

test("without a compose file nothing is read", async () => {
  const workload = await read("services: redis\n", undefined);
  expect(workload.services?.[0]?.image?.image).toBe("redis:7");
});

test("what a compose file lacks is told for all of them at once", async () => {
  await expect(
    read("services: { bare: { compose: c.yml }, other: { compose: c.yml } }\n"),
  ).rejects.toMatchObject({
    problems: [
      "services.bare: compose: c.yml sets no port for its service bare; set the port inside the container, e.g. port: 8080",
      "services.other: compose: c.yml has no service other, only search, cache, bare",
    ],
  });
  await expect(
    readFiles({ ...(await read("")), services: [] }, { readTable: async () => ({ text: "" }) }),
  ).resolves.toBeDefined();
});
