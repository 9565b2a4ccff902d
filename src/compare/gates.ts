import { pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import { longestSliceMs, type Slicing, slicingFor } from "../model/load/slicing.ts";
import { isFailure, mergeStatuses, type StatusCounts, statusWords } from "../model/load/statuses.ts";
import type {
  ArmName,
  ArmSlices,
  Measurement,
  Replicate,
  SlicePairs,
} from "../model/measurement/measurement.ts";
import { redirectWords } from "../model/measurement/redirects.ts";
import type { Cell } from "../model/plan/cell.ts";
import { median, sum } from "../statistics/estimate.ts";
import { count, figure } from "../text/numbers.ts";
import { percent } from "../text/percent.ts";
import type { Gate } from "./comparison.ts";

/** From this share of its CPUs on, k6 may be the limit of the load ... */
const busyGenerator = 0.8;
/** ... unless the app uses this share of its own CPUs. */
const busyApp = 0.9;
const mostSteal = 0.1;
/** Largest difference of a status' share between the arms. */
const mostStatusDifference = 0.005;
/** Largest share of an arm's requests that may fail: of more, the time would be that of failing. */
const mostFailing = 0.25;
/** A limit of requests answers by the clock, so it hides what the app's own work takes. */
const tooManyRequests = "429";
/** Largest difference of the busiest worker's share of its arm's CPU time. */
const mostWorkerDifference = 0.2;
/** Slice pairs that may be lost because an arm completed nothing in them. */
const mostEmptyPairs = 0.2;
/** Fewest cycles of a slice: with fewer, the trimmed mean drops slow requests. */
const fewestCycles = 4;
/** Longest cycle as a share of its slice. At 0.6 a change is read up to twice as large. */
const longestCycle = 0.45;
/** Least growth of slices that is worth another load. */
const leastGrowth = 1.2;

/** The conditions of a valid comparison. None looks at which arm was better. Unobserved ones are left out. */
export function gatesOf({ replicates, cell, redirects }: Measurement): Gate[] {
  const gates = [
    generatorGate(replicates, cell),
    statusGate(replicates, cell),
    redirectGate(redirects),
    workerGate(replicates, cell.workers),
    stealGate(replicates),
    sliceGate(replicates, pauseSecondsPerRequest(cell.endpoint) * 1_000),
    cpuGate(replicates),
  ];
  return gates.filter((gate) => gate !== undefined);
}

function generatorGate(replicates: readonly Replicate[], { load }: Cell): Gate | undefined {
  const tool = load.kind === "script" && load.locust !== undefined ? "Locust" : "k6";
  const generator = medianOf(replicates, ({ conditions }) => conditions?.generatorShare);
  const app = medianOf(replicates, ({ conditions }) => conditions?.appShare);
  if (generator === undefined) return undefined;
  // An app that runs elsewhere shows no CPUs: it may have plenty left.
  const isMet = generator <= busyGenerator || (app ?? 0) >= busyApp;
  const used = `${tool} used ${percent(generator, "measured")} of its CPUs`;
  const ofApp = app === undefined ? "" : ` and the app ${percent(app, "measured")} of its own`;
  if (isMet) return { name: "generator", isMet, evidence: used + ofApp };
  const rate = medianOf(replicates, ({ generator: each }) => each.requests / each.durationSeconds);
  const next =
    tool === "Locust"
      ? "`FastHttpUser` needs less CPU per request"
      : "a machine with more CPUs can generate more load";
  return { name: "generator", isMet, evidence: `${used} at ${count(rate)} req/s${ofApp}; ${next}` };
}

function redirectGate(redirects: Measurement["redirects"]): Gate | undefined {
  const apart = redirects?.find(({ isApart }) => isApart);
  return apart && { name: "redirects", isMet: false, evidence: redirectWords(apart) };
}

function statusGate(replicates: readonly Replicate[], { load }: Cell): Gate | undefined {
  const namesOf = load.kind === "script" ? answeredOrNot : (statuses: StatusCounts) => statuses;
  const base = statusShares(replicates, "base", namesOf);
  const head = statusShares(replicates, "head", namesOf);
  if (base.size === 0 || head.size === 0) return undefined;
  const differences = [...new Set([...base.keys(), ...head.keys()])].map((status) => {
    const [before, after] = [base.get(status) ?? 0, head.get(status) ?? 0];
    return { status, before, after, difference: Math.abs(after - before) };
  });
  const worst = differences.toSorted((a, b) => b.difference - a.difference).slice(0, 1);
  const words = worst.map(({ status, before, after }) => {
    const [subject, what] =
      status === goodReplies
        ? ["responses", "were successful"]
        : /^\d/.test(status)
          ? ["responses", `had status ${statusWords(status)}`]
          : ["requests", `ended with ${statusWords(status)}`];
    return `${percent(before, "measured")} of the base's ${subject} and ${percent(after, "measured")} of the head's ${what}`;
  });
  const refused = [base, head].map((each) => each.get(tooManyRequests) ?? 0);
  if (refused.some((share) => share > mostStatusDifference))
    return {
      name: "statuses",
      isMet: false,
      evidence: `the app refused ${percent(refused[0] ?? 0, "measured")} of the base's requests and ${percent(refused[1] ?? 0, "measured")} of the head's with ${tooManyRequests} (too many requests); switch off rate limiting for the load test (\`app-env\`)`,
    };
  const failing = [base, head].map((shares) =>
    sum([...shares].map(([status, share]) => (status !== goodReplies && isFailure(status) ? share : 0))),
  );
  if (failing.some((share) => share > mostFailing))
    return {
      name: "statuses",
      isMet: false,
      evidence: `${percent(failing[0] ?? 0, "measured")} of the base's requests failed and ${percent(failing[1] ?? 0, "measured")} of the head's (${words.join()})`,
    };
  return {
    name: "statuses",
    isMet: worst.every(({ difference }) => difference <= mostStatusDifference),
    evidence: words.join(),
  };
}

const goodReplies = "successful responses";

/** Good replies as one: with a script, a slower arm gets another mix of them. */
function answeredOrNot(statuses: StatusCounts): StatusCounts {
  return mergeStatuses(
    Object.entries(statuses).map(([status, count]) => ({
      [isFailure(status) ? status : goodReplies]: count,
    })),
  );
}

function workerGate(replicates: readonly Replicate[], workers: number): Gate | undefined {
  if (workers < 2) return undefined;
  const share = (arm: ArmName) =>
    medianOf(replicates, ({ arms }) => busiestShare(arms[arm]?.workerCpuSeconds ?? []));
  const base = share("base");
  const head = share("head");
  if (base === undefined || head === undefined) return undefined;
  return {
    name: "workers",
    isMet: Math.abs(base - head) <= mostWorkerDifference,
    evidence: `the busiest worker had ${percent(base, "measured")} of the base's CPU time and ${percent(head, "measured")} of the head's`,
  };
}

function stealGate(replicates: readonly Replicate[]): Gate | undefined {
  const steal = medianOf(replicates, ({ conditions }) => conditions?.stealShare);
  if (steal === undefined) return undefined;
  return {
    name: "steal",
    isMet: steal <= mostSteal,
    evidence: `the hypervisor gave ${percent(steal, "measured")} of the CPU time to other machines`,
  };
}

/** Checks that requests can be compared in slices. `pauseMs`: mean pause after a request, part of a cycle. */
export function sliceGate(replicates: readonly Pick<Replicate, "pairs">[], pauseMs = 0): Gate | undefined {
  const sliced = replicates.flatMap(({ pairs: each }) => each ?? []).filter((each) => !each.isWholeRuns);
  const { cycles, sliceMs, longestMs, shares } = fullnessOf(sliced, pauseMs);
  if (cycles.length === 0) return undefined;
  const usual = median(cycles);
  const empty = cycles.filter((each) => each === 0).length / cycles.length;
  const isShort = shares.length === 0 || median(shares) <= longestCycle;
  const few = usual < fewestCycles ? tooFew : "";
  const remedy = isShort ? few : tooLong(Math.max(0, median(longestMs) - pauseMs), median(sliceMs));
  return {
    name: "slices",
    isMet: isShort && usual >= fewestCycles && empty <= mostEmptyPairs,
    evidence: `median ${figure(usual)} whole requests per slice; in ${percent(empty, "measured")} of the slice pairs, one version completed no requests${remedy}`,
  };
}

/** How full slices are: lists with a value for each pair of slices. */
interface Fullness {
  readonly cycles: readonly number[];
  /** They may have grown from one replicate to the next. */
  readonly sliceMs: readonly number[];
  /** Mean cycle of the slower arm; none for a pair in which none ended. */
  readonly longestMs: readonly number[];
  /** The same without the pause, as a share of the slice. */
  readonly shares: readonly number[];
}

/** With plain loops: a large report has hundreds of thousands of slices. */
function fullnessOf(sliced: readonly SlicePairs[], pauseMs: number): Fullness {
  const fullness = {
    cycles: [] as number[],
    sliceMs: [] as number[],
    longestMs: [] as number[],
    shares: [] as number[],
  };
  for (const {
    arms: { base, head },
    sliceMs,
  } of sliced)
    for (let pair = 0; pair < base.cycles.length; pair += 1) {
      const [ofBase, ofHead] = [cycleMsOf(base, pair), cycleMsOf(head, pair)];
      const isInBoth = ofBase > 0 && ofHead > 0;
      fullness.cycles.push(isInBoth ? Math.min(base.cycles[pair] ?? 0, head.cycles[pair] ?? 0) : 0);
      fullness.sliceMs.push(sliceMs);
      const longestMs = Math.max(ofBase, ofHead);
      if (longestMs === 0) continue;
      fullness.longestMs.push(longestMs);
      fullness.shares.push((longestMs - pauseMs) / sliceMs);
    }
  return fullness;
}

function cycleMsOf({ cycles, cycleMs }: ArmSlices, pair: number): number {
  const count = cycles[pair] ?? 0;
  return count > 0 ? (cycleMs[pair] ?? 0) / count : 0;
}

/** Longer slices, when those of a load were too short for its requests; `undefined` when they were not. */
export function longerSlicing(pairs: SlicePairs, pauseMs: number): Slicing | undefined {
  if (sliceGate([{ pairs }], pauseMs)?.isMet !== false) return undefined;
  const { longestMs } = fullnessOf([pairs], pauseMs);
  const slicing = slicingFor(longestMs.length === 0 ? pairs.sliceMs : median(longestMs));
  return slicing.sliceMs >= leastGrowth * pairs.sliceMs ? slicing : undefined;
}

const tooFew =
  "; with so few, individual requests decide the result, so raise `vus` if the app has CPU to spare";

function tooLong(usualMs: number, sliceMs: number): string {
  const seconds = (ms: number) => `${figure(ms / 1_000)} s`;
  const why = `; requests that take ${seconds(usualMs)} are too long for slices of ${seconds(sliceMs)}`;
  return sliceMs < longestSliceMs
    ? `${why}. The warm-up determines the slice length, so a longer \`warmup\` may help`
    : why;
}

function cpuGate(replicates: readonly Replicate[]): Gate | undefined {
  const sets = replicates.flatMap(({ arms: { base, head } }) =>
    base?.cpus === undefined || head?.cpus === undefined ? [] : [[base.cpus, head.cpus] as const],
  );
  if (sets.length === 0) return undefined;
  const apart = sets.find(([base, head]) => base !== head);
  const [base, head] = apart ?? sets[0] ?? ["", ""];
  return {
    name: "CPU sets",
    isMet: apart === undefined,
    evidence:
      base === head
        ? `both versions ran on ${cpuWords(base)}`
        : `the base ran on ${cpuWords(base)}, the head on ${cpuWords(head)}`,
  };
}

/** `CPU 1`, `CPUs 0-3` */
function cpuWords(cpus: string): string {
  return `${/^\d+$/.test(cpus) ? "CPU" : "CPUs"} ${cpus}`;
}

function statusShares(
  replicates: readonly Replicate[],
  arm: ArmName,
  namesOf: (statuses: StatusCounts) => StatusCounts,
): Map<string, number> {
  const counts = namesOf(mergeStatuses(replicates.map(({ arms }) => arms[arm]?.statuses ?? {})));
  const total = sum(Object.values(counts));
  return new Map(Object.entries(counts).map(([status, count]) => [status, count / total]));
}

function busiestShare(seconds: readonly number[]): number | undefined {
  const total = sum(seconds);
  return total > 0 ? Math.max(...seconds) / total : undefined;
}

function medianOf(
  replicates: readonly Replicate[],
  figureOf: (replicate: Replicate) => number | undefined,
): number | undefined {
  const values = replicates.map(figureOf).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : median(values);
}
