import { rm } from "node:fs/promises";
import { join } from "node:path";

import { type FailureDetail, messageOf } from "../../errors/errors.ts";
import type { App } from "../../model/workload/workload.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { withUnbuilt } from "../../repository/install-failure.ts";
import { printable } from "../../text/printable.ts";
import { redact } from "../../text/redact.ts";
import {
  describeExit,
  makeWorkFolder,
  pythonTool,
  readPlainFile,
  readTail,
  runProcess,
  startDeadline,
} from "../process/index.ts";

/** A start that may take longer may import for as long. */
const leastSeconds = 60;
const largestBytes = 10_000_000;
/** Most characters of the app's own words. */
const longest = { import: 300, document: 1_500 } as const;

/** Says in a sentence why the app cannot be imported; `undefined` when it can. */
export async function importProblem(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
  readyWithinSeconds = leastSeconds,
): Promise<string | undefined> {
  const options = { variables, signal, readyWithinSeconds, wanted: "import" } as const;
  const outcome = await importApp(environment, app, options);
  if (outcome.kind === "imported") return undefined;
  return outcome.kind === "late"
    ? `"${app.importString}" in ${app.folder} was still being imported after ${outcome.seconds} s; give it longer, e.g. with ready-timeout: 3m`
    : `"${app.importString}" cannot be imported in ${app.folder}: ${outcome.reason}`;
}

/**
 * The app's own OpenAPI document, evaluated in its environment, or the reason for having none, as the end of a
 * sentence.
 */
export async function readOpenApi(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
  readyWithinSeconds = leastSeconds,
): Promise<{ readonly document: unknown } | { readonly problem: string; readonly detail?: FailureDetail }> {
  const options = { variables, signal, readyWithinSeconds, wanted: "document" } as const;
  const outcome = await importApp(environment, app, options);
  if (outcome.kind === "late")
    return {
      problem: `the app was not created within ${outcome.seconds} s`,
      detail: { kind: "slow start" },
    };
  if (outcome.kind === "failed") return { problem: outcome.reason };
  const read = outcome.document;
  if (read.kind !== "text")
    return { problem: read.kind === "missing" ? "it was not written" : `it ${read.reason}` };
  try {
    return { document: JSON.parse(read.text) };
  } catch (error) {
    return { problem: printable(messageOf(error)) };
  }
}

/** Runs Python, which imports the app and, if wanted, writes its document. */
async function importApp(
  environment: PythonEnvironment,
  { folder: appFolder, importString }: App,
  {
    variables,
    signal,
    readyWithinSeconds,
    wanted,
  }: {
    readonly variables: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly readyWithinSeconds: number;
    readonly wanted: keyof typeof longest;
  },
) {
  const folder = await makeWorkFolder();
  const [logPath, documentPath] = [join(folder, "log"), join(folder, "openapi.json")];
  const seconds = Math.max(leastSeconds, readyWithinSeconds);
  const withinMs = 1_000 * seconds;
  using deadline = startDeadline({ ms: withinMs, signal });
  try {
    const program = [environment.interpreter, pythonTool("import_app"), importString] as const;
    const argv = [...program, ...(wanted === "document" ? [documentPath] : [])] as const;
    const exit = await runProcess({ argv, folder: appFolder, variables, logPath, withinMs }, deadline.signal);
    if (exit.code === 1) {
      const lastLine = (await readTail(logPath)).trimEnd().split("\n").at(-1) ?? "";
      const ofApp = printable(redact(lastLine, variables)).slice(0, longest[wanted]);
      return { kind: "failed", reason: withUnbuilt(ofApp, environment.leftOut) } as const;
    }
    if (exit.code !== 0)
      return { kind: "failed", reason: `Python ended with ${describeExit(exit)}` } as const;
    // The app runs at the same time and may have replaced it with a link to a device, or a pipe.
    const document = readPlainFile(documentPath, { largestBytes, followsLinks: false });
    return { kind: "imported", document } as const;
  } catch (error) {
    if (!deadline.isOver) throw error;
    return { kind: "late", seconds } as const;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
