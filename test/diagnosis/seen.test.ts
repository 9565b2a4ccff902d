import { expect, test } from "vitest";
import { seenOf } from "../../src/diagnosis/diagnosis-phase.ts";
import { type Evidence, gatherEvidence } from "../../src/diagnosis/evidence.ts";
import { armDiagnosis, seenSchema } from "../../src/model/findings/diagnosis.ts";
import { amount, endpoint, line, load, worker } from "./samples.ts";

function evidenceOf(...workers: Parameters<typeof worker>[0][]): Evidence {
  const evidence = gatherEvidence(
    workers.map((each) => worker(each)),
    load(),
  );
  if (evidence === undefined) throw new Error("requests were seen");
  return evidence;
}

const statement = (text: string, totalMs: number) => ({ ...amount(100, totalMs), text });

test("a mean request's time, the longest stalls and the statements over all workers", () => {
  const seen = seenOf(
    evidenceOf(
      {
        endpoints: [
          endpoint({
            requests: 100,
            partsMs: { total: 1_000, database: 400 },
            statements: [statement("SELECT 1", 50), statement("SELECT 2", 300)],
            stalls: [{ ...amount(100, 700), cpuMs: 20 }],
          }),
        ],
      },
      {
        endpoints: [
          endpoint({ requests: 100, partsMs: { total: 3_000 }, statements: [statement("SELECT 1", 60)] }),
        ],
      },
    ),
  );
  expect(seenSchema.parse(seen)).toEqual(seen);
  expect(seen.requests).toBe(200);
  expect(seen.partsMs).toMatchObject({ total: 20, database: 2, cpu: 0 });
  expect(seen.statements.map(({ text, count, totalMs }) => [text, count, totalMs])).toEqual([
    ["SELECT 2", 100, 300],
    ["SELECT 1", 200, 110],
  ]);
  expect(seen.stalls).toEqual([{ place: line, count: 100, totalMs: 700, longestMs: 7, cpuMs: 20 }]);
});

test("ten of each, short texts, and no line where none is known", () => {
  const statements = Array.from({ length: 30 }, (_, index) => ({
    ...statement("x".repeat(500), index),
    place: { ...line, line: index + 1 },
  }));
  const nowhere = { ...statement("SELECT 3", 1_000), place: null };
  const held = { ...amount(1, 5), place: null, cpuMs: 1 };
  const seen = seenOf(
    evidenceOf({
      endpoints: [endpoint({ handler: null, statements: [nowhere, ...statements], stalls: [held] })],
    }),
  );
  expect(seen.statements).toHaveLength(10);
  expect(seen.statements[0]).not.toHaveProperty("place");
  expect(seen.statements[1]?.text).toHaveLength(300);
  expect(seen.stalls[0]).not.toHaveProperty("place");
});

test("travels with what was found, unless its figures are none", () => {
  const seen = seenOf(evidenceOf({ endpoints: [endpoint()] }));
  expect(armDiagnosis([], [], seen).seen).toEqual(seen);
  expect(armDiagnosis([], [], { ...seen, requests: Number.NaN })).not.toHaveProperty("seen");
  expect(armDiagnosis([], [])).not.toHaveProperty("seen");
});
