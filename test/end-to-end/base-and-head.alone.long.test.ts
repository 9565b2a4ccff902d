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
  // Figures are kept whole by spaces that do not break.
  return line.split("|").map((cell) => cell.replaceAll(/&nbsp;|\u00a0/g, " ").trim());
}

/** What the head does to an endpoint, and between what its share of the base's throughput must lie. */
interface Change {
  readonly endpoint: string;
  readonly verdict: "slower" | "unchanged";
  readonly ratio: { readonly low: number; readonly high: number };
}
const orders: Change = { endpoint: "/orders", verdict: "slower", ratio: { low: 0.2, high: 0.6 } };
const price: Change = { endpoint: "/price", verdict: "slower", ratio: { low: 0.8, high: 0.96 } };
const tax: Change = { endpoint: "/tax", verdict: "unchanged", ratio: { low: 0.95, high: 1.05 } };

/** What stands in the table's column of changes. */
const changed = { slower: /^\*\*−/, unchanged: /^none \(/ } as const;

/** To be sure of 10% and of no change takes five minutes: `npm run test:weekly`, each week and before a release. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

/**
 * On a machine whose hypervisor gives much of the CPU time to others no cell may be judged, and the gate must say so.
 * What was measured must be right there, too.
 */
function isStolen(body: string, endpoint: string): boolean {
  return body
    .split("\n")
    .some((line) => line.startsWith(`- **invalid** \`${endpoint}\``) && line.includes(": steal: "));
}

/** Throughput of head over that of base, from a table's cell: `1,145 → 380`. */
function ratioOf(cell = ""): number {
  const [base = Number.NaN, head = Number.NaN] = cell.replaceAll(",", "").split(" → ").map(Number);
  return head / base;
}

test.skipIf(isLong)(
  "a pull request with an N+1 query gets it right, and its line",
  { timeout: 300_000 },
  () => comparePullRequest([orders], "1 endpoint got slower"),
);

test.runIf(isLong)("one with 10% more CPU, too, gets all right", { timeout: 900_000 }, () =>
  comparePullRequest([orders, price, tax], "2 of 3 endpoints got slower"),
);

async function comparePullRequest(changes: readonly Change[], headline: string): Promise<void> {
  const endpoints = changes.map(({ endpoint }) => endpoint);
  await using repository = await makeRepository(
    comparingWorkflow(join(root, ".tools", "target-app"), endpoints),
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
  expect(body).toContain(baseSha.slice(0, 10));
  expect(body).toContain(mergeSha.slice(0, 10));
  expect(body).not.toContain("got faster");
  const judged = changes.filter(({ endpoint }) => !isStolen(body, endpoint));
  if (judged.length === changes.length) expect(body).toContain(`## ${headline}`);
  for (const { endpoint, verdict, ratio } of changes) {
    const row = rowOf(body, endpoint);
    expect(row[3], body).toMatch(isStolen(body, endpoint) ? /^\*\*invalid/ : changed[verdict]);
    const rates = row.find((cell) => cell.includes(" → "));
    expect(ratioOf(rates)).toBeGreaterThan(ratio.low);
    expect(ratioOf(rates)).toBeLessThan(ratio.high);
  }
  expect(body).toContain("Each request runs 13 SQL statements instead of 3."); // BEGIN, the query, COMMIT; then ten more
  expect(body).toMatch(
    new RegExp(
      `\`/orders\` .* at \\[\`orders\\.py:10\`\\]\\(https?://[^)]*/blob/${mergeSha}/orders\\.py#L10\\) \\(\`items = await connection\\.execute\\(.*new in this pull request`,
    ),
  );
  expect(output).toMatch(/::warning title=[^:]*,file=orders\.py,line=10::/);
  // The check fails when one was found slower by more than 5%; an invalid cell is neither red nor green.
  if (judged.some(({ verdict }) => verdict === "slower")) expect(output).toContain("exit status 1");
}
