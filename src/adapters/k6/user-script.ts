import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { pathToFileURL } from "node:url";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { endOfScript, thrownIn } from "../../model/load/script-end.ts";
import { fixedHosts, otherHostsWords, remoteModulesIn, statusRemedy } from "../../model/load/script-hosts.ts";
import { countSamples, type Samples } from "../../model/load/script-samples.ts";
import { parseScriptSummary } from "../../model/load/script-summary.ts";
import { statusWords } from "../../model/load/statuses.ts";
import type { LoadOutput, LoadRequest, LoadTarget } from "../../ports/load.ts";
import { describeExit, readPlainFile, readTail, streamPlainFile, textOfPlainFile } from "../process/index.ts";
import { k6Argv, runLoad } from "./k6-process.ts";
import type { K6 } from "./k6-program.ts";

/** k6 has no limit for a script's time. A job has one, so nobody waits longer than this. */
const longestSeconds = 3_600;
/** Some ten million requests. */
const largestSamplesBytes = 4_000_000_000;
/** k6's usual ones, of which the script may have chosen less: we read some, and its thresholds may name any. */
const systemTags = [
  ...["proto", "subproto", "status", "method", "url", "name", "group", "check", "error", "error_code"],
  ...["tls_version", "scenario", "service", "expected_response"],
];
const longestLine = 10_000_000;
/** A script may keep large files and replies. */
export const mostScriptMemoryBytes = 4_000_000_000;

/** Runs a k6 script as it is, with the app's address in BASE_URL. Samples take some 100 bytes a request. */
export async function runScript(
  k6: K6,
  {
    name,
    targets: [target],
    cpus,
    isCompared,
    variables: given = {},
  }: Pick<LoadRequest, "name" | "targets" | "cpus" | "isCompared" | "variables">,
  options: ScriptOptions,
): Promise<LoadOutput> {
  const { scriptPath } = options;
  const isClosed = options.loadsRemoteModules !== true;
  if (isClosed) refuseRemoteModules(scriptPath);
  refuseFixedHosts(scriptPath, "k6", Object.keys(given));
  const path = (ending: string) => join(options.folder, `${name}.${ending}`);
  const [logPath, summaryPath, samplesPath] = [path("log"), path("json"), path("csv")];
  const [enclosingPath, variablesPath] = [path("mjs"), path("env.mjs")];
  for (const each of [logPath, summaryPath, samplesPath]) await rm(each, { force: true });
  await writeFile(enclosingPath, enclosing(scriptPath, variablesPath));
  const own = withAddress(given, target.baseUrl);
  await writeFile(variablesPath, withVariables(own), { mode: 0o600 }); // not for everybody's eyes
  const argv = k6Argv(
    k6,
    [target],
    [
      "--summary-trend-stats=avg,min,med,max,p(90),p(95),p(99)",
      `--summary-export=${summaryPath}`,
      `--out=csv=${samplesPath}`,
      `--system-tags=${systemTags.join(",")}`,
      ...["-e", `BASE_URL=${target.baseUrl}`],
      ...(isCompared ? ["-e", "LOADTEST_COMPARED=true"] : []),
    ],
    enclosingPath,
  );
  const variables = {
    K6_CSV_TIME_FORMAT: "unix_milli",
    ...(isClosed && withoutOtherHosts([target.baseUrl, ...Object.values(given)])),
  };
  try {
    const { exit, cpuSeconds } = await runLoad(argv, {
      ...{ cpus, logPath, variables, folder: dirname(scriptPath), signal: options.signal },
      ...{
        mostMemoryBytes: mostScriptMemoryBytes,
        withinSeconds: longestSeconds,
        overtime: `k6 was still running after ${longestSeconds} s`,
      },
    });
    const text = textOfPlainFile(summaryPath, { largestBytes: 50_000_000 });
    const logTail = await readTail(logPath);
    const samples = text === undefined ? undefined : await samplesIn(samplesPath, target);
    const read = text === undefined || samples === undefined ? undefined : readResults(text, samples);
    const end = endOfScript(exit.code, read?.iterations ?? 0, logTail);
    if (end.kind === "failure" || samples === undefined || read === undefined) {
      const reason = end.kind === "failure" ? end.reason : "left no summary";
      const cause = samples === undefined ? "" : failureWords(samples);
      const how = `${reason}${cause === "" ? "" : `; ${cause}`} (${describeExit(exit)})`;
      throw new EnvironmentError("load", `the script ${scriptPath} ${how}`, { logTail });
    }
    const thrown = thrownIn(logTail);
    const threw = thrown && `its iterations threw an exception: ${thrown}`;
    checkRequests(samples, {
      ...options,
      tool: "k6",
      isCompared,
      logTail,
      sentElse: otherTraffic(text ?? "") ?? threw,
    });
    if (threw !== undefined) options.warn(`the script ${scriptPath}: ${threw}`);
    const { summary, results } = read;
    const script = { ...results, thresholds: [...end.gates, ...results.thresholds] };
    return { records: samples.records(), cpuSeconds, summary, script };
  } finally {
    await rm(samplesPath, { force: true });
    await rm(enclosingPath, { force: true });
    await rm(variablesPath, { force: true });
  }
}

