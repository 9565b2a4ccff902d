import fc from "fast-check";
import { expect, test } from "vitest";

import { readZipDocuments } from "../../src/adapters/forge/index.ts";
import { isRead, largestContentBytes } from "../../src/forge/posting/artifact.ts";
import { zipOf } from "../stand-in/zip.ts";
import { numRuns, timeout } from "./mutation.ts";

const names = fc.constantFrom(
  "plan.json",
  "cells/a-w1.json",
  "cells/b-w1.json",
  "report.md",
  "../x",
  "cells/",
  "x".repeat(300),
);
const entry = fc.record(
  {
    name: names,
    content: fc.oneof(fc.string({ maxLength: 50 }), fc.constant("0".repeat(20_000))),
    claimedBytes: fc.nat(100_000),
    mode: fc.constantFrom(0, 0o100644, 0o120777, 0o40755),
    flags: fc.constantFrom(0, 1, 8, 64),
  },
  { requiredKeys: ["name", "content"] },
);
const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });

test("T2, T16, T17: any archive is documents of ours or refused, and at once", { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 4 }),
      damage,
      fc.option(fc.nat()),
      async (entries, bytes, end) => {
        const archive = Buffer.from(zipOf(entries));
        for (const [place, value] of bytes) archive[place % archive.length] = value;
        const read = await readZipDocuments(
          end === null ? archive : archive.subarray(0, end % archive.length),
        );
        if (read.kind === "refused") expect(read.reason.length).toBeLessThan(100);
        else {
          const found = read.documents.map(({ name }) => name);
          expect(found.every(isRead)).toBe(true);
          expect(new Set(found).size).toBe(found.length);
          expect(read.documents.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(
            largestContentBytes,
          );
        }
      },
    ),
    { numRuns },
  );
});
