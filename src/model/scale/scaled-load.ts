import { sum } from "../../statistics/estimate.ts";
import { clusteringOf } from "../load/clustering.ts";
import { armRecordOf, type Slice, slicesAfter } from "../load/load-records.ts";
import { type Slicing, slicePairsOf } from "../load/slicing.ts";
import { type ArmName, armNames, type Replicate } from "../measurement/measurement.ts";
import { type Cell, type Load, loadSeconds, withSendingOf } from "../plan/cell.ts";
import type { MergedLoad } from "./merged-load.ts";

/** Long against what the clocks of several machines may differ by. Half of it counts for the arm that has the load. */
const slicing: Slicing = { sliceMs: 1_000, guard: { startMs: 300, endMs: 200 } };
export const { sliceMs } = slicing;
/** The load of one replicate, which is a part of one long load: only connections start anew between them. */
const slicesPerReplicate = 8;
const replicateMs = slicesPerReplicate * sliceMs;
const warmupSlices = 2;
const blockMs = 2_000;

/** A design ends at its last look: generators cannot agree on an earlier end. */
interface Looks {
  readonly looks: readonly number[];
}

/** One load that several generators send: all of a cell. */
export interface ScaledLoad extends Pick<Slicing, "sliceMs">, Partial<Pick<Slicing, "guard">> {
  readonly load: Load;
  readonly arms: readonly [ArmName, ...ArmName[]];
  /** Time after which users renew their connections: once for each replicate. */
  readonly renewMs?: number;
}

/** With a design both arms take turns for all of its replicates; else the head alone gets the cell's own load. */
export function scaledLoad(cell: Cell, design: Looks | undefined): ScaledLoad {
  if (design === undefined) return { sliceMs, load: cell.load, arms: ["head"] }; // nobody takes turns
  const durationSeconds = (warmupSlices * sliceMs + replicatesOf(design) * replicateMs) / 1_000;
  const virtualUsers = "virtualUsers" in cell.load ? cell.load.virtualUsers : 1; // others are never compared
  const load = withSendingOf(cell.load, { kind: "constant" as const, virtualUsers, durationSeconds });
  return { ...slicing, load, arms: [...armNames], renewMs: replicateMs };
}

function replicatesOf({ looks }: Looks): number {
  return Math.max(...looks);
}

/** Seconds from the start of a cell's load to that of the next: its own, and the time for k6 to end and to begin. */
export function spacingSeconds(cell: Cell, design: Looks | undefined): number {
  return (loadSeconds(scaledLoad(cell, design).load) ?? 0) + betweenSeconds;
}
const betweenSeconds = 15;

/** Replicates of one cell that so many minutes for all cells leave room for. */
export function replicatesWithin(minutes: number, cells: number): number {
  const seconds = (minutes * 60) / cells - betweenSeconds - (warmupSlices * sliceMs) / 1_000;
  return Math.floor((seconds * 1_000) / replicateMs);
}

export function replicatesOfLoad(
  { slices, droppedIterations, generators, durationSeconds }: MergedLoad,
  cell: Cell,
  design: Looks | undefined,
): Replicate[] {
  const shares = generators.flatMap(({ cpuShare }) => cpuShare ?? []);
  const conditions = shares.length === 0 ? {} : { conditions: { generatorShare: Math.max(...shares) } };
  if (design === undefined) {
    const endMs = (loadSeconds(cell.load) ?? durationSeconds) * 1_000;
    const head = armRecordOf("head", slices, { sliceMs, blockMs: sliceMs, endMs });
    return [
      { arms: { head }, generator: countsOf(slices, durationSeconds, droppedIterations), ...conditions },
    ];
  }
  return Array.from({ length: replicatesOf(design) }, (_, index) => {
    const first = warmupSlices + index * slicesPerReplicate;
    const own = slicesAfter(slices, first, sliceMs).filter((slice) => slice.index < slicesPerReplicate);
    return {
      arms: { base: armOf("base", own), head: armOf("head", own) },
      generator: countsOf(own, replicateMs / 1_000, index === 0 ? droppedIterations : 0),
      pairs: slicePairsOf(own, sliceMs, replicateMs),
      ...conditions,
    };
  });
}

function armOf(arm: ArmName, slices: readonly Slice[]) {
  const latencyClustering = clusteringOf(
    slices.filter((slice) => slice.arm === arm).map(({ latency }) => latency),
  );
  return {
    ...armRecordOf(arm, slices, { sliceMs, blockMs, endMs: replicateMs, arms: 2 }),
    ...(latencyClustering !== undefined && { latencyClustering }),
  };
}

function countsOf(slices: readonly Slice[], durationSeconds: number, droppedIterations: number) {
  const requests = sum(slices.map((slice) => slice.requests));
  const failures = sum(slices.map((slice) => slice.failures));
  return { requests, failures, iterations: requests, droppedIterations, durationSeconds };
}