interface ScriptOptions {
  readonly scriptPath: string;
  /** True when it may import modules from other hosts. */
  readonly loadsRemoteModules?: true | undefined;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called for what does not keep the run from its figures. */
  readonly warn: (text: string) => void;
}

/** A part that we do not read could import a module of another host. */
function textOfScript(path: string): string {
  const read = readPlainFile(path, { largestBytes: 50_000_000 });
  if (read.kind === "text") return read.text;
  const reason = read.kind === "missing" ? "is gone" : read.reason;
  throw new EnvironmentError("load", `the script ${path} ${reason}`);
}

function refuseRemoteModules(scriptPath: string): void {
  const [first] = remoteModulesIn(textOfScript(scriptPath));
  if (first === undefined) return;
  const remedy = "keep the module next to the script, or set script-remote: true";
  throw new EnvironmentError(
    "load",
    `the script ${scriptPath} imports ${first}, which nobody has checked: ${remedy}`,
  );
}

/** A proxy that nobody runs: k6 reaches only loopback, the app and hosts that a script's variable names. */
function withoutOtherHosts(known: readonly string[]) {
  const nobody = "http://127.0.0.1:1";
  const hosts = known.flatMap((text) => (URL.canParse(text) ? [new URL(text).hostname] : []));
  return { HTTP_PROXY: nobody, HTTPS_PROXY: nobody, NO_PROXY: hosts.join(",") };
}

/** Refuses a script before its load when its text has another address than the app's. */
export function refuseFixedHosts(
  scriptPath: string,
  tool: "k6" | "locust",
  variables: readonly string[],
): void {
  const text = textOfScript(scriptPath);
  const hosts = fixedHosts(text, tool, variables);
  if (hosts.length > 0)
    throw new EnvironmentError("load", `the script ${scriptPath} ${otherHostsWords(hosts, tool)}`);
}

/** `{base-url}` in a value is the address of the app. */
export function withAddress(variables: Readonly<Record<string, string>>, baseUrl: string) {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replaceAll("{base-url}", baseUrl)]),
  );
}

/** Throws when no request was sent, or all of them failed; with a base, only its own replies can say so. */
export function checkRequests(
  samples: Samples,
  {
    scriptPath,
    tool,
    isCompared,
    logTail,
    sentElse,
    warn,
  }: Pick<ScriptOptions, "scriptPath" | "warn"> & {
    readonly tool: "k6" | "locust";
    readonly isCompared: true | undefined;
    readonly logTail: string;
    readonly sentElse?: string | undefined;
  },
): void {
  const { requests, failures } = samples.counts();
  const fail = (why: string): never => {
    throw new EnvironmentError("load", `the script ${scriptPath} ${why}`, { logTail });
  };
  if (requests === 0) fail(`sent no HTTP request${sentElse === undefined ? "" : `, but ${sentElse}`}`);
  const hosts = samples.hosts();
  const others = hosts.length === 0 ? "" : otherHostsWords(hosts, tool);
  if (failures === requests && isCompared === undefined) fail(others === "" ? failureWords(samples) : others);
  if (others !== "") warn(`the script ${scriptPath} also ${others}`);
}

