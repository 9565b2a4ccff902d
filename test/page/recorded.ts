import { createHash } from "node:crypto";

import { compare } from "../../src/compare/compare.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { makeCell } from "../../src/model/plan/cell.ts";
import { pageDataOf } from "../../src/report/page/page-data.ts";
import { root } from "../contract/files.ts";
import { type Results, recording } from "../recordings/recording.ts";
import { renderHtml } from "../report/forms.ts";

/** The comparison and all other inputs of a page or a comment. */
export function comparisonOf({ plan, measurements }: Results) {
  return compare(plan, measurements);
}

const { bundlePageScript } = await import(`${root}/scripts/lib/page-script.mjs`);
const { outputFiles } = await bundlePageScript();
const script: string = outputFiles.find(({ path }: { path: string }) => path.endsWith(".js")).text;
const scriptHash = createHash("sha256").update(script).digest("base64");

/** The script as it is in the source now. */
export const pageScript = { script, scriptHash };

/** The page as the action writes it. */
export function pageOf(results: Results): string {
  const comparison = comparisonOf(results);
  const data = pageDataOf(comparison, results.measurements);
  const links = { runUrl: "https://github.com/octo/app/actions/runs/7", runLabel: "run 12" };
  return renderHtml(comparison, links, { ...pageScript, data });
}

/** The slow cell of the shop alone. */
export function oneCell(): Results {
  const { plan, measurements } = recording("shop");
  const first = measurements.slice(0, 1);
  return { plan: { ...plan, cells: plan.cells.slice(0, 1) }, measurements: first };
}

/** This number of cells, in four worker counts: the measured ones again and again, under other names. */
export function manyCells(count: number): Results {
  const shop = recording("shop");
  const measured = [...shop.measurements, ...recording("workers").measurements.slice(0, 2)];
  const made = Array.from({ length: count }, (_, index): Measurement => {
    const source = measured[index % measured.length];
    if (source === undefined) throw new Error("a recording holds measurements");
    const { id: _id, ...cell } = source.cell;
    const path = `/api/v1/${["users", "orders", "items", "search", "carts"][Math.floor(index / 4) % 5]}/${Math.floor(index / 4)}`;
    const { environment } = source;
    return {
      ...source,
      ...(environment && { environment }),
      cell: makeCell({ ...cell, endpoint: { method: "GET", path }, workers: [1, 2, 4, 8][index % 4] ?? 1 }),
    };
  });
  const { design } = shop.plan;
  return {
    plan: {
      schemaVersion: 1,
      cells: made.map(({ cell }) => cell),
      ...(design && { design: { ...design, cells: count } }),
    },
    measurements: made,
  };
}

/** The shop with a cell that is missing, one whose replies differ, and one that did not start. */
export function troubled(): Results {
  const { plan, measurements } = recording("shop");
  const [orders, price, tax] = measurements;
  if (orders === undefined || price === undefined || tax === undefined)
    throw new Error("the shop has three cells");
  const failing = {
    ...price,
    replicates: price.replicates.map((replicate) => {
      const { head, base } = replicate.arms;
      if (head === undefined || base === undefined) return replicate;
      const requests = Object.values(head.statuses).reduce((all, each) => all + each, 0);
      const failed = Math.round(requests / 10);
      const blocks = head.blocks.map((block) => ({ ...block, failures: Math.round(block.requests / 10) }));
      const statuses = { "200": requests - failed, "500": failed };
      return { ...replicate, arms: { base, head: { ...head, blocks, statuses } } };
    }),
  };
  const dead: Measurement = {
    ...tax,
    status: "failed",
    replicates: [],
    failure: {
      phase: "start app",
      reason: "the server exited with code 3 before it was ready",
      logTail:
        "INFO: Started\nTraceback (most recent call last):\nModuleNotFoundError: No module named 'shop.tax'\n",
    },
  };
  const missing = makeCell({ ...withoutId(orders.cell), workers: 2 });
  return { plan: { ...plan, cells: [...plan.cells, missing] }, measurements: [orders, failing, dead] };
}

function withoutId({ id: _id, ...cell }: Measurement["cell"]) {
  return cell;
}
