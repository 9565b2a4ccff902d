import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import type { StandIn } from "../stand-in/github.ts";
import {
  brokenAppModes,
  brokenDatabaseModes,
  withBrokenApp,
  withBrokenDatabase,
  withClock,
  withContainer,
} from "./broken-parts.ts";
import { addOldComment } from "./commented.ts";
import { limitFiles, type SmallDisk } from "./disk.ts";
import { descendantsOf, type Entry, signalQuietly } from "./processes.ts";
import type { Place, Prepared } from "./program.ts";

/** The target of a fault. */
export interface Target {
  readonly run: ChildProcess;
  readonly disk: SmallDisk | undefined;
  readonly random: () => number;
  /** Runs the program once more, beside this run. Resolves to its exit status. */
  another(): Promise<number>;
  /** The run's output so far. */
  output(): string;
  /** Aborts when the run has ended. */
  readonly over: AbortSignal;
}

/** Something that goes wrong during a run, and the exit statuses that may follow. */
export interface Fault {
  readonly name: string;
  /** Possible exit statuses after a fault in time; 0 is always right when it came too late to matter. */
  readonly statuses: readonly number[];
  /** It waits for the load by itself; 0 is wrong once it found it. */
  readonly isUnderLoad?: true;
  /** True when the run needs a small disk of its own. */
  readonly needsDisk?: true;
  /** Called at a random moment; resolves to true when it found its target before the run had ended. */
  strike(target: Target): Promise<boolean>;
  /** GitHub's faults when the report is to be commented. */
  ofGitHub?(github: StandIn): void;
  /** True when the report may stay without a comment: GitHub never lets it be written. */
  readonly mayLackComment?: true;
  /** Sent to the report at a random moment; then it is made once more, as when a job is run again. */
  readonly reportSignal?: NodeJS.Signals;
  /**
   * True when it may be waited for long, because nobody can tell it from work: a statement of a seed may take hours. Then
   * it is cancelled.
   */
  readonly isCancelled?: true;
  /** True when only the report meets it, so the results of an earlier run will do. */
  readonly isOfReport?: true;
  /** Options and variables of a run that has such a fault in it. */
  prepare?(place: Place, random: () => number): Promise<Prepared> | Prepared;
}

/** Signals to ourselves, as a user or the runner sends them. */
function signals(names: readonly NodeJS.Signals[], ...statuses: readonly number[]): Fault {
  return {
    name: names.join(", "),
    statuses,
    strike: async ({ run }) => {
      for (const name of names) run.kill(name);
      return true;
    },
  };
}

/** Sends a signal to a process below the run: the first one from this moment on that `choose` accepts. */
function hit(
  name: string,
  choose: (found: readonly Entry[], random: () => number) => Entry | undefined,
  { signal = "SIGKILL", statuses = [3] }: { signal?: NodeJS.Signals; statuses?: readonly number[] } = {},
): Fault {
  const strike = async ({ run, random, over }: Target): Promise<boolean> => {
    const patienceMs = random() * 600;
    for (;;) {
      const victim = choose(descendantsOf(run.pid ?? 0), random);
      if (over.aborted) return false;
      if (victim !== undefined) {
        await pause(patienceMs, over); // not always at its very start
        if (over.aborted) return false;
        const now = choose(descendantsOf(run.pid ?? 0), random);
        if (now !== undefined) {
          signalQuietly(now.pid, signal);
          return true;
        }
      }
      await pause(5, over);
    }
  };
  return { name, statuses, strike };
}

