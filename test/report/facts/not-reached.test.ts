import { expect, test } from "vitest";

import type { NotReached } from "../../../src/model/measurement/not-reached.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, row } from "../compared.ts";

const unreached = (seen: Partial<NotReached>) =>
  row({
    cell: cell(),
    status: "not reached",
    arms: {},
    versus: undefined,
    notReached: { functions: [], functionCount: 0, files: [], fileCount: 0, requests: 24, ...seen },
  });
const close = { functions: ["shop.py: close"], functionCount: 1 };
const before = "Not measured: during start-up and 24 trial requests,";

test.for<[seen: Partial<NotReached>, text: string]>([
  [{}, `${before} none of the changed code ran.`],
  [close, `${before} \`shop.py: close\` did not run.`],
  [{ files: ["README.md"], fileCount: 1 }, `${before} nothing in \`README.md\` was loaded.`],
  [
    { ...close, files: ["a`b"], fileCount: 1 },
    `${before} \`shop.py: close\` did not run and nothing in \`a'b\` was loaded.`,
  ],
  [
    { functions: ["a", "b", "c", "d"], functionCount: 1_204 },
    `${before} \`a\`, \`b\`, \`c\` and 1,201 more did not run.`,
  ],
])("case %#", ([seen, text]) => {
  expect(reasonsOf(comparedOf([unreached(seen)])).shown).toMatchObject([
    { standing: "not reached", detail: text },
  ]);
});

test("cells with the same evidence share a sentence", () => {
  const { shown } = reasonsOf(
    comparedOf([unreached(close), unreached(close), unreached({}), unreached(close)]),
  );
  expect(shown.map(({ detail }) => detail)).toEqual([
    `${before} \`shop.py: close\` did not run. The same applies to 2 other cells.`,
    `${before} none of the changed code ran.`,
  ]);
});
