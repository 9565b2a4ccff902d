import { expect, test } from "vitest";

import { cancelAt, stages } from "../chaos/cancellation.ts";
import { chaosRun } from "../chaos/chaos.ts";
import { faults } from "../chaos/faults.ts";
import { root } from "./act.ts";

// One signal each, turn by turn; both of all are `npm run bench -- cancellation`. What `cli.test.ts` cancels is left out,
// and what is one of two of a kind.
const covered = new Set(["starting Postgres", "under load", "filling the database by a seed-command"]);

test.for(
  stages
    .filter(({ name }) => !covered.has(name))
    .map(
      (stage, index) =>
        [stage.name, (["SIGINT", "SIGTERM", "SIGHUP"] as const)[index % 3] ?? "SIGINT", stage] as const,
    ),
)(
  "F7: cancelled while %s by %s: nothing is left within 7 s",
  { timeout: 180_000 },
  async ([, signal, stage]) => {
    const { broken, output } = await cancelAt(stage, signal, root);
    expect({ broken, output }).toEqual({ broken: [], output });
  },
);

test("F7: whose output nobody reads any more is cancelled as by SIGPIPE, with nothing left", async () => {
  const fault = faults.find(({ name }) => name === "nobody reads its output any more");
  const options = { root, random: () => 0.2, ...(fault && { fault }) };
  const { broken, status, output } = await chaosRun(options);
  expect({ broken, status, output }).toEqual({ broken: [], status: 141, output });
});
