import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { hasProgram } from "../../src/adapters/services/index.ts";
import { servicePresets } from "../../src/model/workload/service-presets.ts";
import { root } from "./act.ts";
import { runProgram } from "./program.ts";
import { pullRequest, startTeam } from "./team.ts";
import { comparingWorkflow } from "./workflows.ts";

const shop = join(root, "test", "end-to-end", "shop");
const textOf = (name: string) => readFile(join(shop, name), "utf8");

/** Each takes a minute or two: `npm run test:weekly`. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

test.runIf(isLong)(
  "budgets of a pull request are kept and broken, and the check fails for the broken ones",
  { timeout: 600_000 },
  async () => {
    const budgets = [
      "sql_per_request: no more than base",
      "sql_per_request <= 20",
      "outside_calls == 0",
      "ready_memory_mb <= 1000",
    ];
    const lines = budgets.map((each) => `            ${each}\n`).join("");
    const workflow = comparingWorkflow(join(root, ".tools", "target-app"), ["/orders"])
      .replace("soak: 0s\n", (line) => `${line}            max-slowdown: 99%\n`) // nothing but a budget fails the check
      .replace('          workers: "1"\n', (line) => `${line}          thresholds: |\n${lines}`);
    const files = {
      "main.py": await textOf("main.py"),
      "orders.py": await textOf("orders.py"),
      "prices.py": await textOf("prices.py"),
      "schema.sql": await textOf("schema.sql"),
    };
    await using team = await startTeam(workflow, files, { "orders.py": await textOf("orders.head.py") });
    const { succeeded, output } = await team.run("pull_request", pullRequest(team));
    expect(succeeded, output).toBe(false);
    const said = team.comment().replaceAll(/[\u00a0`\\]|&nbsp;/g, " ");
    expect(said, output).toMatch(/^## 1 endpoint got slower.*; 1 threshold not met/m);
    expect(output).toMatch(
      /Threshold not met: \/orders, 1 worker: sql_per_request<=base \(13, most often .* at orders\.py:10 \(10 times\)\)/,
    );
    for (const kept of ["sql_per_request<=20 (13)", "outside_calls==0 (0)", "ready_memory_mb<=1000 ("])
      expect(output).toContain(`Threshold met: /orders, 1 worker: ${kept}`);
  },
);

test.runIf(isLong).for([
  [
    "recipes-sqlite",
    "always",
    "/recipes",
    undefined,
    /Threshold not met: .*sql_per_request<=0.5 \((?:1|2|3),/,
  ],
  [
    "recipes-sqlite",
    "never",
    "/recipes",
    undefined,
    /Threshold not judged: .*sql_per_request<=0.5 \(not counted\)/,
  ],
  ["guests-mysql", "always", "/guests", "mysql", /Threshold not met: .*sql_per_request<=0.5 \(\d+,/],
] as const)("statements of %s with `diagnose: %s`", { timeout: 600_000 }, async (each, { skip }) => {
  const [name, diagnose, endpoint, service, line] = each;
  const isThere =
    service === undefined || (await hasProgram({ programs: servicePresets[service]?.programs ?? [] }));
  skip(!isThere, `${service} is not on this machine`);
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    await cp(join(root, "test/samples", name), folder, { recursive: true });
    const made = await runProgram(folder, ["init", "--tests", "off"]);
    expect(made.status, made.output).toBe(0);
    const options = ["--base-ref", "none", "--workers", "1", "--duration", "2s", "--diagnose", diagnose];
    const budget = ["--endpoints", endpoint, "--thresholds", "sql_per_request <= 0.5"];
    const { status, output } = await runProgram(folder, ["run", ...options, ...budget]);
    expect(output).toMatch(line);
    expect(status).toBe(diagnose === "always" ? 1 : 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