/** The same in the middle of a load, when nothing replaces the loss: the run must not call it measured. */
function hitUnderLoad(
  name: string,
  choose: (found: readonly Entry[]) => Entry | undefined,
  signal: NodeJS.Signals = "SIGKILL",
  statuses: readonly number[] = [3],
): Fault {
  const strike = async ({ run, random, over, output }: Target): Promise<boolean> => {
    const cells = random() < 0.5 ? 1 : 2;
    while (output().split("under load").length <= cells && !over.aborted) await pause(5, over);
    await pause(random() * 700, over); // within a second's load, which k6 begins some tenths of a second later
    const found = descendantsOf(run.pid ?? 0);
    const victim = choose(found);
    if (over.aborted || victim === undefined || generator(found) === undefined) return false;
    signalQuietly(victim.pid, signal);
    return true;
  };
  return { name: `${name}, under load`, statuses, isUnderLoad: true, strike };
}

const first = (pattern: RegExp) => (found: readonly Entry[]) =>
  found.find(({ words }) => pattern.test(words));
const last = (pattern: RegExp) => (found: readonly Entry[]) =>
  found.findLast(({ words }) => pattern.test(words));
const server = first(/uvicorn/);
const worker = last(/multiprocessing[. ]spawn/);
const generator = first(/k6 run/);
const any = (found: readonly Entry[], random: () => number) => found[Math.floor(random() * found.length)];

/** Only the report meets it. */
function ofGitHub(name: string, faults: (github: StandIn) => void, mayLackComment?: true): Fault {
  return {
    name: `GitHub: ${name}`,
    statuses: [],
    isOfReport: true,
    strike: async () => true,
    ofGitHub: faults,
    ...(mayLackComment && { mayLackComment }),
  };
}

const list = "issues/list-comments";
const create = "issues/create-comment";
/** Our own process dies without a chance to clean up; its leftovers are the next run's to find. */
export const ownDeath: Fault = {
  name: "our own process killed, and the next run",
  statuses: [],
  strike: async ({ run }) => run.kill("SIGKILL"),
};

