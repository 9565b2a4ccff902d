import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { problemsOfSegments, segmentOf, sequenceOf } from "../../../src/model/scale/segments.ts";

test.for([
  [1, "0:1"],
  [2, "0:1/2,1/2:1"],
  [4, "0:1/4,1/4:1/2,1/2:3/4,3/4:1"],
] as const)("%i generators have the segments %s, as k6 writes them", ([count, expected]) => {
  expect(Array.from({ length: count }, (_, index) => segmentOf(index + 1, count)).join(",")).toBe(expected);
});

test("k6's sequence has every edge once", () => expect(sequenceOf(4)).toBe("0,1/4,1/2,3/4,1"));

describe("problemsOfSegments", () => {
  test.for([
    { given: ["0:1"], said: [] },
    { given: ["1/2:1", "0:1/2"], said: [] },
    { given: ["0:1/3", "1/3:2/3", "2/3:1"], said: [] },
    { given: ["0:2/4", "1/2:1"], said: [] },
    { given: [], said: ["no records came for the segment 0:1"] },
    { given: ["0:1/4", "1/2:1"], said: ["no records came for the segment 1/4:1/2"] },
    { given: ["0:1/4", "1/4:1/2"], said: ["no records came for the segment 1/2:1"] },
    { given: ["1/4:1"], said: ["no records came for the segment 0:1/4"] },
    { given: ["0:1/2", "1/2:1", "1/2:1"], said: ["two generators have the segment 1/2:1"] },
    { given: ["0:1/2", "1/4:1"], said: ["the segments 0:1/2 and 1/4:1 overlap"] },
    { given: ["0:1", "1/4:1/2"], said: ["the segments 0:1 and 1/4:1/2 overlap"] },
  ])("$given", ({ given, said }) => expect(problemsOfSegments(given)).toEqual(said));

  test("any number of equal segments is one whole, in any order; without one of them it is not", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.nat(), fc.nat(), (count, turn, lost) => {
        const all = Array.from({ length: count }, (_, index) =>
          segmentOf(((index + turn) % count) + 1, count),
        );
        expect(problemsOfSegments(all)).toEqual([]);
        const part = all.toSpliced(lost % count, 1);
        expect(problemsOfSegments(part)).toEqual([expect.stringMatching(/^no records came/)]);
      }),
    );
  });
});
