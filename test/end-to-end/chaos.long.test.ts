import { expect, test } from "vitest";

import { chaosRun } from "../chaos/chaos.ts";
import { randomOf } from "../chaos/random.ts";
import { testSeed } from "../seed.ts";
import { root } from "./act.ts";

/** A few of the many of `npm run bench -- chaos`. */
const runs = 2;

test("whatever happens at whatever moment, the invariants hold", { timeout: 600_000 }, async () => {
  const seed = testSeed();
  const random = randomOf(seed);
  for (let run = 1; run <= runs; run++) {
    const { broken, ...told } = await chaosRun({ root, random });
    expect({ seed, run, ...told, broken }).toEqual({ seed, run, ...told, broken: [] });
  }
});