export const faults: readonly Fault[] = [
  { name: "nothing", statuses: [], strike: async () => true },
  signals(["SIGINT"], 130),
  signals(["SIGTERM"], 143),
  // At once: the system may run the handler of the last one first when signals wait together.
  signals(["SIGINT", "SIGINT", "SIGTERM"], 130, 143),
  signals(["SIGHUP"], 129),
  {
    name: "nobody reads its output any more",
    statuses: [141],
    strike: async ({ run }) => {
      for (const stream of [run.stdout, run.stderr]) stream?.destroy();
      return true;
    },
  },
  hit("the server killed", server),
  hit("a worker killed", worker),
  hit("the server told to end", server, { signal: "SIGTERM" }),
  hit("k6 killed", generator),
  hit("k6 told to end", generator, { signal: "SIGINT" }),
  hitUnderLoad("the server killed", server),
  hitUnderLoad("a worker killed", worker),
  hitUnderLoad("the server told to end", server, "SIGTERM"),
  hitUnderLoad("k6 killed", generator),
  hitUnderLoad("k6 told to end", generator, "SIGINT"),
  // Stalled: it is there, and does and answers nothing. What it was to answer fails, or is late and right.
  hit("the server stalled", server, { signal: "SIGSTOP", statuses: [0, 3] }),
  hitUnderLoad("the server stalled", server, "SIGSTOP", [0, 3]),
  hitUnderLoad("a worker stalled", worker, "SIGSTOP", [0, 3]),
  hitUnderLoad("k6 stalled", generator, "SIGSTOP", [3]),
  hit("Postgres stalled", first(/postgres -D|bin\/postgres/), { signal: "SIGSTOP", statuses: [0, 3] }),
  {
    ...hit("a session of Postgres stalled", last(/postgres: loadtest/), {
      signal: "SIGSTOP",
      statuses: [0, 3, 130],
    }),
    isCancelled: true,
  },
  { ...hit("any child stalled", any, { signal: "SIGSTOP", statuses: [0, 2, 3, 130] }), isCancelled: true },
  ...brokenAppModes.map((mode): Fault => {
    const prepare: Fault["prepare"] = (place, random) => withBrokenApp(place, mode, random);
    return { name: `an app whose replies are: ${mode}`, statuses: [0, 3], prepare, strike: async () => true };
  }),
  ...brokenDatabaseModes.map((mode): Fault => {
    const prepare: Fault["prepare"] = (_, random) => withBrokenDatabase(mode, random);
    return {
      name: `a database whose replies are: ${mode}`,
      statuses: [3],
      prepare,
      strike: async () => true,
    };
  }),
  ...[-86_400, 3_600, 40 * 86_400].map((seconds): Fault => {
    const prepare: Fault["prepare"] = (place, random) => withClock(place, seconds, random);
    return { name: `the clock jumps by ${seconds} s`, statuses: [], prepare, strike: async () => true };
  }),
  { ...signals(["SIGTERM"], 143), name: "SIGTERM, with a container", prepare: withContainer },
  { ...hit("the client of a container killed", first(/podman run|docker run/)), prepare: withContainer },
  { ...ownDeath, name: "our own process killed, with a container, and the next run", prepare: withContainer },
  {
    name: "another run at the same time",
    statuses: [],
    strike: async ({ another }) => (await another()) === 0,
  },
  hit("Postgres killed", first(/postgres -D|bin\/postgres/)),
  hit("a session of Postgres killed", last(/postgres: loadtest/)),
  // Any process of that moment, e.g. the check of the app's import, whose failure is a bad input.
  hit("any child killed", any, { statuses: [2, 3] }),
  ownDeath,
  {
    name: "the disk full",
    statuses: [3],
    needsDisk: true,
    strike: async ({ disk, run }) => {
      if (disk === undefined)
        limitFiles([run.pid ?? 0, ...descendantsOf(run.pid ?? 0).map(({ pid }) => pid)]);
      else disk.fill();
      return true;
    },
  },
  ...(["SIGKILL", "SIGTERM"] as const).map((reportSignal): Fault => {
    const name = `the report ended by ${reportSignal}, and made again`;
    return { name, statuses: [], isOfReport: true, strike: async () => true, reportSignal };
  }),
  ofGitHub("502 after it had stored the comment", (github) =>
    github.fail({ operation: create, answer: 502, isCarriedOut: true }),
  ),
  ...(["empty", "nothing", "welcome", "ends", "nonsense"] as const).map((answer) =>
    ofGitHub(`the list of comments, then the comment answered with: ${answer}`, (github) => {
      for (const operation of [list, create]) github.fail({ operation, answer, isCarriedOut: true });
    }),
  ),
  ofGitHub("a list that stalls half way, and a link to itself", (github) => {
    addOldComment(github);
    github.fail({ operation: list, answer: "stalls" });
    github.fail({ operation: list, answer: "loops", times: 3 });
  }),
  ofGitHub("a proxy's page, then a secondary limit", (github) => {
    addOldComment(github);
    github.fail({ operation: list, answer: "page" });
    github.fail({ operation: list, answer: 429, headers: { "retry-after": "1" } });
  }),
  ofGitHub("the comment deleted meanwhile", (github) => {
    addOldComment(github);
    const remove = () => {
      for (const id of [...github.state.comments.keys()]) github.state.remove(id);
    };
    const gone = { answer: 404, message: "Not Found", meanwhile: remove } as const;
    github.fail({ operation: "issues/update-comment", ...gone });
  }),
  ofGitHub(
    "no permission",
    (github) => {
      const message = "Resource not accessible by integration";
      for (const operation of [create, "issues/update-comment"])
        github.fail({ operation, answer: 403, message, times: 9 });
    },
    true,
  ),
  ofGitHub(
    "the hourly limit",
    (github) => {
      const reset = String(Math.ceil(Date.now() / 1_000) + 3_000);
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
      github.fail({ operation: list, answer: 403, headers, times: 9 });
    },
    true,
  ),
];

async function pause(milliseconds: number, over: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: over }).catch(() => undefined);
}
