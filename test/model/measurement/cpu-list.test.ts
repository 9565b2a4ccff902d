import { expect, test } from "vitest";

import { cpuCount, formatCpuList, parseCpuList } from "../../../src/model/measurement/environment.ts";

test.for([
  { list: "0", count: 1 },
  { list: "7", count: 1 },
  { list: "0-1", count: 2 },
  { list: "0,2", count: 2 },
  { list: "0-1,3", count: 3 },
  { list: "0-3,8-11,16", count: 9 },
  { list: "62-127", count: 66 },
])("$list has $count", ({ list, count }) => {
  expect(cpuCount(list)).toBe(count);
});

test.for([
  { list: "", cpus: [] },
  { list: "0", cpus: [0] },
  { list: "0-1,3", cpus: [3, 0, 1, 0] },
  { list: "2,8-11", cpus: [11, 10, 9, 8, 2] },
])("'$list' is how Linux writes $cpus", ({ list, cpus }) => {
  expect(formatCpuList(cpus)).toBe(list);
  expect(parseCpuList(list)).toEqual([...new Set(cpus)].toSorted((a, b) => a - b));
});
