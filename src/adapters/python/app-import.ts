import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { App } from "../../model/workload/workload.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { withUnbuilt } from "../../repository/install-failure.ts";
import { redact } from "../../text/redact.ts";
import { describeExit, makeWorkFolder, readTail, runProcess, startDeadline } from "../process/index.ts";

// Like uvicorn: the working folder comes first, and the attribute may have dots. `os._exit`, because threads that the
// app started at import would keep Python from ending; `BaseException`, because `sys.exit()` at import is no success.
// An app that wants its database at import does not find it yet. The import string is right all the same: drivers raise
// OSError, OperationalError or PoolTimeout then, an app that migrates by another program CalledProcessError, and the
// app's start will tell.
const script = `
import importlib, os, sys, traceback
try:
    sys.path.insert(0, os.getcwd())
    module, _, attributes = sys.argv[1].partition(":")
    found = importlib.import_module(module)
    for name in filter(None, attributes.removesuffix("()").split(".")):
        found = getattr(found, name)
    status = 0
except BaseException as error:
    names = {each.__name__ for each in type(error).__mro__}
    absent = {"OSError", "OperationalError", "InterfaceError", "PoolTimeout", "ConnectionError", "ConnectionFailure"}
    status = 0 if names & (absent | {"CalledProcessError"}) else 1
    # One line: the last one of a long message seldom says what is wrong.
    print(" ".join("".join(traceback.format_exception_only(type(error), error)).split()), file=sys.stderr)
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
`;

/** A start that may take longer may import for as long. */
const leastSeconds = 60;

/** Says in a sentence why the app cannot be imported; `undefined` when it can. */
export async function importProblem(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
  readyWithinSeconds = leastSeconds,
): Promise<string | undefined> {
  const folder = await makeWorkFolder();
  const logPath = join(folder, "log");
  const withinMs = 1_000 * Math.max(leastSeconds, readyWithinSeconds);
  using deadline = startDeadline({ ms: withinMs, signal });
  try {
    const argv = [environment.interpreter, "-c", script, app.importString] as const;
    const exit = await runProcess(
      { argv, folder: app.folder, variables, logPath, withinMs },
      deadline.signal,
    );
    if (exit.code === 0) return undefined;
    const lastLine = (await readTail(logPath)).trimEnd().split("\n").at(-1) ?? "";
    const reason =
      exit.code === 1
        ? withUnbuilt(printable(redact(lastLine, variables)), environment.leftOut)
        : `Python ended with ${describeExit(exit)}`;
    return `"${app.importString}" cannot be imported in ${app.folder}: ${reason}`;
  } catch (error) {
    if (!deadline.isOver) throw error;
    return `"${app.importString}" in ${app.folder} was still being imported after ${withinMs / 1_000} s; give it longer, e.g. with ready-timeout: 3m`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The app's own words, fit for one line. */
function printable(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 300);
}