/** What the first request that failed was answered; empty: none failed. */
function failureWords(samples: Samples): string {
  const first = samples.firstFailure();
  if (first === undefined) return "";
  const { requests, failures } = samples.counts();
  const [kind, status] = first;
  const answered = /^\d/.test(status) ? `answered ${statusWords(status)}` : `failed: ${statusWords(status)}`;
  const all = failures === requests ? `every request failed (${statusWords(status)}); ` : "";
  return `${all}${kind} ${answered}: ${statusRemedy(status, kind)}`;
}

/** Traffic that is no HTTP request, by k6's own metrics. */
function otherTraffic(summary: string): string | undefined {
  if (summary.includes('"ws_sessions"'))
    return "it opened WebSockets: measure one with `WS /path` in `endpoints`";
  return summary.includes('"grpc_req_duration"') ? "it made gRPC calls, which are not measured" : undefined;
}

/** A module that adds variables to `__ENV`, which k6 sets again for each scenario, after the script was read. */
function withVariables(own: Readonly<Record<string, string>>): string {
  return `const own = ${JSON.stringify(own)}
let all = Object.assign(__ENV, own)
const set = (given) => { all = Object.assign(given, own) }
Object.defineProperty(globalThis, "__ENV", { get: () => all, set, configurable: true })
`;
}

/** A script around the user's: its `handleSummary` would cost k6's own summary, the source of our figures. */
function enclosing(scriptPath: string, variablesPath: string): string {
  const address = JSON.stringify(pathToFileURL(scriptPath).href);
  return `import ${JSON.stringify(pathToFileURL(variablesPath).href)}
import * as script from ${address}
export * from ${address}
export default script.default;
export function handleSummary(data) {
  const kept = {}
  if (typeof script.handleSummary !== "function") return kept
  try {
    const made = script.handleSummary(JSON.parse(JSON.stringify(data)))
    for (const [path, text] of typeof made !== "object" || Array.isArray(made) ? [] : Object.entries(made ?? {}))
      if (path !== "" && (typeof text === "string" || text instanceof ArrayBuffer)) kept[path] = text
  } catch (error) {
    console.error("handleSummary failed: " + error)
  }
  return kept
}
`;
}

export async function samplesIn(path: string, { arm, baseUrl }: Pick<LoadTarget, "arm" | "baseUrl">) {
  const samples = countSamples(arm, baseUrl);
  // The script, and the app, could have put something else there that never ends.
  const opened = streamPlainFile(path, { largestBytes: largestSamplesBytes, followsLinks: false });
  if (opened.kind !== "stream") {
    const what = opened.kind === "missing" ? "are missing" : `cannot be read: the file ${opened.reason}`;
    throw new EnvironmentError("read results", `the samples of the script ${what}`);
  }
  // Not by `readline`, for which a line also ends at a carriage return or U+2028: a name may have those.
  let rest = "";
  const decoder = new StringDecoder("utf8");
  for await (const chunk of opened.chunks) {
    const lines = `${rest}${decoder.write(chunk)}`.split("\n");
    rest = lines.pop()?.slice(0, longestLine) ?? "";
    for (const line of lines) samples.add(line);
  }
  return samples;
}

function readResults(text: string, samples: Samples) {
  try {
    return parseScriptSummary(text, samples.times(), samples.counts());
  } catch (cause) {
    throw new EnvironmentError("read results", `k6's output cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}
