import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import { isCountable, stepsOf } from "../../model/endpoint/endpoint.ts";
import {
  addedCounts,
  type CallgrindCounts,
  type CountedArm,
  type CountedStart,
  type Instructions,
  mostLibraries,
} from "../../model/measurement/instructions.ts";
import { type ArmName, armNames, type Measurement } from "../../model/measurement/measurement.ts";
import { type Cell, withSendingOf } from "../../model/plan/cell.ts";
import { countableIn, countingSeconds, secondsForCounting } from "../../model/plan/minutes.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { InstructionCounter } from "../../ports/app.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { shortenEnd } from "../../text/length.ts";
import { type DocumentPorts, save } from "../cell-document.ts";
import { answersOf, type RunningArms, runningArmOf, type ServerPorts } from "../pair/index.ts";
import { keyOf, type Prepared } from "../preparation/index.ts";
import { reasonOf } from "./diagnose.ts";
import { oneOfEach } from "./watched-arm.ts";
import { readyWithin, startingWithin, within, withWatchedArms } from "./watched-servers.ts";

/** Each with other seeds. */
const starts = 2;
/** A start takes about ten times as long as usual. */
const mostStartSeconds = 60;
const mostEndpointSeconds = 15;

/** Requests before anything counts, and the seconds after which fewer are enough: each connection of a pool has its own first ones. */
const warming = { requests: 60, seconds: 1 } as const;
/** The same while instructions are counted, to see how long a request takes. */
const timing = { requests: 5, seconds: 0.25 } as const;
const batches = 4;
const batchSeconds = 0.3;
const [fewestRequests, mostRequests] = [3, 50];
/** Whoever has a request as slow as this does not wait for dozens of them. */
const slowRequestSeconds = 2;

const tooLate = { unseen: "`max-minutes` left no time" } as const;

type Ports = ServerPorts &
  DocumentPorts &
  Pick<MeasurePorts, "clock" | "countingProblem" | "random" | "signal" | "startDeadline">;

/** Seconds of `max-minutes` that counting needs; 0 where nothing will be counted. */
export async function secondsToCount(
  cells: readonly Cell[],
  { maxMinutes }: Pick<Design, "maxMinutes">,
  prepared: Prepared,
  { countingProblem }: Pick<Ports, "countingProblem">,
): Promise<number> {
  const wanted = isWantedIn(prepared) ? oneOfEach(cells.filter(({ endpoint }) => isCountable(endpoint))) : [];
  if (wanted.length === 0 || (await countingProblem()) !== undefined) return 0;
  return secondsForCounting(wanted.length, maxMinutes);
}

/**
 * Counts the instructions of each endpoint's requests, in both arms side by side, on servers that are started for that
 * alone. Adds them to the documents of all its cells, and changes nothing else in them. A failure costs only that.
 *
 * @param seconds of `max-minutes` that are left: endpoints for which they are too few are not counted
 */
export async function countInstructions(
  measurements: readonly Measurement[],
  prepared: Prepared,
  seconds: number,
  ports: Ports,
): Promise<readonly Measurement[]> {
  const chosen = isWantedIn(prepared) ? measurements.filter(isCounted) : [];
  const cells = oneOfEach(chosen.map(({ cell }) => cell)).slice(0, countableIn(seconds));
  if (chosen.length === 0 || ports.signal.aborted) return measurements;
  const unseen = await ports.countingProblem();
  if (unseen === undefined && cells.length > 0)
    ports.progress({ kind: "phase started", phase: "instructions", seconds: countingSeconds(cells.length) });
  const found = unseen === undefined ? await countCells(cells, prepared, ports) : undefined;
  if (ports.signal.aborted) return measurements;
  const resultOf = (cell: Cell) => (unseen === undefined ? (found?.get(keyOf(cell)) ?? tooLate) : { unseen });
  return await Promise.all(
    measurements.map(async (measurement) => {
      const instructions = chosen.includes(measurement) ? resultOf(measurement.cell) : undefined;
      const document = { ...measurement, ...defined({ instructions }) };
      if (instructions !== undefined) await save(document, ports);
      return document;
    }),
  );
}

/** What each endpoint's requests take, by `keyOf` their cells. */
export async function countCells(
  cells: readonly Cell[],
  prepared: Prepared,
  ports: Ports,
): Promise<ReadonlyMap<string, Instructions>> {
  const found = new Map<string, Instructions>();
  for (let start = 0; start < starts && !ports.signal.aborted; start += 1) {
    const open = cells.filter((cell) => !isUnseen(found.get(keyOf(cell))));
    if (!isNonEmpty(open)) break;
    const outcomes = await countOnce(open, prepared, ports);
    for (const [key, outcome] of outcomes) found.set(key, added(found.get(key), outcome));
  }
  return found;
}

function isWantedIn({ workload: { comparing, targets } }: Prepared): boolean {
  return comparing.countsInstructions && targets === undefined;
}

function isCounted({ cell, status, replicates }: Measurement): boolean {
  return (
    isCountable(cell.endpoint) && status === "measured" && replicates.some(({ pairs }) => pairs !== undefined)
  );
}

type Outcome = CountedStart | string;

function isUnseen(instructions: Instructions | undefined): boolean {
  return instructions !== undefined && "unseen" in instructions;
}

function added(known: Instructions | undefined, outcome: Outcome): Instructions {
  if (typeof outcome === "string") return { unseen: shortenEnd(outcome, 500) };
  return { starts: [...(known !== undefined && "starts" in known ? known.starts : []), outcome] };
}

