import { EnvironmentError } from "../errors/errors.ts";
import { type Learned, learn } from "../init/tests/learning.ts";
import type { Recording } from "../init/tests/recording.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { TrialPorts } from "../ports/trial.ts";
import { shortenEnd } from "../text/length.ts";
import { count, plural } from "../text/numbers.ts";
import { tellingLine } from "../text/telling-line.ts";
import { visibleLine } from "../text/visible.ts";
import { recordTests, type Suite } from "../trial/recording.ts";

/** What the tests of an app show; `undefined`: it has none that send requests, or they cannot be run, which is reported. */
export async function learnFromTests(
  workload: Workload,
  suite: Suite,
  ports: TrialPorts,
): Promise<Learned | undefined> {
  if (suite.choice?.kind === "none") return undefined;
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  if (workload.database.kind === "existing") {
    const why = "`database-url` points to an existing server, and tests may delete data there";
    return void warn(`the repository's tests were not run: ${why}`);
  }
  try {
    const recording = await recordTests(workload, suite, ports);
    if (recording === undefined) return undefined;
    const learned = learn(recording, suite.document);
    ports.progress(eventOf(recording, learned));
    // Other databases have no SQL files of ours.
    const rows = workload.database.kind === "private" ? learned.rows : [];
    return learned.routes.length === 0 ? undefined : { ...learned, rows };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    const why = tellingLine(error.logTail) ?? error.message;
    return void warn(`${notRun}: ${shortenEnd(visibleLine(why), 300)}`);
  }
}

const notRun = "the repository's tests gave no example requests";

function eventOf({ refused, passed, failed, first }: Recording, { routes }: Learned) {
  const failure = first === "" ? "" : `; the first failure: ${shortenEnd(visibleLine(first), 200)}`;
  if (refused !== undefined) {
    const why = `they cannot be isolated on this machine (${shortenEnd(visibleLine(refused), 100)})`;
    return { kind: "warning", text: `the repository's tests were not run: ${why}` } as const;
  }
  if (routes.length === 0)
    return { kind: "warning", text: `${notRun}${failure || ": none of them reached the app"}` } as const;
  const text = `found requests to ${plural(routes.length, "route")} in the repository's tests (${count(passed)} passed, ${count(failed)} failed)${failure}`;
  return { kind: "step", text } as const;
}
