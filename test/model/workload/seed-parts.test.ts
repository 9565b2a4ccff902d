import { expect, test } from "vitest";

import { seedSteps } from "../../../src/model/workload/seed.ts";

const textsOf = (text: string) => seedSteps(text).map((parts) => parts.map((part) => part.text.trim()));

test.for<[string, string, string[][]]>([
  ["a file without marks is one part", "a;\n-- b\n", [["a;\n-- b"]]],
  ["an empty file is one part", "", [[""]]],
  [
    "parts and steps",
    "a\n-- loadtest: then\nb\n-- loadtest: meanwhile\nc\n-- loadtest: then\nd",
    [["a"], ["b", "c"], ["d"]],
  ],
  ["marks that do not begin a line are text", "a -- loadtest: then\n b", [["a -- loadtest: then\n b"]]],
  [
    "what the file says of the disk does not cut it",
    "-- loadtest: disk 2 GB at scale 1\na",
    [["-- loadtest: disk 2 GB at scale 1\na"]],
  ],
  ["lines may end as on Windows", "a\r\n-- loadtest: meanwhile\r\nb", [["a", "b"]]],
])("%s", ([, text, steps]) => {
  expect(textsOf(text)).toEqual(steps);
});

test("each part knows where it begins", () => {
  const text = "a;\n-- loadtest: meanwhile\nb;";
  for (const part of seedSteps(text).flat())
    expect(text.slice(part.offset, part.offset + part.text.length)).toBe(part.text);
});

test("another word is told with its line", () => {
  expect(() => seedSteps("a\n-- loadtest: than\nb")).toThrow(
    'line 2: "-- loadtest: than" is not known; use then, meanwhile or disk N GB at scale 1',
  );
});
