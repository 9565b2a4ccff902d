import { rm } from "node:fs/promises";
import { join } from "node:path";

import { type FailureDetail, isOtherStore, messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { App } from "../../model/workload/workload.ts";
import type { ImportedApp, PythonEnvironment } from "../../ports/python.ts";
import { withUnbuilt } from "../../repository/install-failure.ts";
import { jsonOf } from "../../text/json.ts";
import { redact } from "../../text/redact.ts";
import { printable } from "../../text/visible.ts";
import {
  describeExit,
  makeWorkFolder,
  openAppGuard,
  pythonTool,
  readPlainFile,
  readTail,
  runProcess,
  startDeadline,
  withOwnStores,
} from "../process/index.ts";

/** A start that may take longer may import for as long. */
const leastSeconds = 60;
const largestBytes = 10_000_000;
/** Most replaced dependencies that are named. */
const mostNames = 20;
/** Most characters of the app's own words. */
const longest = { import: 300, document: 1_500 } as const;

interface ImportOptions {
  readonly signal: AbortSignal;
  /** The run's: files of SQLite below are its own. */
  readonly workFolder: string;
}

/** Imports the app once. */
export async function tryImport(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  { signal, workFolder }: ImportOptions,
  readyWithinSeconds = leastSeconds,
): Promise<ImportedApp> {
  const options = { variables, signal, workFolder, readyWithinSeconds, wanted: "import" } as const;
  const outcome = await importApp(environment, app, options);
  if (outcome.kind === "imported") return { replaced: namesIn(outcome.document) };
  const problem =
    outcome.kind === "late"
      ? `"${app.importString}" in ${app.folder} was still being imported after ${outcome.seconds} s; give it longer, e.g. with ready-timeout: 3m`
      : `"${app.importString}" cannot be imported in ${app.folder}: ${outcome.reason}`;
  return { problem };
}

/** What the app's process wrote: nothing of it is certain. */
function namesIn(file: ReturnType<typeof readPlainFile>): readonly string[] {
  const parsed = file.kind === "text" ? jsonOf(file.text) : undefined;
  return Array.isArray(parsed) ? parsed.filter(isName).slice(0, mostNames) : [];
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z_]\w{0,99}$/.test(value);
}

/** The app's own OpenAPI document, or the reason for having none, as the end of a sentence. */
export async function readOpenApi(
  environment: PythonEnvironment,
  app: App,
  variables: Readonly<Record<string, string>>,
  { signal, workFolder }: ImportOptions,
  readyWithinSeconds = leastSeconds,
): Promise<{ readonly document: unknown } | { readonly problem: string; readonly detail?: FailureDetail }> {
  const options = { variables, signal, workFolder, readyWithinSeconds, wanted: "document" } as const;
  const outcome = await importApp(environment, app, options);
  if (outcome.kind === "late")
    return {
      problem: `the app was not created within ${outcome.seconds} s`,
      detail: { kind: "slow start" },
    };
  if (outcome.kind === "failed") return { problem: outcome.reason, ...defined({ detail: outcome.detail }) };
  const read = outcome.document;
  if (read.kind !== "text")
    return { problem: read.kind === "missing" ? "it was not written" : `it ${read.reason}` };
  try {
    return { document: JSON.parse(read.text) };
  } catch (error) {
    return { problem: printable(messageOf(error)) };
  }
}

/** Exit status of our program for an app without a document. */
const noDocument = 3;

/** The last line of a log; with those before it where an app ends by itself, which says nothing about why. */
function lastWords(log: string): string {
  const lines = log.trimEnd().split("\n");
  const last = lines.at(-1) ?? "";
  const before = lines.slice(-4, -1).join(" ").trim();
  return last.startsWith("SystemExit: ") && before !== "" ? `${last} (${before})` : last;
}

async function importApp(
  environment: PythonEnvironment,
  { folder: appFolder, importString, variables: named }: App,
  {
    variables: own,
    signal,
    workFolder,
    readyWithinSeconds,
    wanted,
  }: ImportOptions & {
    readonly variables: Readonly<Record<string, string>>;
    readonly readyWithinSeconds: number;
    readonly wanted: keyof typeof longest;
  },
) {
  const folder = await makeWorkFolder();
  const [logPath, documentPath] = [join(folder, "log"), join(folder, "openapi.json")];
  const seconds = Math.max(leastSeconds, readyWithinSeconds);
  const withinMs = 1_000 * seconds;
  using deadline = startDeadline({ ms: withinMs, signal });
  await using guarded = await openAppGuard(workFolder).open({
    folder: appFolder,
    variables: own,
    stores: { named },
  });
  const variables = guarded.withGuard(own);
  try {
    const program = [environment.interpreter, pythonTool("import_app"), importString] as const;
    const argv = [...program, documentPath, ...(wanted === "import" ? ["replaced"] : [])] as const;
    const options = { argv, folder: appFolder, variables, logPath, withinMs };
    const limits = { phase: "start app", signal: deadline.signal } as const;
    const roots: number[] = [];
    const exit = await withOwnStores(
      (isOver) => guarded.otherStore(roots, isOver),
      limits,
      (until) => runProcess(options, until, ({ pid }) => roots.push(pid)),
    );
    if (exit.code === 1 || exit.code === noDocument) {
      const ofApp = printable(redact(lastWords(await readTail(logPath)), variables)).slice(
        0,
        longest[wanted],
      );
      const reason = withUnbuilt(ofApp, environment.leftOut);
      const detail = exit.code === noDocument ? ({ kind: "no document" } as const) : undefined;
      return { kind: "failed", reason, ...defined({ detail }) } as const;
    }
    if (exit.code !== 0)
      return { kind: "failed", reason: `Python ended with ${describeExit(exit)}` } as const;
    // The app runs at the same time and may have replaced it with a link to a device, or a pipe.
    const document = readPlainFile(documentPath, { largestBytes, followsLinks: false });
    return { kind: "imported", document } as const;
  } catch (error) {
    if (isOtherStore(error)) return { kind: "failed", reason: printable(messageOf(error)) } as const;
    if (!deadline.isOver) throw error;
    return { kind: "late", seconds } as const;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
