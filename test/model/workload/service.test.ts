import { describe, expect, test } from "vitest";
import {
  addressPlaceholders,
  appVariablesOf,
  commandPlaceholders,
  filled,
  placeholderProblem,
  placeholderVariables,
} from "../../../src/model/workload/service.ts";
import { presetNames, servicePresets } from "../../../src/model/workload/service-presets.ts";

describe("placeholders", () => {
  test("known ones are filled, other braces stay", () => {
    expect(filled("{a}-{b}-{c}-{}-{toString}", { a: 1, b: "{a}" })).toBe("1-{a}-{c}-{}-{toString}");
  });

  test("an unknown one is named", () => {
    expect(placeholderProblem("{host}:{port}", ["host", "port"])).toBeUndefined();
    expect(placeholderProblem("{host}{user}", ["host", "port"])).toBe(
      "has an unknown placeholder {user}; choose from {host}, {port}",
    );
  });
});

describe("variables of an app", () => {
  const redis = { name: "redis", programs: [], ...servicePresets["redis"] };
  const service = {
    ...redis,
    address: { url: "x://{user}@{host}:{port}/{database}", user: "u", database: "d" },
  };

  test("hold the address of the instance", () => {
    const appVariables = { A: "{url}", B: "{host} {port} {port2}", C: "{user}{password}{database}" };
    expect(appVariablesOf({ ...service, appVariables }, { port: 7, port2: 8, port3: 9 })).toEqual({
      A: "x://u@127.0.0.1:7/d",
      B: "127.0.0.1 7 8",
      C: "ud",
    });
  });

  test("of services that are not started lead nowhere", () => {
    const both = ["redis", "memcached"].flatMap((name) => {
      const preset = servicePresets[name];
      return preset === undefined ? [] : [{ name, ...preset }];
    });
    expect(placeholderVariables(both)).toEqual({
      REDIS_URL: "redis://127.0.0.1:1/0",
      MEMCACHED_HOST: "127.0.0.1",
      MEMCACHED_PORT: "1",
    });
    expect(placeholderVariables([])).toEqual({});
  });
});

test.for(presetNames)(
  "the preset %s has only placeholders that are filled, and listens on its port",
  (name) => {
    const preset = servicePresets[name];
    expect(preset?.programs.length).toBeGreaterThan(0);
    for (const { args, setup = [], variables = {} } of preset?.programs ?? []) {
      const templates = [...args, ...setup, ...Object.values(variables)];
      expect(templates.flatMap((each) => placeholderProblem(each, commandPlaceholders) ?? [])).toEqual([]);
      expect(templates.join(" ")).toContain("{port}");
    }
    const forApp = [preset?.address.url ?? "", ...Object.values(preset?.appVariables ?? {})];
    expect(forApp.flatMap((each) => placeholderProblem(each, addressPlaceholders) ?? [])).toEqual([]);
    expect(preset?.image?.port).toBeGreaterThan(0);
  },
);
