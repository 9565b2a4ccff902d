import { expect, test } from "vitest";
import * as z from "zod";

import { compare } from "../../../src/compare/compare.ts";
import { metricsRequest } from "../../../src/report/metrics/otlp-metrics.ts";
import { recording } from "../../recordings/recording.ts";

/**
 * `ExportMetricsServiceRequest` of opentelemetry-proto 1.x, as far as gauges go, in the JSON form of the OTLP
 * specification: names in lowerCamelCase, and 64-bit integers as texts.
 */
const attributes = z.array(
  z.strictObject({
    key: z.string().min(1),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    ]),
  }),
);
const requestSchema = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeMetrics: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          metrics: z.array(
            z.strictObject({
              name: z.string().regex(/^[a-z][a-z0-9_.]{0,254}$/),
              description: z.string(),
              unit: z.string().max(63),
              gauge: z.strictObject({
                dataPoints: z.array(
                  z.strictObject({
                    attributes,
                    timeUnixNano: z.string().regex(/^\d{19}$/),
                    asDouble: z.number(),
                  }),
                ),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

const sender = { resource: { "service.name": "shop" }, nowMs: 1_767_225_600_000.4 };

function pointsOf(name: "shop" | "heads", missing = false) {
  const { plan, measurements } = recording(name);
  const comparison = compare(plan, missing ? measurements.slice(1) : measurements);
  const sent: unknown = JSON.parse(JSON.stringify(metricsRequest(comparison, "nightly", sender)));
  const { resourceMetrics } = requestSchema.parse(sent);
  const [resource] = resourceMetrics;
  const metrics = resource?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  const of = (list: z.infer<typeof attributes> = []) =>
    Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
  return {
    comparison,
    resource: of(resource?.resource.attributes),
    metrics: new Map(
      metrics.map(({ name: metric, gauge }) => [
        metric,
        gauge.dataPoints.map((point) => ({ ...of(point.attributes), value: point.asDouble })),
      ]),
    ),
  };
}

test("each cell and arm has its figures, and the verdict beside them", () => {
  const { comparison, resource, metrics } = pointsOf("shop");
  expect(resource).toMatchObject({ "service.name": "shop", "loadtest.report": "nightly" });
  expect(resource["vcs.ref.head.revision"]).toBe(comparison.commits.head);
  expect([...metrics.keys()]).toEqual([
    "loadtest.throughput",
    "loadtest.latency.p50",
    "loadtest.latency.p95",
    "loadtest.latency.p99",
    "loadtest.requests",
    "loadtest.failures",
    "loadtest.cpu_per_request",
    "loadtest.cell",
    "loadtest.throughput.effect",
    "loadtest.throughput.effect.low",
    "loadtest.throughput.effect.high",
  ]);
  const [row] = comparison.rows;
  const [first, second] = metrics.get("loadtest.latency.p95") ?? [];
  expect([first, second]).toMatchObject([
    { "loadtest.cell": row?.cell.id, "loadtest.arm": "base", "loadtest.verdict": "slower" },
    { "loadtest.cell": row?.cell.id, "loadtest.arm": "head", "loadtest.workers": "1" },
  ]);
  expect(second?.value).toBeCloseTo(row?.arms.head?.latencyMs.p95 ?? 0, 3);
  const effect = metrics.get("loadtest.throughput.effect")?.[0];
  expect(effect).not.toHaveProperty("loadtest.arm");
  expect(effect?.value).toBeCloseTo(row?.versus?.effects.throughput.value ?? 0, 3);
  const low = metrics.get("loadtest.throughput.effect.low")?.[0]?.value ?? 0;
  const high = metrics.get("loadtest.throughput.effect.high")?.[0]?.value ?? 0;
  expect(low).toBeLessThan(effect?.value ?? 0);
  expect(high).toBeGreaterThan(effect?.value ?? 0);
});

test("what is not known has no point, and a cell without figures still says what became of it", () => {
  const { comparison, metrics } = pointsOf("shop", true);
  const [gone, ...others] = metrics.get("loadtest.cell") ?? [];
  expect(gone).toMatchObject({ "loadtest.status": "missing", value: 1 });
  expect(gone).not.toHaveProperty("loadtest.verdict");
  expect(others).toHaveLength(comparison.rows.length - 1);
  expect(metrics.get("loadtest.throughput")).toHaveLength(2 * others.length);
});

test("a head alone has no base and no effect", () => {
  const { metrics } = pointsOf("heads");
  expect([...metrics.keys()].filter((name) => name.includes("effect"))).toEqual([]);
  const arms = metrics.get("loadtest.throughput")?.map((point) => Object(point)["loadtest.arm"]);
  expect(new Set(arms)).toEqual(new Set(["head"]));
});
