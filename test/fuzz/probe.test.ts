import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "../../src/compare/compare.ts";
import { withAdded } from "../../src/diagnosis/added-findings.ts";
import { diagnosePhase, phaseLoad } from "../../src/diagnosis/diagnosis-phase.ts";
import { memoryFindings } from "../../src/diagnosis/memory/memory-findings.ts";
import { parseMemoryDocuments } from "../../src/diagnosis/probe-documents.ts";
import { armDiagnosisSchema } from "../../src/model/findings/diagnosis.ts";
import { parseLoadRecords } from "../../src/model/load/load-records.ts";
import { causesOf } from "../../src/report/causes/causes.ts";
import { annotationsOf } from "../../src/report/forge/check-run.ts";
import { amount, endpoint, worker } from "../diagnosis/samples.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { answer } from "../measure/fake-load.ts";
import { renderComment } from "../report/forms.ts";
import { isPolluted, mutationsOf, numbersIn, numRuns, timeout } from "./mutation.ts";

const load = phaseLoad({ kind: "constant", virtualUsers: 8, durationSeconds: 60 }, 5);
const phaseCell = cell({ path: "/orders" });
const phase = {
  cell: phaseCell,
  load,
  slices: parseLoadRecords(
    answer({
      load,
      sliceMs: 250,
      targets: [{ arm: "head", baseUrl: "http://x" }],
      endpoint: phaseCell.endpoint,
      seed: 1,
      name: "x",
    }).records,
  ),
  appCpus: 1,
  generatorCpus: 1,
  generatorCpuSeconds: 0.5,
  database: undefined,
};

/** 80 replies in 5 s, each of which holds the loop for 60 ms, and something of all else that is written. */
const honest = worker({
  window: "w",
  busySeconds: 5,
  loopCpuMs: 0,
  loopLostMs: 0,
  endpoints: [
    endpoint({
      requests: 80,
      partsMs: { total: 80 * 500 },
      stalls: [{ ...amount(80, 80 * 62.5), cpuMs: 0 }],
      statements: [{ text: "SELECT ?", ...amount(80, 80) }],
      made: [{ what: "connection", ...amount(80, 800) }],
    }),
  ],
  unseen: [{ what: "hottest lines", reason: "no clocks" }],
});

/** What no report may say, whatever it was given. */
const invented = /\bNaN\b|Infinity|undefined|\[object/;

test("T18, T19, T37: what the probe wrote is used or left out, and no number is invented", {
  timeout,
}, () => {
  let found = 0;
  fc.assert(
    fc.property(mutationsOf(honest), fc.boolean(), fc.nat(9), (text, hasOther, turn) => {
      const files = [{ name: "worker-1-a.json", text }];
      if (hasOther) files.push({ name: "worker-2-a.json", text: JSON.stringify(honest) });
      const diagnosis = diagnosePhase(files, "w", phase);
      expect(isPolluted()).toBe(false);
      expect(armDiagnosisSchema.safeParse(diagnosis).success).toBe(true);
      expect([...numbersIn(diagnosis)].filter((number) => !Number.isFinite(number))).toEqual([]);
      if (turn > 0) return; // rendering takes longer than all else
      found += diagnosis.findings?.length ?? 0;
      const diagnosed = measurement({ cell: phaseCell, diagnosis: { head: diagnosis } });
      const comparison = compare({ schemaVersion: 1, cells: [phaseCell] }, [diagnosed]);
      expect(renderComment(comparison, { marker: "<!-- m -->" })).not.toMatch(invented);
      expect(annotationsOf(comparison, causesOf(comparison))).toEqual([]); // nothing that the probe says is a path of the repository
    }),
    { numRuns },
  );
  expect(found).toBeGreaterThan(numRuns / 100);
});

test("T18, T37: what a process says of its memory is used or left out, and no number is invented", {
  timeout,
}, () => {
  const place = { file: "main.py", line: 8, function: "remember", code: "seen.append(text)" };
  const kept = (bytes: number) => ({
    ...{ schemaVersion: 1, window: "w", keptBytes: bytes, unseen: [] },
    lines: [{ place, bytes: Math.max(1, bytes) }],
  });
  const facts = { endpoint: "/orders", measured: { value: 2_000, interval: { low: 1_500, high: 2_500 } } };
  const read = (text: string) => parseMemoryDocuments([{ name: "worker-1-a.json", text }], "w");
  const base = { documents: read(JSON.stringify(kept(0))).documents, requests: 500 };
  let found = 0;
  fc.assert(
    fc.property(mutationsOf(kept(1_000_000)), (text) => {
      const told = memoryFindings({ base, head: { documents: read(text).documents, requests: 500 } }, facts);
      const diagnosis = withAdded({ unseen: [] }, told);
      expect(isPolluted()).toBe(false);
      expect(armDiagnosisSchema.safeParse(diagnosis).success).toBe(true);
      expect([...numbersIn(diagnosis)].filter((number) => !Number.isFinite(number))).toEqual([]);
      expect(JSON.stringify(diagnosis)).not.toMatch(invented);
      found += told.findings.length;
    }),
    { numRuns },
  );
  expect(found).toBeGreaterThan(numRuns / 100);
});
