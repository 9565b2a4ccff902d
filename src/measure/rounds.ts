import { isSettled, turnOf } from "../compare/cell-comparison.ts";
import { halfBehind, nextCell, type Spent } from "../compare/turns.ts";
import { EnvironmentError, messageOf } from "../errors/errors.ts";
import { isNonEmpty } from "../lists/non-empty.ts";
import { pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import type { Measurement, Replicate } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import { fewestReplicates, secondsKeptForAge } from "../model/plan/minutes.ts";
import type { Design } from "../model/plan/plan.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { ResultsPorts } from "../ports/results.ts";
import { cellProgressOf } from "../report/progress/cell-progress.ts";
import { cellName } from "../report/progress/result-line.ts";
import { canAge } from "./aged-pair.ts";
import { type DocumentStart, failureOf, finishedDocument, save, startDocument } from "./cell-document.ts";
import type { CellMemory } from "./cell-memory.ts";
import type { Prepared } from "./prepared.ts";
import { measureReplicate, type ReplicateOutcome } from "./replicate.ts";
import { BaseFailure } from "./running-arms.ts";
import { sharing } from "./shared-starts.ts";
import { type TimeKeeper, timeKeeper } from "./time-keeper.ts";

/** One cell that is being measured. */
interface State {
  readonly cell: Cell;
  readonly index: number;
  readonly start: DocumentStart;
  readonly memory: CellMemory;
  readonly replicates: Replicate[];
  /** Its newest document; `undefined` before the first replicate. */
  document: Measurement | undefined;
  isDone: boolean;
  isTold: boolean;
  turn: number;
}

const unmeasuredYet = { document: undefined, isDone: false, isTold: false, turn: 0 };

/**
 * Measures both arms of every cell, in rounds that bring each one to its next look if it is not settled. After the first
 * look half of the time belongs to the cell that looks most like a change: so minutes that are too few for all find what is
 * slower, and one that the noise keeps open does not take them from the others. Each replicate is on disk before the next
 * one starts.
 */
export async function measureRounds(
  cells: readonly Cell[],
  design: Design,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement[]> {
  const clock = timeKeeper(design, ports);
  const states = cells.map((cell, index): State => {
    const start = startDocument(cell, prepared, ports);
    return { cell, index, start, memory: {}, replicates: [], ...unmeasuredYet };
  });
  const isOver = (reservedSeconds = 0) => ports.signal.aborted || clock.isOver(reservedSeconds);
  const open = (reservedSeconds = 0) =>
    isOver(reservedSeconds) ? [] : states.filter(({ isDone }) => !isDone);
  const bringTo = async (state: State, look: number, { isAlone = false, reservedSeconds = 0 } = {}) => {
    const isBehind = () => !state.isDone && state.replicates.length < look && !isOver(reservedSeconds);
    if (!isBehind()) return; // another cell's servers have brought it there
    ports.progress({ kind: "cell started", cell: state.cell, index: state.index, total: cells.length });
    while (isBehind()) {
      const others = isAlone ? [] : sharing(state, states);
      await advance(state, { others, clock, isOver: () => isOver(reservedSeconds) }, design, prepared, ports);
    }
    for (const each of [state, ...states].filter(({ isDone }) => isDone))
      tell(each, cells.length, design, ports);
  };
  // One each first: where the minutes do not suffice, a row has figures rather than a reason why it has none.
  for (const look of new Set([1, fewestReplicates, ...design.looks.slice(0, 1)])) {
    for (const state of open()) await bringTo(state, look);
  }
  // A cell that the noise keeps open must not take the time of the pair that gets old.
  const aging = prepared.workload.targets === undefined && cells.some(canAge) ? secondsKeptForAge(design) : 0;
  const spent: Spent = { likely: 0, all: 0 };
  for (let waiting = open(aging); isNonEmpty(waiting); waiting = open(aging)) {
    const half = halfBehind(spent);
    const state = nextCell(waiting, half);
    const look = design.looks.find((each) => each > state.replicates.length) ?? state.replicates.length + 1;
    const began = ports.clock();
    await bringTo(state, look, { isAlone: half === "likely", reservedSeconds: aging });
    spent[half] += ports.clock() - began;
  }
  for (const state of states.filter(({ isDone }) => !isDone)) {
    if (state.document === undefined) await write(state, unmeasured(state, ports), ports);
    tell(state, cells.length, design, ports);
  }
  return states.flatMap(({ document }) => document ?? []);
}

interface Beside {
  /** Cells that may have a replicate on the same servers. */
  readonly others: readonly State[];
  readonly clock: TimeKeeper;
  readonly isOver: () => boolean;
}

/**
 * Measures one more replicate and saves the document; then one of each cell that shares the start of the servers, as far
 * as the minutes go.
 */
async function advance(
  state: State,
  { others, clock, isOver }: Beside,
  design: Design,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<void> {
  ports.progress({ kind: "step", text: `replicate ${state.replicates.length + 1}` });
  clock.begin();
  try {
    await measureReplicate(state.cell, state.memory, prepared, ports, async (outcome, beside) => {
      await record(state, outcome, design, ports);
      show(state, design, ports);
      clock.lap();
      for (const other of beside === undefined ? [] : others) {
        if (isOver()) return;
        ports.progress({ kind: "step", text: `on the same servers: ${cellName(other.cell)}` });
        const memory = { ...other.memory };
        const measured = await beside?.(other.cell, memory).catch((error) => unlessOurFault(error, ports));
        // What failed here has a turn of its own, on fresh servers, and knows nothing of this one.
        if (measured === undefined) return;
        Object.assign(other.memory, memory);
        await record(other, measured, design, ports);
        clock.lap();
      }
    });
  } catch (error) {
    state.isDone = true;
    clock.lap();
    await write(state, brokenDocument(state, error, ports), ports);
  }
}

function unlessOurFault(error: unknown, { signal }: Pick<MeasurePorts, "signal">): undefined {
  const isOurs = !(error instanceof BaseFailure || error instanceof EnvironmentError);
  if (isOurs && !signal.aborted) throw error;
  return undefined;
}

async function record(
  state: State,
  { replicate, loneArm }: ReplicateOutcome,
  design: Design,
  ports: MeasurePorts,
): Promise<void> {
  const { cell, start, replicates } = state;
  replicates.push(replicate);
  const document = finishedDocument({ ...start, ...(loneArm !== undefined && { loneArm }) }, replicates);
  const pauseMs = pauseSecondsPerRequest(cell.endpoint) * 1_000;
  state.isDone =
    document.status !== "measured" || loneArm !== undefined || isSettled(replicates, design, pauseMs);
  state.turn = turnOf(replicates, design, pauseMs);
  await write(state, document, ports);
}

/** Draws the live view. An error in it becomes a warning and costs no replicate. */
function show({ replicates }: State, design: Design, { progress }: Pick<MeasurePorts, "progress">): void {
  try {
    progress({ kind: "replicate measured", progress: cellProgressOf(replicates, design) });
  } catch (error) {
    progress({ kind: "warning", text: `the view could not be drawn: ${messageOf(error)}` });
  }
}

function brokenDocument(
  { start, replicates }: State,
  error: unknown,
  ports: Pick<MeasurePorts, "signal">,
): Measurement {
  const done = { ...start, replicates: [...replicates] };
  if (ports.signal.aborted) return { ...done, status: "cancelled" };
  if (error instanceof BaseFailure) {
    return { ...done, status: "failed", failure: failureOf(error.cause, "the base: ") };
  }
  if (error instanceof EnvironmentError) return { ...done, status: "failed", failure: failureOf(error) };
  throw error;
}

/** The document of a cell that had no turn. */
function unmeasured({ start }: State, ports: Pick<MeasurePorts, "signal">): Measurement {
  const reason = "the minutes were used up before this cell had its turn; raise max-minutes";
  const failure = ports.signal.aborted ? undefined : { phase: "load" as const, reason, logTail: "" };
  return { ...start, replicates: [], status: "cancelled", ...(failure !== undefined && { failure }) };
}

async function write(state: State, document: Measurement, ports: ResultsPorts): Promise<void> {
  state.document = document;
  await save(document, ports);
}

/** Once. */
function tell(state: State, total: number, design: Design, ports: Pick<MeasurePorts, "progress">): void {
  const { document, index, isTold } = state;
  state.isTold = true;
  if (document !== undefined && !isTold)
    ports.progress({ kind: "cell finished", measurement: document, design, index, total });
}
