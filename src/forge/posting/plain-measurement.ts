import { defined } from "../../lists/defined.ts";
import type { Endpoint, Requested } from "../../model/endpoint/endpoint.ts";
import type { Environment } from "../../model/measurement/environment.ts";
import type { LoneArm, Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Threshold } from "../../model/thresholds/threshold.ts";

/** A stranger's document without sentences and logs; names stay only in the form of a name. */
export function plainMeasurement(measurement: Measurement): Measurement {
  // Findings quote the app, and the run cannot prove which commits it measured.
  const {
    cell,
    failure,
    loneArm,
    environment,
    instructions,
    diagnosis: _,
    redirects: __,
    notices: ____,
    replicates,
    ...figures
  } = measurement;
  return {
    ...figures,
    // Checks and metrics of a script are its author's words.
    replicates: replicates.map(({ script: __, scripts: ___, ...replicate }) => replicate),
    commits: {},
    ...(instructions && {
      instructions: "starts" in instructions ? instructions : { unseen: "the log of its run shows why" },
    }),
    cell: plainCell(cell),
    ...(failure && {
      failure: { phase: failure.phase, reason: "the log of its run shows why", logTail: "" },
    }),
    ...(loneArm && { loneArm: { kind: loneArm.kind, reason: loneArmReasons[loneArm.kind], logTail: "" } }),
    ...(environment && { environment: plainEnvironment(environment) }),
  };
}

/** A cell whose names are names. Its id stays. */
export function plainCell(cell: Cell): Cell {
  return { ...cell, endpoint: plainRequested(cell.endpoint), server: plainServer(cell.server) };
}

export function plainThreshold({ endpoint, ...threshold }: Threshold): Threshold {
  if (endpoint === undefined) return threshold;
  const [, method = "", path = ""] = /^([A-Z]+ )?(.*)$/s.exec(endpoint) ?? [];
  return { ...threshold, endpoint: `${method}${plainPath(path)}` };
}

const loneArmReasons: Readonly<Record<LoneArm["kind"], string>> = {
  added: "the endpoint is new",
  removed: "the endpoint is only in the base",
  "no base": "the log of its run shows why",
};

const longestPath = 120;

function plainRequested(requested: Requested): Requested {
  if ("script" in requested) return { script: plainPath(requested.script) || "script" };
  if ("mix" in requested)
    return {
      mix: requested.mix.map(({ weight, endpoint }) => ({ weight, endpoint: plainEndpoint(endpoint) })),
    };
  if (!("steps" in requested)) return plainEndpoint(requested);
  return { steps: requested.steps.map((step) => ("path" in step ? plainEndpoint(step) : step)) };
}

/** An address without characters that could form a sentence, such as spaces. */
function plainEndpoint({ path, ...rest }: Endpoint): Endpoint {
  return { ...rest, path: plainPath(path) };
}

function plainPath(path: string): string {
  return path.replaceAll(/[^\w./{}:?&=%,~+-]/g, "_").slice(0, longestPath);
}

/** The program alone: its arguments could be a sentence. */
function plainServer(server: string): string {
  const [program = ""] = server.split(" ");
  return /^[\w./-]{1,60}$/.test(program) ? program : "server";
}

/** Numbers, and at most one of Python's names for a version before or after its release. */
const version = /^\d{1,6}(?:\.\d{1,10}){0,4}(?:\.?(?:a|b|rc|post|dev)\d{1,6})?$/;
const platform = /^(?:linux|darwin|win32|freebsd) (?:x64|arm64|arm|ia32|ppc64|s390x|riscv64)$/;
const kernel =
  /^\d{1,3}(?:\.\d{1,4}){1,3}(?:-\d{1,5})?(?:-(?:azure|aws|gcp|generic|oracle|linuxkit|amd64|arm64)$)?/;
const eventLoops = /^(?:asyncio|uvloop|winloop|rloop|trio)$/;
const httpParsers = /^(?:httptools|h11|h2|hyper)$/;
const cpuList = /^[\d,-]{1,100}$/;
/** Words that makers of processors use, and their model numbers: too little to make a sentence of. */
const processorWord =
  /^(?:Intel(?:\(R\))?|AMD|Apple|ARMv\d|Ampere\(?R?\)?|Altra|Xeon(?:\(R\))?|Core(?:\(TM\))?|EPYC(?:-\w{4,7})?|Ryzen|Threadripper|Platinum|Gold|Silver|Bronze|PRO|Pro|Max|Ultra|CPU|Processor|\d{1,3}-Core|Neoverse-[A-Z]\d|Cortex-[A-Z]\d{1,3}|\(R\)|@|v\d|M\d|i\d-\d{3,5}[A-Z]{0,2}|E\d-\d{4}[A-Z]?|\d{3,5}[A-Z]{0,2}\+?|[A-Z]?\d\.\d{1,2}GHz|\d\.\d{1,2}GHz)$/;
const unknown = "unknown";

/** A name in which each word is known; otherwise `unknown`. */
function plainProcessor(text: string): string {
  const words = text.slice(0, 80).split(/\s+/);
  return words.length <= 8 && words.every((word) => processorWord.test(word)) ? words.join(" ") : unknown;
}

function plainEnvironment({
  appCpus,
  otherCpus,
  postgres,
  basePackages,
  sharedServices: _,
  outsideHosts: __,
  ...environment
}: Environment): Environment {
  const as = (form: RegExp, text: string) => (form.test(text) ? text : unknown);
  const ifGiven = (form: RegExp, text?: string) => (text === undefined ? undefined : as(form, text));
  const ifKnown = (form: RegExp, text: string) => (text === "" ? "" : as(form, text));
  const plainPackages = (packages: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(packages).filter(
        ([name, value]) => /^[\w.-]{1,60}$/.test(name) && (value === "" || version.test(value)),
      ),
    );
  return {
    ...environment,
    ...defined({
      appCpus: ifGiven(cpuList, appCpus),
      otherCpus: ifGiven(cpuList, otherCpus),
      postgres: ifGiven(version, postgres),
      basePackages: basePackages && plainPackages(basePackages),
    }),
    cpuModel: plainProcessor(environment.cpuModel),
    kernel: kernel.exec(environment.kernel)?.[0] ?? unknown,
    platform: as(platform, environment.platform),
    runner: "the run's own runner",
    node: as(version, environment.node),
    k6: ifKnown(version, environment.k6),
    python: ifKnown(version, environment.python),
    eventLoop: ifKnown(eventLoops, environment.eventLoop),
    httpParser: ifKnown(httpParsers, environment.httpParser),
    packages: plainPackages(environment.packages),
  };
}
