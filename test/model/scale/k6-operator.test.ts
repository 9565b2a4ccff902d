import { expect, test } from "vitest";

import { operatorManifests, operatorName, operatorReadme } from "../../../src/model/scale/k6-operator.ts";

const files = { "load.ts": "// script", "input.json": "{}" };

test("a TestRun runs the ConfigMap's script in as many pods, each at home on another node where it can", () => {
  const [config, run] = operatorManifests({ name: "loadtest-1", generators: 4, k6Version: "2.2.0", files });
  expect(config).toMatchObject({ kind: "ConfigMap", metadata: { name: "loadtest-1" }, data: files });
  expect(run).toMatchObject({
    apiVersion: "k6.io/v1alpha1",
    kind: "TestRun",
    metadata: { name: "loadtest-1" },
    spec: {
      parallelism: 4,
      script: { configMap: { name: "loadtest-1", file: "load.ts" } },
      arguments: "--log-format=raw --no-usage-report -e LOADTEST=./input.json",
      runner: {
        image: "grafana/k6:2.2.0",
        topologySpreadConstraints: [{ labelSelector: { matchLabels: { k6_cr: "loadtest-1" } } }],
      },
    },
  });
  // It would remove the pods, and with them the logs, which are the result.
  expect(run).not.toHaveProperty("spec.cleanup");
});

test("what no ConfigMap can hold is refused", () => {
  const large = { ...files, "rows.json": "é".repeat(600_000) };
  expect(() =>
    operatorManifests({ name: "loadtest-1", generators: 4, k6Version: "2.2.0", files: large }),
  ).toThrow("endpoints: have 1,200,011 bytes of parameters and script, and a ConfigMap holds 1,000,000");
});

test("the page has two lines for each load, and one for the report", () => {
  const name = operatorName("get-orders-w1-0a1b2c3d", "9f8e7d6c");
  expect(name).toBe("loadtest-0a1b2c3d-9f8e7d6c");
  const page = operatorReadme([name, "loadtest-2"], 4, 90);
  const lines = page.split("\n").filter((line) => line.startsWith("kubectl"));
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain(
    "kubectl apply -f loadtest-0a1b2c3d-9f8e7d6c.yaml && kubectl wait testrun/loadtest-0a1b2c3d-9f8e7d6c",
  );
  expect(lines[0]).toContain("--timeout=7m");
  expect(lines[1]).toContain(
    "-l k6_cr=loadtest-0a1b2c3d-9f8e7d6c,runner=true --prefix --tail=-1 --max-log-requests=4",
  );
  expect(page).toContain(
    "kubectl delete testruns,configmaps -l app.kubernetes.io/managed-by=fastapi-loadtest",
  );
  expect(page).toContain("report --results-directory . --logs k6-operator/logs");
});
