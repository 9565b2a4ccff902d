import { halfBehind, isSettled, nextCell, type Spent, turnOf } from "../../compare/cell-comparison.ts";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import { pauseSecondsPerRequest } from "../../model/endpoint/endpoint.ts";
import type { Measurement, Replicate } from "../../model/measurement/measurement.ts";
import { type Cell, isAlikeButForEndpoint, onlyReads } from "../../model/plan/cell.ts";
import { fewestReplicates } from "../../model/plan/minutes.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { ClockPorts } from "../../ports/machine.ts";
import { cellName, cellProgressOf } from "../../report/progress/cell-progress.ts";
import {
  brokenDocument,
  type DocumentPorts,
  type DocumentStart,
  finishedDocument,
  save,
  startDocument,
} from "../cell-document.ts";
import { BaseFailure, type Prepared } from "../preparation/index.ts";
import type { CellMemory } from "./phases.ts";
import { measureReplicate, type ReplicateOutcome, type ReplicatePorts } from "./replicate.ts";

/** A start that takes a sixth of the usual load, or longer, is shared. */
const sharedFromSeconds = 0.5;

interface State {
  readonly cell: Cell;
  readonly index: number;
  start: DocumentStart;
  readonly memory: CellMemory;
  readonly replicates: Replicate[];
  /** Its newest document; absent before the first replicate. */
  document?: Measurement;
  isDone: boolean;
  isReported: boolean;
  turn: number;
}

interface Context {
  readonly design: Design;
  readonly prepared: Prepared;
  readonly clock: TimeKeeper;
  readonly states: readonly State[];
  readonly ports: ReplicatePorts & DocumentPorts;
}

/**
 * What is found out once every cell had its first look, and is known at all later ones.
 *
 * @param areAllSettled true when nothing else needs the minutes
 * @returns the documents with what was found
 */
type Meanwhile = (
  measurements: readonly Measurement[],
  areAllSettled: boolean,
) => Promise<readonly Measurement[]>;

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
  ports: Context["ports"],
  meanwhile: Meanwhile,
): Promise<Measurement[]> {
  const clock = timeKeeper(design, ports);
  const states = cells.map((cell, index): State => {
    const start = startDocument(cell, prepared, ports);
    return { cell, index, start, memory: {}, replicates: [], isDone: false, isReported: false, turn: 0 };
  });
  const context = { design, prepared, clock, states, ports };
  const isOver = () => ports.signal.aborted || clock.isOver();
  const open = () => (isOver() ? [] : states.filter(({ isDone }) => !isDone));
  const bringTo = async (look: number, state: State, isAlone: boolean) => {
    const isBehind = () => !state.isDone && state.replicates.length < look && !isOver();
    if (!isBehind()) return; // another cell's servers have brought it there
    ports.progress({ kind: "cell started", cell: state.cell, index: state.index, total: cells.length });
    while (isBehind()) await advance(state, isAlone, isOver, context);
    for (const each of [state, ...states]) if (each.isDone) report(each, context);
  };
  // One each first: where the minutes do not suffice, a row has figures rather than a reason why it has none.
  for (const look of new Set([1, fewestReplicates, ...design.looks.slice(0, 1)]))
    for (const state of open()) await bringTo(look, state, false);
  await learn(meanwhile, context);
  for (const each of states) if (each.isDone) report(each, context);
  const spent: Spent = { likely: 0, all: 0 };
  for (let waiting = open(); isNonEmpty(waiting); waiting = open()) {
    const half = halfBehind(spent);
    const state = nextCell(waiting, half);
    const look = design.looks.find((each) => each > state.replicates.length) ?? state.replicates.length + 1;
    const began = ports.clock();
    await bringTo(look, state, half === "likely");
    spent[half] += ports.clock() - began;
  }
  for (const state of states.filter(({ isDone }) => !isDone)) {
    if (state.document === undefined) await write(state, unmeasured(state, ports), ports);
    report(state, context);
  }
  return states.flatMap(({ document }) => document ?? []);
}

/** Adds what the first looks leave time to find out, and judges every cell with it. */
async function learn(meanwhile: Meanwhile, { states, design }: Context): Promise<void> {
  const known = states.flatMap(({ document }) => document ?? []);
  const found = await meanwhile(
    known,
    states.every(({ isDone }) => isDone),
  );
  for (const state of states) {
    const document = found.find(({ cell }) => cell === state.cell);
    if (document === undefined) continue;
    const { instructions, aged } = document;
    state.document = document;
    state.start = { ...state.start, ...defined({ instructions, aged }) };
    if (!state.isDone) judge(state, design);
  }
}

/**
 * Measures one more replicate and saves the document; then, unless it is to be alone, one of each cell that shares the
 * start of the servers, as far as the minutes go.
 */
