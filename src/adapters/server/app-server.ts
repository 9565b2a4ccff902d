import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EnvironmentError, isOtherStore } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { Holdings } from "../../model/measurement/shared-things.ts";
import type { AppServer, ServerCommand } from "../../ports/app.ts";
import { overruledIn, settledCommand } from "../../repository/server-settings.ts";
import { redact } from "../../text/redact.ts";
import { troublesIn } from "../../text/telling-line.ts";
import { printable } from "../../text/visible.ts";
import {
  cpuClock,
  hasProcfs,
  isCode,
  isLaidOut,
  laidOutIfThere,
  type ProcessEntry,
  processesOf,
  pythonTool,
  type RunningProcess,
  readProcess,
  residentMemory,
  startProcess,
  textOfPlainFile,
  withOwnStores,
} from "../process/index.ts";
import { cpusOf, keepToCpus } from "./cpu-placement.ts";
import { withItsAddress, withReason } from "./failed-start.ts";
import { pathsOf, portOf, portProblem, portsOf } from "./listening-sockets.ts";
import { untilReady } from "./readiness.ts";
import { abandonedProcesses, markVariable, newMark, signalAll } from "./server-processes.ts";
import { failureNow, firstFailure, stopServer } from "./server-stop.ts";

export interface AppServerOptions {
  readonly logPath: string;
  /** Ends the start; a server that is ready is stopped by disposal alone. */
  readonly signal: AbortSignal;
  /** Sentence on a store of somebody else that its processes open; absent: nobody looks. */
  otherStore?(roots: readonly number[], isOver: boolean): Promise<string | undefined>;
  /** Called for leftovers of a stopped server, and when it could not be bound to its CPUs. */
  readonly warn?: (text: string) => void;
}

const countedBytes = 8_000_000;
/** File systems may keep times of a coarser clock. */
const fileClockMs = 50;

/** Starts the app and waits until it is ready. Throws an `EnvironmentError` with the end of the server's log. */
export async function startAppServer(given: ServerCommand, options: AppServerOptions): Promise<AppServer> {
  const { logPath, signal, warn = () => undefined } = options;
  const command = withOurSettings(given, warn);
  const { stopsWithinSeconds } = command;
  const graceMs = stopsWithinSeconds === undefined ? undefined : stopsWithinSeconds * 1_000;
  signal.throwIfAborted();
  signalAll(abandonedProcesses(), "SIGKILL"); // they take the CPU, and perhaps the port, from our measurement
  const port = portOf(command.baseUrl);
  const taken = await portProblem(port);
  if (taken !== undefined) throw new EnvironmentError("start app", taken);

  const mark = newMark();
  const begunMs = Date.now() - fileClockMs;
  const running = await spawnServer(command, mark, logPath);
  const logTail = () => redact(running.tail(), command.variables);
  const usage = trackUsage(running.pid);
  const look = async (isOver = false) => {
    const sentence = await options.otherStore?.([running.pid], isOver);
    return sentence === undefined ? undefined : await withItsAddress(sentence, command);
  };
  const watch = new AbortController();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    watch.abort();
    stopping ??= stopServer({ running, mark, port, graceMs, warn }).finally(() => usage[Symbol.dispose]());
    return stopping;
  };
  try {
    const workers = await withOwnStores(
      () => look(),
      { phase: "start app", signal },
      (until) => untilReady(command, running, until),
    );
    if (command.cpus !== undefined) {
      const keeping = { logPath: `${logPath}.taskset`, signal };
      const problem = await keepToCpus(running.pid, command.cpus, keeping);
      if (problem !== undefined) warn(`the server could not be limited to CPUs ${command.cpus}: ${problem}`);
    }
    const workerClocks = workers.map(clockOf);
    return {
      baseUrl: command.baseUrl,
      failure: firstFailure(running, workers, watch.signal),
      failureNow: () => failureNow(running, workers),
      otherStore: () => look(true),
      cpuSeconds: usage.cpuSeconds,
      workerCpuSeconds: () => (hasProcfs ? workerClocks.map((clock) => clock() ?? 0) : undefined),
      cpus: () => cpusOf(running.pid),
      ...defined({
        isLaidOut: command.layoutSeed === undefined ? undefined : areLaidOut(processesOf(running.pid)),
        readyMemoryBytes: usage.memoryBytes(),
        startCpuSeconds: usage.cpuSeconds(),
      }),
      peakMemoryBytes: usage.peakMemoryBytes,
      peaksOfMemory: usage.peaksOfMemory,
      logTail,
      troubles: () => troublesIn(redact(running.tail(countedBytes), command.variables)),
      ...(hasProcfs && { holdings: () => holdingsOf(running.pid, port, logPath) }),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    if (!(error instanceof EnvironmentError) || isOtherStore(error)) throw error;
    throw await withReason(error, command, running, begunMs);
  }
}

