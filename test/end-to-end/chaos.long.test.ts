import { expect, test } from "vitest";

import { chaosRun } from "../chaos/chaos.ts";
import { randomOf } from "../chaos/random.ts";
import { root } from "./act.ts";

/** A few of the many of `npm run bench -- chaos`; other faults and moments in each run of the tests. */
const runs = 2;

test("whatever happens at whatever moment, the invariants hold", { timeout: 600_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = randomOf(seed);
  for (let run = 1; run <= runs; run++) {
    const { broken, ...told } = await chaosRun({ root, random });
    expect({ seed, run, ...told, broken }).toEqual({ seed, run, ...told, broken: [] });
  }
});
