import type { Comparison } from "../../compare/comparison.ts";
import { defined } from "../../lists/defined.ts";
import { visibleLine } from "../../text/visible.ts";
import { figuresOf } from "../figures/figures.ts";
import type { Figures } from "../figures/figures-schema.ts";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

interface Point {
  readonly attributes: readonly Attribute[];
  readonly timeUnixNano: string;
  readonly asDouble: number;
}

/** The body of a request to an OTLP/HTTP receiver: `ExportMetricsServiceRequest` in its JSON form. */
export interface MetricsRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string };
      readonly metrics: readonly {
        readonly name: string;
        readonly description: string;
        readonly unit: string;
        readonly gauge: { readonly dataPoints: readonly Point[] };
      }[];
    }[];
  }[];
}

type Cell = Figures["cells"][number];
type Arm = NonNullable<Cell["base"]>;

interface Gauge<Of> {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** `null` or absent: not known, so there is no point. */
  readonly value: (of: Of) => number | null | undefined;
}

/** One series for each arm. Units are those of UCUM. */
const ofArm: readonly Gauge<Arm>[] = [
  gauge("throughput", "{request}/s", "Requests per second", (arm) => arm.throughputRequestsPerSecond),
  gauge("latency.p50", "ms", "Median of latencies under the load", (arm) => arm.p50Ms),
  gauge("latency.p95", "ms", "95th percentile of latencies under the load", (arm) => arm.p95Ms),
  gauge("latency.p99", "ms", "99th percentile of latencies under the load", (arm) => arm.p99Ms),
  gauge("requests", "{request}", "Requests that were sent", (arm) => arm.requests),
  gauge("failures", "{request}", "Requests that failed", (arm) => arm.failures),
  gauge("cpu_per_request", "ms", "CPU time of the app's processes per request", (arm) => arm.cpuPerRequestMs),
  gauge(
    "instructions_per_request",
    "{instruction}",
    "CPU instructions of the app's processes in user space per request",
    (arm) => arm.instructionsPerRequest,
  ),
];

const change = "Throughput of head against base as a share: -0.1 is 10% less";
const ofCell: readonly Gauge<Cell>[] = [
  // Without it the verdict of a cell that has no figures would be nowhere.
  gauge("cell", "1", "1 for each cell; its attributes have the verdict and the status", () => 1),
  gauge("throughput.effect", "1", change, (cell) => cell.throughputEffect),
  gauge(
    "throughput.effect.low",
    "1",
    `${change}; lower end of the interval`,
    (cell) => cell.throughputEffectLow,
  ),
  gauge(
    "throughput.effect.high",
    "1",
    `${change}; upper end of the interval`,
    (cell) => cell.throughputEffectHigh,
  ),
];

function gauge<Of>(name: string, unit: string, description: string, value: Gauge<Of>["value"]): Gauge<Of> {
  return { name: `loadtest.${name}`, unit, description, value };
}

export interface MetricsSender {
  /** Attributes of the resource, e.g. its `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The finished figures as gauges: those of each cell and arm, with the verdict as an attribute. */
export function metricsRequest(
  comparison: Comparison,
  reportId: string,
  { resource, nowMs }: MetricsSender,
): MetricsRequest {
  const { cells } = figuresOf(comparison);
  const timeUnixNano = `${Math.round(nowMs)}000000`;
  const pointsOf = <Of>(
    { value }: Gauge<Of>,
    of: readonly (readonly [Of, readonly Attribute[]])[],
  ): Point[] =>
    of.flatMap(([each, attributes]) => {
      const asDouble = value(each) ?? Number.NaN;
      return Number.isFinite(asDouble) ? [{ attributes, timeUnixNano, asDouble }] : [];
    });
  const arms = cells.flatMap((cell) => {
    const about = attributesOf(cell);
    const head = [cell, [...about, text("loadtest.arm", "head")]] as const;
    return cell.base === undefined
      ? [head]
      : [[cell.base, [...about, text("loadtest.arm", "base")]] as const, head];
  });
  const whole = cells.map((cell) => [cell, attributesOf(cell)] as const);
  const described = [
    ...ofArm.map((each) => ({ ...each, points: pointsOf(each, arms) })),
    ...ofCell.map((each) => ({ ...each, points: pointsOf(each, whole) })),
  ];
  const { head, base } = comparison.commits;
  const facts = {
    "loadtest.report": reportId,
    ...defined({ "vcs.ref.head.revision": head, "vcs.ref.base.revision": base }),
  };
  return {
    resourceMetrics: [
      {
        resource: {
          attributes: Object.entries({ ...facts, ...resource }).map(([key, value]) => text(key, value)),
        },
        scopeMetrics: [
          {
            scope: { name: "fastapi-loadtest" },
            metrics: described
              .filter(({ points }) => points.length > 0)
              .map(({ name, description, unit, points }) => ({
                ...{ name, description, unit },
                gauge: { dataPoints: points },
              })),
          },
        ],
      },
    ],
  };
}

function attributesOf({ id, app, endpoint, workers, status, verdict }: Cell): Attribute[] {
  return [
    text("loadtest.cell", id),
    ...(app === undefined ? [] : [text("loadtest.app", app)]),
    text("loadtest.endpoint", visibleLine(endpoint)),
    { key: "loadtest.workers", value: { intValue: String(workers) } },
    text("loadtest.status", status),
    ...(verdict === null ? [] : [text("loadtest.verdict", verdict)]),
  ];
}

function text(key: string, value: string): Attribute {
  return { key, value: { stringValue: value } };
}
