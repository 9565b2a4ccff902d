import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import { explainSchema } from "../../src/report/explain/explain-schema.ts";
import { root } from "./act.ts";
import { runProgram } from "./program.ts";

const shop = join(root, "test", "end-to-end", "shop");
const config = `app: main:app
install: ${join(root, ".tools", "target-app")}
ready-path: /health
seed: schema.sql
workers: [1]
endpoints: [/orders]
max-minutes: 2
soak: 0s
`;

/** Four minutes: `npm run test:weekly`. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

test.runIf(isLong)(
  "the command of a report says that a slowdown is still there, and once it is fixed that it is gone",
  { timeout: 900_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "again-"));
    const git = (...args: string[]) =>
      promisify(execFile)("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
        cwd: folder,
      });
    try {
      for (const name of ["main.py", "orders.py", "prices.py", "schema.sql"])
        await cp(join(shop, name), join(folder, name));
      await writeFile(join(folder, "loadtest.yml"), config);
      await git("init", "--quiet", "--initial-branch=main");
      await git("add", "--all");
      await git("commit", "--quiet", "--message=Start");
      await git("checkout", "--quiet", "-b", "feature");
      await cp(join(shop, "orders.head.py"), join(folder, "orders.py"));
      await git("commit", "--quiet", "--all", "--message=Change orders");

      const first = await runProgram(folder, ["run", "--config", "loadtest.yml", "--base-ref", "main"]);
      expect(first.status, first.output).toBe(1);
      const { output } = await runProgram(folder, ["explain"]);
      const [cell] = explainSchema.parse(JSON.parse(output)).cells;
      const [, command = ""] = /(?:^| )(again .*)$/.exec(cell?.again ?? "") ?? [];
      const again = () => runProgram(folder, command.split(" "));

      const unfixed = await again();
      expect(unfixed.output).toMatch(
        /\nThe slowdown is still there: \/orders is \d+% slower \(.*\); the report was certain of .*%\.\n$/,
      );
      expect(unfixed.status).toBe(1);

      await cp(join(shop, "orders.py"), join(folder, "orders.py"));
      const fixed = await again();
      expect(fixed.output).toMatch(/\nThe slowdown is gone: \/orders .*\.\n$/);
      expect(fixed.status).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
