import { expect, test } from "vitest";

import { armDiagnosis } from "../../../src/model/findings/diagnosis.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { figuresSchema } from "../../../src/report/figures/figures-schema.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { armRecord, cell, details, failure, measurement } from "../../fixtures/measurement.ts";
import { comparedOf, effect, row, versus } from "../compared.ts";
import { comparisonOf } from "../example.ts";
import { renderSummary } from "../forms.ts";

test("the published form has each field, and no other", () => {
  const figures = figuresOf(comparisonOf([cell()], [measurement()]));
  expect(figuresSchema.parse(figures)).toEqual(figures);
  expect(figuresSchema.safeParse({ ...figures, comment: "hello" }).success).toBe(false);
});

test("the published form has the app of a cause", () => {
  const ofApp = cell({ app: "services/shop" });
  const fixed = foundCause({ cause: "missing index" });
  const diagnosis = { base: armDiagnosis([fixed], []), head: armDiagnosis([foundCause()], []) };
  const figures = figuresOf(comparisonOf([ofApp], [measurement({ cell: ofApp, diagnosis })]));
  expect(figuresSchema.parse(figures).diagnosis).toMatchObject({
    causes: [{ app: "services/shop" }],
    fixed: [{ app: "services/shop" }],
  });
});

test("names each figure with its unit", () => {
  const comparison = comparisonOf([cell()], [measurement({ arm: { sqlStatements: 20_000 } })]);
  expect(figuresOf(comparison)).toMatchInlineSnapshot(`
    {
      "cells": [
        {
          "bytesPerSecond": 187000,
          "confidence": null,
          "cpuEffect": null,
          "cpuEffectHigh": null,
          "cpuEffectLow": null,
          "cpuPerRequestMs": 0.9,
          "endpoint": "/health",
          "failures": 0,
          "gatesNotMet": null,
          "id": "get-health-w1-b90922bc",
          "isByCpu": null,
          "isByStalls": null,
          "isSmall": null,
          "longerLatencies": null,
          "minutesToPlace": null,
          "minutesToSettle": null,
          "moreOf": null,
          "open": null,
          "openP50Effect": null,
          "openP50EffectHigh": null,
          "openP50EffectLow": null,
          "openP95Effect": null,
          "openP95EffectHigh": null,
          "openP95EffectLow": null,
          "openP99Effect": null,
          "openP99EffectHigh": null,
          "openP99EffectLow": null,
          "p50Effect": null,
          "p50EffectHigh": null,
          "p50EffectLow": null,
          "p50Ms": 6.99366,
          "p95Effect": null,
          "p95EffectHigh": null,
          "p95EffectLow": null,
          "p95Ms": 14.9545,
          "p99Effect": null,
          "p99EffectHigh": null,
          "p99EffectLow": null,
          "p99Ms": 31.0319,
          "peakMemoryBytes": 84200000,
          "reason": null,
          "replicates": null,
          "requests": 10000,
          "statementsPerRequest": 2,
          "status": "measured",
          "throughputByCpuEffect": null,
          "throughputByCpuEffectHigh": null,
          "throughputByCpuEffectLow": null,
          "throughputEffect": null,
          "throughputEffectHigh": null,
          "throughputEffectLow": null,
          "throughputHighRequestsPerSecond": 1010.66,
          "throughputLowRequestsPerSecond": 989.336,
          "throughputRequestsPerSecond": 1000,
          "totalThroughputEffect": null,
          "totalThroughputEffectHigh": null,
          "totalThroughputEffectLow": null,
          "verdict": null,
          "workers": 1,
        },
      ],
      "schemaVersion": 1,
    }
  `);
});

test.for([
  ["failed", [measurement({ status: "failed", failure: failure() })]],
  ["missing", []],
  ["invalid", [measurement(), measurement()]],
  ["invalid", [measurement({ replicates: [] })]],
] as const)("a %s cell has no figure, not even zero", ([status, measurements]) => {
  const [figures] = figuresOf(comparisonOf([cell()], measurements)).cells;
  expect(figures?.status).toBe(status);
  const named = new Set(["id", "endpoint", "workers", "status"]);
  const others = Object.entries(figures ?? {}).filter(([name]) => !named.has(name));
  expect(others).toHaveLength(53);
  expect(others.filter(([, value]) => value !== null)).toEqual([]);
});

test("of an iteration has k6's count of whole iterations", () => {
  const steps = [{ method: "GET", path: "/a" } as const, { pauseSeconds: 0.1 }];
  const plain = measurement({ cell: cell({ endpoint: { steps } }) });
  const measured = {
    ...plain,
    replicates: plain.replicates.map((each) => ({ ...each, generator: { ...each.generator, details } })),
  };
  expect(figuresOf(comparisonOf([plain.cell], [measured])).cells[0]).toMatchObject({
    endpoint: "/a → sleep 100 ms",
    iterationsPerSecond: 333.333,
    iterationP50Ms: 108.4,
    iterationP95Ms: 131.25,
  });
  const [withoutDetails] = figuresOf(comparisonOf([plain.cell], [plain])).cells;
  expect(withoutDetails).not.toHaveProperty("iterationsPerSecond");
});

test("has base beside head where both were measured, and no number that JSON does not know", () => {
  const measured = measurement();
  const endless = { ...armRecord(), cpuSeconds: Number.MAX_VALUE };
  const replicates = measured.replicates.map(({ generator }) => ({
    generator,
    arms: { base: armRecord(), head: endless },
  }));
  const [figures] = figuresOf(comparisonOf([measured.cell], [{ ...measured, replicates }])).cells;
  expect(figures?.base?.throughputRequestsPerSecond).toBe(1_000);
  expect(figures?.cpuPerRequestMs).toBeNull();
});

test("the first byte and the bytes per second have their changes, where they are known", () => {
  const known = row({
    cell: cell(),
    versus: versus({ effects: { firstByte: effect(0.2, 0.05), bytesPerSecond: effect(-0.1, 0.02) } }),
  });
  const { head } = known.arms;
  const arms = { ...known.arms, ...(head && { head: { ...head, firstByteMs: 12 } }) };
  const [figures] = figuresOf(comparedOf([{ ...known, arms }])).cells;
  expect(figures).toMatchObject({
    firstByteMs: 12,
    firstByteEffect: 0.2,
    bytesPerSecond: expect.any(Number),
    bytesPerSecondEffectLow: expect.closeTo(-0.12, 3),
  });
  expect(figures?.base).not.toHaveProperty("firstByteMs");
  expect(renderSummary(comparedOf([{ ...known, arms }]))).toContain("– → 12.0 (+20% ± 5)");
});
