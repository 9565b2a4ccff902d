import type { Generator } from "../measurement/generator.ts";
import type { ArmName, ArmRecord, Replicate, SlicePairs } from "../measurement/measurement.ts";
import type { ScriptResults } from "../measurement/script-results.ts";
import { clusteringOf } from "./clustering.ts";
import { armRecordOf, type Slice } from "./load-records.ts";
import { loneSlicing } from "./slicing.ts";

/** A document holds no longer slice. */
const longestMs = 1e6;

interface WholeRun {
  readonly generator: Generator;
  readonly record: ArmRecord;
  readonly results: ScriptResults;
}

export function recordOfRun(arm: ArmName, slices: readonly Slice[], endMs: number): ArmRecord {
  const latencyClustering = clusteringOf(slices.map(({ latency }) => latency));
  return {
    ...armRecordOf(arm, slices, { ...loneSlicing, endMs }),
    ...(latencyClustering !== undefined && { latencyClustering }),
  };
}

export function replicateOfRuns(base: WholeRun, head: WholeRun) {
  return {
    generator: together(base.generator, head.generator),
    arms: { base: base.record, head: head.record },
    scripts: { base: base.results, head: head.results },
    pairs: pairsOf(base.generator, head.generator),
  } satisfies Replicate;
}

function together(base: Generator, head: Generator): Generator {
  const added = (figure: Exclude<keyof Generator, "details">) => base[figure] + head[figure];
  return {
    requests: added("requests"),
    failures: added("failures"),
    iterations: added("iterations"),
    droppedIterations: added("droppedIterations"),
    durationSeconds: added("durationSeconds"),
  };
}

/** The runs as one pair, as if a single user had sent all requests of a run. */
function pairsOf(base: Generator, head: Generator): SlicePairs {
  const whole = ({ requests, durationSeconds }: Generator) => ({
    cycles: [requests],
    cycleMs: [durationSeconds * 1_000],
  });
  const meanMs = (base.durationSeconds + head.durationSeconds) * 500;
  return {
    sliceMs: Math.min(longestMs, Math.max(1, meanMs)),
    isWholeRuns: true,
    arms: { base: whole(base), head: whole(head) },
  };
}
