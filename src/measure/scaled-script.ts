import { InputError } from "../errors/errors.ts";
import { endpointLabel } from "../model/endpoint/endpoint.ts";
import { parseK6Summary } from "../model/load/k6-summary.ts";
import { parseLoadRecords, secondsToLastReply } from "../model/load/load-records.ts";
import { loneSlicing } from "../model/load/slicing.ts";
import { type ArmName, armNames } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Plan, PlannedGenerators } from "../model/plan/plan.ts";
import { plainSlices } from "../model/scale/generator-logs.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import { planMark } from "../model/scale/scaled-plan.ts";
import { armOfTurn, type Schedule, scheduleOf } from "../model/scale/script-turns.ts";
import { segmentOf, sequenceOf } from "../model/scale/segments.ts";
import type { LoadRequest, ScriptFacts } from "../ports/load.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { cpuShareOf, numbersHere, readySeconds } from "./own-generators.ts";
import type { Prepared } from "./prepared.ts";
import { targetOf, withRunningArms } from "./running-arms.ts";

/** What all turns of all generators have in common. */
interface Turns extends Schedule {
  readonly requestOf: (arm: ArmName) => Omit<LoadRequest, "name">;
  readonly armOf: (turn: number) => ArmName;
  readonly common: Pick<
    GeneratorRecords["identity"],
    "cell" | "run" | "plan" | "script" | "version" | "clock"
  >;
  readonly count: number;
  readonly startMs: number;
  readonly readyMs: number;
}

/**
 * Runs a script of the user's own as generators whose turns begin at common instants: each is a load of its own. Throws
 * an `InputError` before the first one when the script's length is not known, or does not fit the minutes.
 */
export async function scriptRecords(
  cell: Cell,
  plan: Plan,
  planned: PlannedGenerators,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<GeneratorRecords[]> {
  const { run, count } = planned;
  const isCompared = plan.design !== undefined;
  const arms = isCompared ? armNames : (["head"] as const);
  return await withRunningArms(cell, arms, prepared, {}, ports, async (runningArms) => {
    const requestOf = (arm: ArmName) => ({
      targets: [targetOf(runningArms, arm)] as const,
      endpoint: cell.endpoint,
      load: cell.load,
      ...(isCompared && { isCompared }),
      sliceMs: loneSlicing.sliceMs,
      seed: 1,
      cpus: ports.cpuSets?.others,
    });
    const head = requestOf("head");
    const facts = await ports.inspectScript({ ...head, name: `${cell.id}-script` });
    const schedule = checkedSchedule(cell, facts, plan);
    const nowMs = Date.parse(ports.now());
    const startMs = planned.startMs ?? nowMs + readySeconds * 1_000;
    const urls = arms.map((arm) => targetOf(runningArms, arm).baseUrl);
    const clock = await ports.lookAtClock(head.targets[0].baseUrl, startMs);
    const turns: Turns = {
      ...{ ...schedule, requestOf, count, startMs, readyMs: nowMs },
      armOf: (turn) => (isCompared ? armOfTurn(turn, run, cell.id) : "head"),
      common: {
        ...{ cell: cell.id, run, plan: planMark(plan), version: facts.version, clock },
        script: fingerprint(JSON.stringify([facts.mark, urls])),
      },
    };
    ports.progress({ kind: "load started", seconds: schedule.turns * schedule.spacingSeconds });
    const numbers = numbersHere(planned, prepared);
    using stop = ports.startDeadline(ports.signal);
    const all = numbers.map((number) => recordsOfTurns(number, turns, numbers.length, stop.signal, ports));
    try {
      return (await Promise.all(all)).flat();
    } finally {
      stop.abort();
      await Promise.allSettled(all); // no other k6 goes on when one has failed
    }
  });
}

function checkedSchedule({ endpoint }: Cell, { seconds, logTail }: ScriptFacts, { design }: Plan): Schedule {
  const script = endpointLabel(endpoint);
  if (seconds === undefined) {
    const [said = ""] = logTail.trim().split("\n").slice(-1);
    throw new InputError([
      `script, max-minutes: k6 inspect does not say how long ${script} takes, so nobody knows how many runs fit; it said ${JSON.stringify(said.slice(0, 500))}`,
    ]);
  }
  const schedule = scheduleOf(script, seconds, design);
  if (typeof schedule === "string") throw new InputError([schedule]);
  return schedule;
}

/** @param together number of generators that run on this machine */
async function recordsOfTurns(
  number: number,
  { turns, spacingSeconds, requestOf, armOf, common, count, startMs: firstStartMs, readyMs }: Turns,
  together: number,
  signal: AbortSignal,
  ports: MeasurePorts,
): Promise<GeneratorRecords[]> {
  const process = `${readyMs.toString(36)}-${ports.random().toString(36)}-${number}`;
  const place = { segment: segmentOf(number, count), sequence: sequenceOf(count) };
  const records: GeneratorRecords[] = [];
  let beforeMs = readyMs;
  for (let index = 0; index < turns; index += 1) {
    const startMs = firstStartMs + index * spacingSeconds * 1_000;
    const arm = armOf(index);
    if (number === 1 || together === 1)
      ports.progress({ kind: "step", text: `the script against the ${arm}, ${index + 1} of ${turns}` });
    const { cell, run, plan } = common;
    const request = {
      ...requestOf(arm),
      name: `${cell}-generator-${number}-${arm}`,
      generator: { cell, run, plan, ...place, startMs, withinSeconds: (startMs - beforeMs) / 1_000 },
    };
    const { summary, records: text, cpuSeconds, script, turn } = await ports.generateLoad(request, signal);
    if (script === undefined || turn === undefined) throw new Error("a script's run told nothing of itself");
    const { requests, droppedIterations, iterations } = parseK6Summary(summary);
    const slices = parseLoadRecords(text);
    const end = { process, requests, droppedIterations, durationSeconds: secondsToLastReply(slices) };
    const { begunMs, firstMs, parts } = turn;
    records.push({
      schemaVersion: 1,
      identity: { ...common, process, ...place, startMs, readyMs: beforeMs, begunMs },
      end,
      ...(cpuSeconds !== undefined && { cpuShare: cpuShareOf(cpuSeconds, { end }, together, ports) }),
      slices: plainSlices(slices),
      turn: {
        ...{ index, of: turns, iterations },
        ...(firstMs !== undefined && { firstMs }),
        script: { ...script, ...parts },
      },
    });
    beforeMs = Date.parse(ports.now());
  }
  return records;
}
