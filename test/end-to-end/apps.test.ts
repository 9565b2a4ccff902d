import { spawn } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { root } from "./act.ts";

const services = ["billing", "catalog"] as const;
/** Each says what the others do not need to know. */
const files = {
  billing: "app: billing:app\nseed: seed.sql\nendpoints: [/invoices/1]\nthresholds: [rate<0.01]\n",
  catalog: "name: catalog\napp: catalog.app:app\ndatabase: none\nendpoints: [/products]\n",
};

test("a monorepo's apps are measured in one run, which gives one report with a section for each", async () => {
  const folder = await mkdtemp(join(tmpdir(), "apps-test-"));
  try {
    await chmod(folder, 0o711); // as the system's own: Postgres may run as another user
    const repository = join(folder, "repository");
    await cp(join(root, "test/samples/monorepo"), repository, { recursive: true });
    for (const each of services)
      await writeFile(join(repository, "services", each, "loadtest.yml"), files[each]);
    const config = services.map((each) => `services/${each}/loadtest.yml`).join("\n");
    const short = ["--workers", "1", "--duration", "1s", "--warmup", "200ms", "--diagnose", "never"];
    const install = join(root, ".tools", "target-app");
    const { status, output } = await run(repository, folder, [
      "--config",
      config,
      "--install",
      install,
      ...short,
    ]);
    expect(status, output).toBe(0);
    const results = join(repository, "loadtest-results");
    const report = await readFile(join(results, "report.md"), "utf8");
    expect(report.match(/^##.*$/gm)).toEqual([
      "## Load test – 2 cells measured",
      "### `services/billing` – 1 cell measured",
      "### `catalog` – 1 cell measured",
    ]);
    const [, billing = "", catalog = ""] = report.split("### ");
    expect(billing).toMatch(/^\| `\/invoices\/1` \| 1 \| [\d,.]+/m);
    expect(billing).toContain("**Thresholds:** 1 met.");
    expect(catalog).toMatch(/^\| `\/products` \| 1 \| [\d,.]+/m);
    expect(catalog).not.toContain("**Thresholds:**");
    expect(await readdir(join(results, "cells"))).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function run(cwd: string, temporary: string, args: readonly string[]) {
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: temporary,
    LOADTEST_K6: process.env["LOADTEST_K6"],
  };
  const child = spawn("node", [join(root, "dist", "cli.js"), "run", ...args], { env, cwd });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, output };
}
