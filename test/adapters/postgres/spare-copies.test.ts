import { afterEach, expect, test, vi } from "vitest";

import { withSpareCopies } from "../../../src/adapters/postgres/databases.ts";
import type { DatabaseCopy } from "../../../src/ports/database.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A template whose copies are numbered. `times`: how long each takes; one that is an error fails. */
function templateOf(...times: (number | Error)[]) {
  vi.useFakeTimers({ toFake: ["performance"] });
  let made = 0;
  const template = withSpareCopies(async () => {
    const time = times[made] ?? 0;
    made += 1;
    if (time instanceof Error) throw time;
    vi.advanceTimersByTime(time);
    return { url: String(made) } as DatabaseCopy;
  });
  return { ...template, next: async () => (await template.copy()).url, count: () => made };
}

test("a copy that was made beforehand is the next one, and each is given once", async () => {
  const { next, prepareCopy, count } = templateOf();
  expect(await next()).toBe("1");
  await Promise.all([prepareCopy(), prepareCopy()]);
  expect(count()).toBe(3);
  expect([await next(), await next()]).toEqual(["2", "3"]);
  expect(count()).toBe(3);
  expect(await next()).toBe("4");
});

test("one that is still being made is waited for", async () => {
  const { next, prepareCopy, count } = templateOf();
  const preparing = prepareCopy();
  expect(await next()).toBe("1");
  await preparing;
  expect(count()).toBe(1);
});

test("one that failed is made when it is asked for, and fails with its own words then", async () => {
  const { next, prepareCopy } = templateOf(
    new Error("no space"),
    0,
    new Error("no space"),
    new Error("still none"),
  );
  await expect(prepareCopy()).resolves.toBeUndefined();
  expect(await next()).toBe("2");
  await prepareCopy();
  await expect(next()).rejects.toThrow("still none");
});

test("a large database, which takes long to copy, gets none beforehand", async () => {
  const { next, prepareCopy, count } = templateOf(1_500, 10, 10);
  await next();
  await prepareCopy();
  expect(count()).toBe(1);
  expect(await next()).toBe("2"); // it was the disk that was slow: the next one is made again
  await prepareCopy();
  expect(count()).toBe(3);
});
