import { EnvironmentError } from "../core/errors.ts";
import { parseK6Summary } from "../core/load/k6-summary.ts";
import { armRecordOf, parseLoadRecords } from "../core/load/load-records.ts";
import { type Cell, type Load, loadSeconds } from "../core/measurement/cell.ts";
import type { Generator, Replicate } from "../core/measurement/measurement.ts";
import type { AppServer, DatabaseCopy, LoadOutput, MeasurePorts } from "../ports.ts";

/** With one arm nothing alternates; slices only give the time series its grain, and each costs a line per VU. */
const sliceMs = 250;
const blockMs = 1_000;

/** Everything one replicate of a cell stands on, already running. */
export interface Bench {
  readonly app: AppServer;
  readonly database: DatabaseCopy | undefined;
}

/** Warms the server up, puts the cell's load on it once and returns what was counted. */
export async function measureReplicate(
  cell: Cell,
  { app, database }: Bench,
  warmupSeconds: number,
  ports: MeasurePorts,
): Promise<Replicate> {
  if (warmupSeconds > 0) {
    ports.progress({ kind: "step", text: "warming up" });
    await loadApp(app, "warm up", ports, {
      ...requestFor(cell, app),
      load: { kind: "constant", virtualUsers: warmupUsers(cell.load), durationSeconds: warmupSeconds },
      name: `${cell.id}-warmup`,
    });
  }
  await database?.resetStatements();
  const cpuBefore = app.cpuSeconds();
  ports.progress({ kind: "load started", seconds: loadSeconds(cell.load) });
  const output = await loadApp(app, "load", ports, requestFor(cell, app));
  const cpuAfter = app.cpuSeconds();
  const sqlStatements = await database?.countStatements();
  const peakMemoryBytes = app.peakMemoryBytes();
  const { generator, record } = readOutput(output, cell.load);
  return {
    generator,
    arms: {
      head: {
        ...record,
        ...(cpuBefore !== undefined && cpuAfter !== undefined && { cpuSeconds: cpuAfter - cpuBefore }),
        ...(sqlStatements !== undefined && { sqlStatements }),
        ...(peakMemoryBytes !== undefined && { peakMemoryBytes }),
      },
    },
  };
}

function requestFor(cell: Cell, app: AppServer) {
  return {
    targets: [{ arm: "head", baseUrl: app.baseUrl }],
    endpoint: cell.endpoint,
    load: cell.load,
    sliceMs,
    seed: 1,
    name: cell.id,
  } as const;
}

/** Runs k6, but not a moment longer than the server lives. */
async function loadApp(
  app: AppServer,
  phase: "warm up" | "load",
  ports: MeasurePorts,
  request: Parameters<MeasurePorts["generateLoad"]>[0],
): Promise<LoadOutput> {
  const stop = new AbortController();
  const load = ports.generateLoad(request, AbortSignal.any([ports.signal, stop.signal]));
  const death = app.failure.then((reason) => {
    throw new EnvironmentError(phase, reason, { logTail: app.logTail() });
  });
  try {
    return await Promise.race([load, death]);
  } finally {
    stop.abort();
    await load.catch(() => undefined); // k6 is gone before the server is stopped; the first error is the one told
  }
}

function readOutput(output: LoadOutput, load: Load) {
  let generator: Generator;
  try {
    generator = parseK6Summary(output.summary);
    const seconds = loadSeconds(load) ?? generator.durationSeconds;
    const slices = parseLoadRecords(output.records);
    const record = armRecordOf("head", slices, { sliceMs, blockMs, endMs: seconds * 1_000 });
    return { generator, record: checked(record, generator) };
  } catch (cause) {
    if (cause instanceof EnvironmentError) throw cause;
    throw new EnvironmentError("read results", "what k6 wrote cannot be used", { cause });
  }
}

/** Our records and k6's own count must agree, and a load that sent nothing measured nothing. */
function checked<T extends Replicate["arms"]["head"] & object>(record: T, generator: Generator): T {
  const counted = Object.values(record.statuses).reduce((total, count) => total + count, 0);
  if (generator.requests === 0) throw new EnvironmentError("read results", "k6 sent no request");
  if (counted !== generator.requests) {
    const reason = `the records hold ${counted} requests, but k6 counted ${generator.requests}`;
    throw new EnvironmentError("read results", reason);
  }
  return record;
}

function warmupUsers(load: Load): number {
  const users =
    load.kind === "stages" ? Math.max(...load.stages.map((stage) => stage.virtualUsers)) : load.virtualUsers;
  return Math.max(1, Math.min(50, users)); // enough for every worker; more would only queue
}
