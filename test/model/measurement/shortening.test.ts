import { describe, expect, test } from "vitest";
import { compare } from "../../../src/compare/compare.ts";
import {
  documentDroppingOrder,
  documentText,
  droppedSentence,
  parseMeasurements,
  shortenedDocuments,
} from "../../../src/model/measurement/documents.ts";
import type { Measurement } from "../../../src/model/measurement/measurement.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { byteLength } from "../../../src/text/length.ts";
import { recording } from "../../recordings/recording.ts";

const { plan, measurements: recorded } = recording("change");
/** Without flame graphs, which each test draws itself. */
const measurements: readonly Measurement[] = recorded.map((each): Measurement => {
  const { flame: _, ...head } = each.diagnosis?.head ?? { unseen: [] };
  const { flame: __, ...base } = each.diagnosis?.base ?? { unseen: [] };
  return each.diagnosis === undefined ? each : { ...each, diagnosis: { base, head } };
});
const bytesOf = (all: typeof measurements) =>
  all.reduce((total, each) => total + byteLength(documentText(each)), 0);
const whole = bytesOf(measurements);
const [, second] = measurements.map(({ cell }) => cell.id);
const flame = { names: ["request"], nodes: [[0, 0, 1, null]] satisfies [[number, number, number, null]] };
const drawn = measurements.map((each) => ({
  ...each,
  diagnosis: { base: { unseen: [], flame }, head: { unseen: [], findings: [], flame } },
}));
/** The second cell is the one that everybody should see. */
const isNotable = ({ cell }: { readonly cell: { readonly id: string } }) => cell.id === second;
/** All documents as they are to be written, with at most so many bytes. */
function within(
  limit: number | undefined,
  all = measurements,
  notable: (each: Measurement) => boolean = isNotable,
) {
  const cells = all.map((measurement) => ({ measurement, bytes: byteLength(documentText(measurement)) }));
  const { changed, dropped } = shortenedDocuments(cells, notable, limit);
  const kept = all.map((each) => changed.find(({ cell }) => cell.id === each.cell.id) ?? each);
  return { kept, dropped };
}
const shortened = (all: typeof measurements, lessBytes: number) => within(bytesOf(all) - lessBytes, all);

describe("documents that are too long together", () => {
  test("are left as they are while they fit", () => {
    expect(within(whole)).toEqual({ kept: measurements, dropped: [0, 0, 0] });
    expect(within(undefined).kept).toEqual(measurements);
    expect(droppedSentence([0, 0, 0])).toBe("");
  });

  test("lose flame graphs first, from the last of those that say little", () => {
    const { kept, dropped } = shortened(drawn, 1);
    expect(dropped).toEqual([1, 0, 0]);
    expect(kept.map(({ diagnosis }) => diagnosis?.head?.flame !== undefined)).toEqual([true, true, false]);
    expect(kept[2]).toEqual({
      ...drawn[2],
      diagnosis: { base: { unseen: [] }, head: { unseen: [], findings: [] } },
    });
    expect(shortened(drawn, 160).kept.map(({ diagnosis }) => diagnosis?.base?.flame !== undefined)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("then the course over time, with the same sums", () => {
    const { kept, dropped } = shortened(measurements, 1);
    expect(dropped).toEqual([0, 1, 0]);
    const blocks = kept[2]?.replicates[0]?.arms.head?.blocks ?? [];
    const before = measurements[2]?.replicates[0]?.arms.head?.blocks ?? [];
    const total = (all: typeof before, of: "requests" | "seconds") =>
      all.reduce((sum, block) => sum + block[of], 0);
    expect(blocks).toHaveLength(1);
    expect(before.length).toBeGreaterThan(1);
    expect(total(blocks, "requests")).toBe(total(before, "requests"));
    expect(total(blocks, "seconds")).toBeCloseTo(total(before, "seconds"), 9);
    expect(blocks[0]?.latencyMaxMs).toBe(Math.max(...before.map(({ latencyMaxMs }) => latencyMaxMs)));
    expect(kept.slice(0, 2)).toEqual(measurements.slice(0, 2));
  });

  test("then all figures, and those last that everybody should see", () => {
    const statuses = (limit: number) => within(limit).kept.map(({ status }) => status);
    expect(statuses(Math.round(whole * 0.7))).toEqual(["measured", "measured", "failed"]);
    expect(statuses(Math.round(whole * 0.28))).toEqual(["failed", "measured", "failed"]);
    const { kept, dropped } = within(0);
    expect(dropped).toEqual([0, 3, 3]);
    expect(kept.map(({ replicates }) => replicates)).toEqual([[], [], []]);
    expect(
      parseMeasurements(kept.map((each) => ({ name: `${each.cell.id}.json`, text: documentText(each) }))),
    ).toEqual({
      measurements: kept,
      warnings: [],
    });
    expect(documentDroppingOrder).toHaveLength(dropped.length);
  });

  test("make the same figures without their course", () => {
    const { kept, dropped } = within(Math.round(whole * 0.95), measurements, () => false);
    expect(dropped).toEqual([0, expect.any(Number), 0]);
    expect(dropped[1]).toBeGreaterThan(0);
    const cells = (all: typeof measurements) => figuresOf(compare(plan, all)).cells;
    expect(cells(kept)).toEqual(cells(measurements));
  });

  test("keep all of an arm alone, whose interval comes from its course", () => {
    const { measurements: heads } = recording("heads");
    const { kept, dropped } = within(bytesOf(heads) - 1, heads, () => false);
    expect(dropped).toEqual([0, 0, 1]);
    expect(kept.slice(0, -1)).toEqual(heads.slice(0, -1));
  });

  test("say what they lost", () => {
    expect(droppedSentence([1, 2, 3])).toBe(
      "Too large for this report's artifact, but available in the artifacts of the measuring jobs: flame graphs of 1 cell, the time series of 2 cells, all figures of 3 cells.",
    );
  });

  test("a replicate without stretches of time stays without", () => {
    const [one] = measurements;
    if (one === undefined) throw new Error("a recording holds measurements");
    const replicates = one.replicates.map((each, index) =>
      index > 0 || each.arms.base === undefined
        ? each
        : { ...each, arms: { ...each.arms, base: { ...each.arms.base, blocks: [] } } },
    );
    const { kept } = shortened([{ ...one, replicates }], 1);
    expect(kept[0]?.replicates[0]?.arms.base?.blocks).toEqual([]);
  });
});