async function countOnce(
  cells: readonly [Cell, ...Cell[]],
  prepared: Prepared,
  ports: Ports,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const hashSeed = ports.random();
  const load = withSendingOf(cells[0].load, { kind: "constant", virtualUsers: 1, durationSeconds: 1 });
  const seconds = readyWithin(prepared, mostStartSeconds) + mostEndpointSeconds * cells.length;
  const starting = startingWithin(prepared, mostStartSeconds);
  const options = { seed: hashSeed, counted: true } as const;
  try {
    await within(seconds, prepared, ports, (limited) =>
      withWatchedArms(
        { ...cells[0], load, workers: 1 },
        armNames,
        starting,
        options,
        limited,
        async (arms) => {
          const counting = { arms, prepared, ports: limited };
          const each = async (act: (cell: Cell) => Promise<Outcome | undefined>) => {
            for (const cell of cells) {
              if (outcomes.has(keyOf(cell))) continue; // it failed already
              const outcome = await act(cell).catch((error: unknown) => {
                if (limited.signal.aborted) throw error;
                return reasonOf(error);
              });
              if (outcome !== undefined) outcomes.set(keyOf(cell), outcome);
            }
          };
          await each(async (cell) => void (await fastestOf(warming, cell, counting)));
          await inBoth((arm) => counterOf(arms, arm).begin());
          const idlePerSecond = () => inBoth((arm) => counterOf(arms, arm).idlePerSecond());
          const before = await idlePerSecond();
          const counted = new Map<string, Batches>();
          await each(async (cell) => {
            const batches = await countCell(cell, counting);
            if (typeof batches === "string") return batches;
            counted.set(keyOf(cell), batches);
            return undefined;
          });
          const after = await idlePerSecond();
          for (const [key, { requests, base, head }] of counted)
            outcomes.set(key, {
              hashSeed,
              requests,
              base: { ...base, idlePerSecond: [before.base, after.base] },
              head: { ...head, idlePerSecond: [before.head, after.head] },
            });
        },
      ),
    );
  } catch (error) {
    if (!ports.signal.aborted)
      for (const cell of cells) if (!outcomes.has(keyOf(cell))) outcomes.set(keyOf(cell), reasonOf(error));
  }
  return outcomes;
}

interface Counting {
  readonly arms: RunningArms;
  readonly prepared: Prepared;
  readonly ports: Ports;
}

type OfBoth<T> = Readonly<Record<ArmName, T>>;

/** Side by side, and never one alone. */
async function inBoth<T>(act: (arm: ArmName) => Promise<T>): Promise<OfBoth<T>> {
  const ofArms = await Promise.allSettled(armNames.map(act));
  const [base, head] = ofArms.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
  return { base, head } as OfBoth<T>;
}

function counterOf(arms: RunningArms, arm: ArmName): InstructionCounter {
  return runningArmOf(arms, arm).counter as InstructionCounter; // these arms were started to be counted
}

/** Sends as many requests to each arm. Returns the seconds of the fastest one. */
async function fastestOf(
  most: { readonly requests: number; readonly seconds: number },
  cell: Cell,
  counting: Counting,
): Promise<number> {
  const { clock } = counting.ports;
  const endsAt = clock() + most.seconds;
  let fastest = Number.POSITIVE_INFINITY;
  for (let sent = 0; sent === 0 || (sent < most.requests && clock() < endsAt); sent += 1) {
    const beganAt = clock();
    await inBoth((arm) => request(cell, arm, sent, counting));
    fastest = Math.min(fastest, clock() - beganAt);
  }
  return fastest;
}

type Batches = Pick<CountedStart, "requests"> & OfBoth<Omit<CountedArm, "idlePerSecond">>;

async function countCell(cell: Cell, counting: Counting): Promise<Batches | string> {
  const took = await fastestOf(timing, cell, counting);
  if (took > slowRequestSeconds) return "a request takes too long while its instructions are counted";
  const wanted = Math.round(batchSeconds / took);
  const requests = Math.min(mostRequests, Math.max(fewestRequests, wanted));
  const counted = await inBoth((arm) => countBatches(cell, arm, requests, counting));
  const steps = stepsOf(cell.endpoint).filter((step) => "path" in step).length;
  return { requests: requests * steps, ...counted };
}

async function countBatches(
  cell: Cell,
  arm: ArmName,
  requests: number,
  counting: Counting,
): Promise<Omit<CountedArm, "idlePerSecond">> {
  const { clock } = counting.ports;
  const counter = counterOf(counting.arms, arm);
  const counted: CallgrindCounts[] = [];
  const seconds: number[] = [];
  await counter.read();
  for (let batch = 0; batch < batches; batch += 1) {
    const beganAt = clock();
    for (let row = 0; row < requests; row += 1) await request(cell, arm, row, counting);
    counted.push(await counter.read());
    seconds.push(clock() - beganAt);
  }
  const libraries = [...addedCounts(counted).libraries]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostLibraries);
  return { batches: counted.map(({ instructions }) => instructions), seconds, libraries };
}

/** Sends a cell's requests once, through a connection that stays open. */
async function request(cell: Cell, arm: ArmName, row: number, { arms, prepared, ports }: Counting) {
  ports.signal.throwIfAborted();
  const answers = await answersOf(cell, arm, runningArmOf(arms, arm), prepared, ports, row);
  const problem = answers.find((each) => each.problem !== undefined)?.problem;
  if (problem !== undefined) throw new EnvironmentError("dry request", problem);
}
