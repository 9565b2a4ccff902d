import * as z from "zod";
import { defined } from "../../lists/defined.ts";

import type { ScriptResults } from "../measurement/generator.ts";
import { K6SummaryError, parseJson } from "./k6-summary.ts";
import type { GroupTimes, PartTimes } from "./script-samples.ts";

const count = z.int().nonnegative();
const metricSchema = z.looseObject({
  thresholds: z.record(z.string(), z.boolean()).optional(),
});
type Metric = z.infer<typeof metricSchema>;
const check = z.object({ name: z.string(), path: z.string(), passes: count, fails: count });

interface Group {
  readonly path: string;
  readonly checks: Readonly<Record<string, z.infer<typeof check>>>;
  readonly groups: Readonly<Record<string, Group>>;
}
const group: z.ZodType<Group> = z.object({
  path: z.string(),
  checks: z.record(z.string(), check),
  get groups() {
    return z.record(z.string(), group);
  },
});
const schema = z.object({ metrics: z.record(z.string(), metricSchema), root_group: group });

/** Metrics that every script has; all others are its own. */
const builtIn =
  /^(?:http_req|http_reqs|data_|iteration|iterations|vus|checks|group_duration|dropped_iterations|ws_|grpc_|browser_)/;
const longestName = 200;

/**
 * Reads the output of `k6 run --summary-export` for any script, whatever its `handleSummary` does: its own results, and
 * the counts in the form of our script's summary.
 *
 * @param failures as our records have them: k6 counts none where the script switched its judgement off
 */
export function parseScriptSummary(
  text: string,
  times: PartTimes,
  { failures }: { readonly failures: number },
): { readonly results: ScriptResults; readonly summary: string; readonly iterations: number } {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new K6SummaryError(`unexpected k6 summary:\n${z.prettifyError(parsed.error)}`);
  const { metrics, root_group: root } = parsed.data;
  const entries = Object.entries(metrics);
  const results: ScriptResults = {
    checks: checksIn(root).slice(0, 200),
    ...shortTimes(times),
    metrics: entries
      .filter(([name]) => !builtIn.test(name) && !name.includes("{"))
      .slice(0, 200)
      .map(([name, metric]) => ({ name: short(name), values: valuesOf(metric) })),
    thresholds: entries.flatMap(([name, metric]) => thresholdsOf(name, metric)).slice(0, 100),
  };
  const iterations = Number(metrics["iterations"]?.["count"] ?? 0);
  return { results, summary: JSON.stringify(summaryOf(metrics, failures)), iterations };
}

function checksIn({ path, checks, groups }: Group): ScriptResults["checks"] {
  const own = Object.values(checks).map(({ name, passes, fails }) => ({
    group: short(path),
    name: short(name),
    passes,
    fails,
  }));
  return [...own, ...Object.values(groups).flatMap(checksIn)];
}

function valuesOf({ thresholds: _, ...values }: Metric): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number" && entry[0].length <= 20,
    ),
  );
}

function thresholdsOf(name: string, metric: Metric): ScriptResults["thresholds"] {
  const values = valuesOf(metric);
  return Object.entries(metric.thresholds ?? {}).map(([condition, isCrossed]) => {
    const [, aggregation = ""] = /^\s*([\w.()]+?)\s*[<>=!]/.exec(condition.slice(0, longestName)) ?? [];
    // A rate's only figure is called `value` here.
    const value = values[aggregation] ?? values["value"];
    return {
      metric: short(name),
      condition: short(condition),
      isKept: !isCrossed,
      ...defined({ value }),
    };
  });
}

/** In milliseconds: k6 divides by its own time, so any count gives it back. */
function summaryOf(metrics: Readonly<Record<string, Metric>>, failures: number): unknown {
  const counter = (name: string) => metrics[name] && { values: { count: metrics[name]["count"] } };
  const { count: all, rate } = metrics["iterations"] ?? metrics["http_reqs"] ?? {};
  const seconds = typeof all === "number" && typeof rate === "number" && rate > 0 ? all / rate : 0;
  return {
    state: { testRunDurationMs: seconds * 1_000 },
    metrics: {
      http_reqs: counter("http_reqs"),
      http_req_failed: { values: { passes: failures } },
      iterations: counter("iterations"),
      dropped_iterations: counter("dropped_iterations"),
    },
  };
}

/** The same with names that are no longer than a document may have them. */
export function shortTimes({ groups, requests }: PartTimes): Pick<ScriptResults, "groups" | "requests"> {
  return {
    groups: shortNames(groups),
    ...(requests !== undefined && { requests: shortNames(requests) }),
  };
}

function shortNames(times: readonly GroupTimes[]): ScriptResults["groups"] {
  return times.slice(0, 200).map((each) => ({ ...each, name: short(each.name) }));
}

/** Counts of a load that k6 did not send, in the form of its summary. */
export function loadSummary({
  requests,
  failures,
  seconds,
}: Readonly<Record<"requests" | "failures" | "seconds", number>>): string {
  return JSON.stringify({
    state: { testRunDurationMs: seconds * 1_000 },
    metrics: {
      http_reqs: { values: { count: requests } },
      http_req_failed: { values: { passes: failures } },
    },
  });
}

function short(text: string): string {
  return text.slice(0, longestName);
}
