import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { makeCell } from "../../src/model/plan/cell.ts";
import { type Results, recording } from "../recordings/recording.ts";
import { troubled } from "./recorded.ts";

/** Every possible state of a comment, from recordings of real runs. */
export const states: readonly (readonly [name: string, results: () => Results])[] = [
  ["first run, without a base", () => recording("heads")],
  ["unchanged", () => recording("same")],
  ["slower", () => recording("change")],
  ["faster", () => exchanged(recording("change"))],
  ["inconclusive", doubtful],
  ["some cells invalid, failed or missing", troubled],
  ["the head does not start", dead],
  ["256 cells", () => many(256)],
  ["several apps", twoApps],
];

/** The cells of the shop that were left without an answer. */
function doubtful(): Results {
  const { plan, measurements } = recording("shop");
  return { plan: { ...plan, cells: plan.cells.slice(1) }, measurements: measurements.slice(1) };
}

/** Base and head the other way round: slower becomes faster. */
function exchanged({ plan, measurements }: Results): Results {
  const other = measurements.map((measurement): Measurement => {
    const { base, head } = measurement.commits;
    const { diagnosis } = measurement;
    return {
      ...measurement,
      ...(diagnosis && {
        diagnosis: {
          ...(diagnosis.head && { base: diagnosis.head }),
          ...(diagnosis.base && { head: diagnosis.base }),
        },
      }),
      commits: { ...(head && { base: head }), ...(base && { head: base }) },
      replicates: measurement.replicates.map(({ arms, pairs, open, ...replicate }) => ({
        ...replicate,
        arms: { ...(arms.head && { base: arms.head }), ...(arms.base && { head: arms.base }) },
        ...(pairs && { pairs: { ...pairs, arms: { base: pairs.arms.head, head: pairs.arms.base } } }),
        ...(open && { open: { ...open, arms: { base: open.arms.head, head: open.arms.base } } }),
      })),
    };
  });
  return { plan, measurements: other };
}

function dead(): Results {
  const { plan, measurements } = recording("shop");
  const failure = troubled().measurements.find((each) => each.failure)?.failure;
  return {
    plan,
    measurements: measurements.map((each) => ({
      ...each,
      status: "failed",
      replicates: [],
      ...(failure && { failure }),
    })),
  };
}

/** The shop, and another app of the same repository whose code is unchanged. */
function twoApps(): Results {
  const parts = [named(recording("shop"), "shop"), named(recording("same"), "prices")];
  const cells = parts.flatMap(({ plan }) => plan.cells);
  const design = parts[0]?.plan.design;
  return {
    plan: { schemaVersion: 1, cells, ...(design && { design: { ...design, cells: cells.length } }) },
    measurements: parts.flatMap(({ measurements }) => measurements),
  };
}

function named({ plan, measurements }: Results, app: string): Results {
  const of = ({ id: _id, ...cell }: Measurement["cell"]) => makeCell({ ...cell, app });
  return {
    plan: { ...plan, cells: plan.cells.map(of) },
    measurements: measurements.map((each) => ({ ...each, cell: of(each.cell) })),
  };
}

/** Most cells unchanged, a few slower or without an answer. */
function many(count: number): Results {
  const { plan, measurements } = recording("shop");
  const [quiet] = recording("same").measurements;
  const [loud, doubtful] = measurements;
  if (quiet === undefined || loud === undefined || doubtful === undefined)
    throw new Error("cells were recorded");
  const made = Array.from({ length: count }, (_, index): Measurement => {
    const source = index % 67 === 3 ? loud : index % 97 === 5 ? doubtful : quiet;
    const { id: _id, ...cell } = source.cell;
    const path = `/api/v1/${["users", "orders", "items", "search", "carts"][Math.floor(index / 4) % 5]}/${Math.floor(index / 4)}`;
    return {
      ...source,
      cell: makeCell({ ...cell, endpoint: { method: "GET", path }, workers: [1, 2, 4, 8][index % 4] ?? 1 }),
    };
  });
  const { design } = plan;
  return {
    plan: {
      schemaVersion: 1,
      cells: made.map(({ cell }) => cell),
      ...(design && { design: { ...design, cells: count } }),
    },
    measurements: made,
  };
}
