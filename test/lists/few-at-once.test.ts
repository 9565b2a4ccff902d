import { describe, expect, test } from "vitest";

import { fewAtOnce } from "../../src/lists/few-at-once.ts";

/** Lets everything that is ready go on. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe("few at once", () => {
  test.for<[items: readonly number[], most: number, atOnce: number]>([
    [[], 3, 0],
    [[1], 3, 1],
    [[1, 2, 3, 4, 5], 1, 1],
    [[1, 2, 3, 4, 5], 2, 2],
    [[1, 2, 3], 5, 3],
  ])("%j with at most %i: results in order", async ([items, most, atOnce]) => {
    let [running, peak] = [0, 0];
    const work = async (item: number) => {
      running += 1;
      peak = Math.max(peak, running);
      for (let turn = item; turn < 6; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    };
    expect(await fewAtOnce(items, most, work)).toEqual(items.map((item) => item * 10));
    expect(peak).toBe(atOnce);
  });

  test("a failure waits for what has begun, and begins nothing more", async () => {
    const begun: number[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isOver = false;
    const all = fewAtOnce([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error("one failed");
      await held;
    }).finally(() => {
      isOver = true;
    });
    const failure = expect(all).rejects.toThrow("one failed");
    await turns();
    expect([begun, isOver]).toEqual([[1, 2], false]);
    release();
    await failure;
    expect(begun).toEqual([1, 2]);
  });
});
