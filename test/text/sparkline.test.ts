import { expect, test } from "vitest";
import { sparkline } from "../../src/text/sparkline.ts";

test.for([
  [[], undefined, ""],
  [[5], undefined, "▄"],
  [[1, 2, 3, 4, 5, 6, 7, 8], undefined, "▁▂▃▄▅▆▇█"],
  [[100, 110], [100, 110, 170], "▁▂"],
] as const)("%j among %j", ([values, all, expected]) => {
  expect(sparkline(values, all)).toBe(expected);
});
