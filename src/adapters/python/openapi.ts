import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../errors/errors.ts";
import type { App } from "../../model/workload/workload.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { printable } from "../../text/printable.ts";
import { redact } from "../../text/redact.ts";
import {
  describeExit,
  makeWorkFolder,
  readPlainFile,
  readTail,
  runProcess,
  startDeadline,
} from "../process/index.ts";

// The app is imported as where its import is checked (python-import.ts); what it prints goes to the log.
const script = `
import importlib, json, os, sys, traceback
try:
    sys.path.insert(0, os.getcwd())
    module, _, attributes = sys.argv[1].partition(":")
    found = importlib.import_module(module)
    for name in filter(None, attributes.removesuffix("()").split(".")):
        found = getattr(found, name)
    if attributes.endswith("()") or not hasattr(found, "openapi") and callable(found):
        found = found()
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(found.openapi(), file)
    status = 0
except BaseException as error:
    status = 1
    print(" ".join("".join(traceback.format_exception_only(type(error), error)).split()), file=sys.stderr)
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
`;

const withinSeconds = 60;
const largestBytes = 10_000_000;

/** The app's own OpenAPI document, evaluated in its environment, or the end of a sentence that says why there is none. */
export async function readOpenApi(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly document: unknown } | { readonly problem: string }> {
  const folder = await makeWorkFolder();
  const logPath = join(folder, "log");
  const path = join(folder, "openapi.json");
  using deadline = startDeadline({ ms: withinSeconds * 1_000, signal });
  try {
    const argv = [environment.interpreter, "-c", script, app.importString, path] as const;
    const exit = await runProcess({ argv, folder: app.folder, variables, logPath }, deadline.signal);
    if (exit.code !== 0) {
      const lastLine = (await readTail(logPath)).trimEnd().split("\n").at(-1) ?? "";
      const said = printable(redact(lastLine, variables)).slice(0, 300);
      return { problem: exit.code === 1 ? said : `Python ended with ${describeExit(exit)}` };
    }
    // The app runs beside it and may have put a link to a device, or a pipe, in its place.
    const read = readPlainFile(path, { largestBytes, followsLinks: false });
    if (read.kind === "text") return { document: JSON.parse(read.text) };
    return { problem: read.kind === "missing" ? "it was not written" : `it ${read.reason}` };
  } catch (error) {
    if (signal.aborted && !deadline.isOver) throw error;
    if (deadline.isOver) return { problem: `it was still being made after ${withinSeconds} s` };
    if (error instanceof SyntaxError) return { problem: printable(messageOf(error)) };
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
