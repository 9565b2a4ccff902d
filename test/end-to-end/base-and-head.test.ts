import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { startGitHub } from "../stand-in/github.ts";
import { makeRepository, root, token } from "./act.ts";
import { comparingWorkflow } from "./workflows.ts";

const shop = join(root, "test", "end-to-end", "shop");

async function copyShop(folder: string): Promise<void> {
  for (const name of ["main.py", "orders.py", "prices.py", "schema.sql"])
    await cp(join(shop, name), join(folder, name));
}

/** The row of an endpoint in the comment's first table. */
function rowOf(body: string, endpoint: string): string[] {
  const line = body.split("\n").find((each) => each.startsWith(`| \`${endpoint}\` `)) ?? "";
  return line.split("|").map((cell) => cell.trim());
}

test("a pull request with an N+1 query and 10 % more CPU gets both right", { timeout: 900_000 }, async () => {
  await using repository = await makeRepository(
    comparingWorkflow(join(root, ".tools", "target-app")),
    copyShop,
  );
  const { folder, git } = repository;
  const baseSha = await git("rev-parse", "HEAD");
  await git("checkout", "--quiet", "-b", "feature");
  await cp(join(shop, "orders.head.py"), join(folder, "orders.py"));
  await cp(join(shop, "prices.head.py"), join(folder, "prices.py"));
  await git("commit", "--quiet", "--all", "--message=Change orders and prices");
  const headSha = await git("rev-parse", "HEAD");
  // What GitHub checks out for a pull request: a merge of its head into its base.
  await git("checkout", "--quiet", "--detach", baseSha);
  await git("merge", "--quiet", "--no-ff", "--message=Merge", headSha);
  const mergeSha = await git("rev-parse", "HEAD");

  await using github = await startGitHub({
    owner: "octo",
    name: "app",
    accounts: { [token]: { login: "github-actions[bot]", kind: "workflow", canWrite: true } },
    pulls: [{ number: 7, state: "open", headSha, baseSha }],
  });
  const repo = { full_name: "octo/app" };
  const { output } = await repository.runWorkflow({
    event: "pull_request",
    payload: {
      action: "synchronize",
      number: 7,
      pull_request: {
        number: 7,
        state: "open",
        head: { sha: headSha, ref: "feature", repo },
        base: { sha: baseSha, ref: "main", repo },
      },
    },
    apiUrl: github.apiUrl,
    runNumber: 1,
  });
  expect(github.violations, output).toEqual([]);
  const [comment] = [...github.state.comments.values()];
  const body = comment?.body ?? output;
  expect(body).toContain("Load test – 2 slower, 0 faster, 1 unchanged, 0 inconclusive");
  expect(body).toContain(baseSha.slice(0, 10));
  expect(body).toContain(mergeSha.slice(0, 10));
  const orders = rowOf(body, "/orders");
  expect(orders).toContain("**slower**");
  expect(orders).toContain("3 → 13"); // BEGIN, the query, COMMIT; then ten more
  expect(rowOf(body, "/price")).toContain("**slower**");
  expect(rowOf(body, "/tax")).toContain("**unchanged**");
  expect(output).toContain("exit status 1"); // the check fails: slower by more than 5 %
});