async function advance(
  state: State,
  isAlone: boolean,
  isOver: () => boolean,
  context: Context,
): Promise<void> {
  const { prepared, clock, ports } = context;
  const others = isAlone ? [] : sharing(state, context.states);
  ports.progress({ kind: "step", text: `replicate ${state.replicates.length + 1}` });
  clock.begin();
  try {
    const { cell, memory } = state;
    const led = { cell, memory, sharing: 1 + others.length };
    await measureReplicate(led, prepared, ports, async (outcome, measureMore) => {
      await record(state, outcome, context);
      show(state, context);
      clock.lap();
      for (const other of measureMore === undefined ? [] : others) {
        if (isOver()) return;
        ports.progress({ kind: "step", text: `on the same servers: ${cellName(other.cell)}` });
        const known = { ...other.memory };
        const measured = await measureMore?.(other.cell, known).catch((error) => {
          const isExpected = error instanceof BaseFailure || error instanceof EnvironmentError;
          if (!isExpected && !ports.signal.aborted) throw error;
        });
        // What failed here has a turn of its own, on fresh servers, and knows nothing of this one.
        if (measured === undefined) return;
        Object.assign(other.memory, known);
        await record(other, measured, context);
        show(other, context);
        clock.lap();
      }
    });
  } catch (error) {
    state.isDone = true;
    clock.lap();
    await write(state, brokenDocument(state.start, state.replicates, error, ports), ports);
  }
}

/**
 * Cells that may be measured on the servers of this one: their starts are slow, they differ in their endpoint alone and
 * only read, and they have no more replicates yet.
 */
function sharing({ cell, replicates }: State, all: readonly State[]): readonly State[] {
  const alike = all.filter((other) => isAlikeButForEndpoint(other.cell, cell) && onlyReads(other.cell));
  const isSlow = alike.some(({ memory }) => (memory.serversSeconds ?? 0) >= sharedFromSeconds);
  if (!isSlow || !onlyReads(cell)) return [];
  return alike.filter(
    (other) => other.cell !== cell && !other.isDone && other.replicates.length <= replicates.length,
  );
}

async function record(
  state: State,
  { replicate, loneArm }: ReplicateOutcome,
  { design, ports }: Context,
): Promise<void> {
  const { start, replicates } = state;
  replicates.push(replicate);
  const document = finishedDocument({ ...start, ...defined({ loneArm }) }, replicates);
  state.isDone = document.status !== "measured" || loneArm !== undefined;
  if (!state.isDone) judge(state, design);
  await write(state, document, ports);
}

function judge(state: State, design: Design): void {
  const { cell, replicates, start } = state;
  const known = {
    pauseMs: pauseSecondsPerRequest(cell.endpoint) * 1_000,
    ...defined({ instructions: start.instructions }),
  };
  state.isDone = isSettled(replicates, design, known);
  state.turn = turnOf(replicates, design, known);
}

/** Draws the live view. An error in it becomes a warning and costs no replicate. */
function show({ cell, replicates }: State, { design, ports: { progress } }: Context): void {
  try {
    progress({ kind: "replicate measured", cell, progress: cellProgressOf(replicates, design) });
  } catch (error) {
    progress({ kind: "warning", text: `the live view could not be drawn: ${messageOf(error)}` });
  }
}

function unmeasured({ start }: State, { signal }: Pick<ReplicatePorts, "signal">): Measurement {
  const reason = "no time was left for this cell; raise max-minutes";
  const failure = signal.aborted ? undefined : { phase: "load" as const, reason, logTail: "" };
  return { ...start, replicates: [], status: "cancelled", ...defined({ failure }) };
}

async function write(state: State, document: Measurement, ports: DocumentPorts): Promise<void> {
  state.document = document;
  await save(document, ports);
}

function report(state: State, { design, states, ports }: Context): void {
  const { document, index, isReported } = state;
  state.isReported = true;
  if (document !== undefined && !isReported)
    ports.progress({ kind: "cell finished", measurement: document, design, index, total: states.length });
}

type TimeKeeper = ReturnType<typeof timeKeeper>;

/** Knows when the minutes are used up: when another replicate as long as the longest so far would not fit. */
function timeKeeper({ maxMinutes }: Design, ports: Pick<ClockPorts, "clock">) {
  const endSeconds = ports.clock() + maxMinutes * 60;
  let longestSeconds = 0;
  let beganSeconds = 0;
  return {
    isOver: () => ports.clock() + longestSeconds > endSeconds,
    begin: () => {
      beganSeconds = ports.clock();
    },
    lap: () => {
      longestSeconds = Math.max(longestSeconds, ports.clock() - beganSeconds);
      beganSeconds = ports.clock();
    },
  };
}