async function spawnServer(command: ServerCommand, mark: string, logPath: string): Promise<RunningProcess> {
  const { argv: bare, folder, variables, layoutSeed } = command;
  if (!existsSync(folder))
    throw new EnvironmentError("start app", `the app's folder ${folder} does not exist`);
  const place = { folder, path: variables["PATH"] };
  const argv = layoutSeed === undefined ? bare : await laidOutIfThere(bare, layoutSeed, place);
  try {
    return await startProcess({ argv, folder, variables: { ...variables, [markVariable]: mark }, logPath });
  } catch (cause) {
    const [program] = bare;
    if (!isCode(cause, "ENOENT"))
      throw new EnvironmentError("start app", `program "${program}" could not be started`, { cause });
    const reason = `program "${program}" was not found; is it among the app's requirements?`;
    throw new EnvironmentError("start app", reason, { cause, detail: { kind: "missing program", program } });
  }
}

function holdingsOf(root: number, port: number, logPath: string): Holdings {
  const processes = processesOf(root);
  return {
    ports: portsOf(processes).filter((each) => each !== port),
    paths: pathsOf(processes).filter((each) => each !== logPath),
  };
}

/** False also where no process can be seen. */
function areLaidOut(processes: readonly ProcessEntry[]): boolean {
  const alive = processes.filter(({ isZombie }) => !isZombie);
  return alive.length > 0 && alive.every(({ pid }) => isLaidOut(pid));
}

function clockOf(worker: ProcessEntry): () => number | undefined {
  return cpuClock(() => {
    const now = readProcess(worker.pid);
    return now?.start === worker.start ? [now] : [];
  });
}

/** A command whose configuration file cannot take the server away; what that sets is reported. */
function withOurSettings(command: ServerCommand, warn: (text: string) => void): ServerCommand {
  const { argv, folder, variables } = command;
  const settled = settledCommand(argv, variables);
  if (settled === undefined) return command;
  const { configuration, settings } = settled;
  const path = resolve(folder, configuration.replace(/^file:/, ""));
  const isModule = configuration.startsWith("python:");
  if (!isModule && !existsSync(path)) return command; // none, or one that the server says it misses
  const text = isModule ? "" : (textOfPlainFile(path, { largestBytes: 1_000_000 }) ?? "");
  const overruled = overruledIn(text, argv, settings).join(", ");
  const why = "would end or hide the server, or are set here, so the measurement overrides them";
  if (overruled !== "") warn(printable(`${configuration}: ${overruled} ${why}`));
  return {
    ...command,
    argv: settled.argvWith(pythonTool(settings.program)),
    variables: { ...variables, LOADTEST_SERVER_CONFIG: configuration },
  };
}

interface ServerUsage extends Disposable {
  /** `undefined` without procfs. */
  cpuSeconds(): number | undefined;
  memoryBytes(): number | undefined;
  peakMemoryBytes(): number | undefined;
  peaksOfMemory(): readonly number[];
}

const sampleEveryMs = 500;
/** Share of the time that samples may take on machines with thousands of processes. */
const largestShare = 0.01;

function trackUsage(root: number): ServerUsage {
  let processes: readonly ProcessEntry[] = [];
  const clock = cpuClock(() => processes);
  let cpu: number | undefined;
  let memory: number | undefined;
  let peak: number | undefined;
  const peaks: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    if (!hasProcfs) return;
    processes = processesOf(root);
    cpu = clock();
    memory = memoryOf(processes);
    peak = Math.max(peak ?? 0, memory);
  };
  const repeat = () => {
    const before = performance.now();
    sample();
    if (peak !== undefined) peaks.push(peak);
    timer = setTimeout(repeat, Math.max(sampleEveryMs, (performance.now() - before) / largestShare)).unref();
  };
  repeat();
  return {
    cpuSeconds: () => {
      sample();
      return cpu;
    },
    memoryBytes: () => {
      sample();
      return memory;
    },
    peakMemoryBytes: () => {
      sample();
      return peak;
    },
    peaksOfMemory: () => [...peaks],
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Pages of files, mostly libraries, are much the same in all workers, so only the largest share counts. */
function memoryOf(processes: readonly ProcessEntry[]): number {
  const memories = processes.flatMap(({ pid }) => residentMemory(pid) ?? []);
  return (
    sum(memories.map(({ ownBytes }) => ownBytes)) + Math.max(0, ...memories.map(({ fileBytes }) => fileBytes))
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
