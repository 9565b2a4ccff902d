import { parse } from "yaml";

import { ourRepository } from "./files.ts";

/** A workflow, an action, or an example of one in the docs. */
export interface YamlText {
  /** Its place, e.g. `README.md, block 2`. */
  readonly place: string;
  readonly text: string;
}

type Value = null | boolean | number | string | readonly Value[] | Mapping;
interface Mapping {
  readonly [key: string]: Value;
}

/** By its tag, for others to copy. Our own workflows say `$/`, which is the commit that they are of themselves. */
const released = /^(?:\/\.github\/workflows\/[\w-]+\.yml)?@v\d+$/;
const ours = (uses: string) =>
  uses.startsWith("$/") ||
  (uses.startsWith(ourRepository) && released.test(uses.slice(ourRepository.length)));

/** Write permissions that a job may ask for, by its file; all other files have the first. */
const writable: Readonly<Record<string, readonly string[]>> = {
  ".github/workflows/release.yml": ["contents", "id-token", "attestations"],
  "examples/trends.yml": ["contents"], // in a job without code of the repository
  ".github/workflows/selftest.yml": ["pull-requests", "contents"], // in a job without any code
  "examples/accept.yml": ["actions"], // to run jobs again; it has no code of anybody
};
const usuallyWritable = ["pull-requests"];

/**
 * Each way in which a text breaks the rules of the trust zones (docs/internals/threat-model.md); none when it keeps them. Each
 * rule is named by the row of its threat.
 */
export function trustProblems({ place, text }: YamlText): readonly string[] {
  const root: Value = parse(text);
  const nodes = [...mappingsIn(root)];
  const jobs = isMapping(root) && isMapping(root["jobs"]) ? Object.entries(root["jobs"]) : [];
  return [
    ...triggerProblems(root, text),
    ...commentProblems(root, jobs),
    ...pinProblems(text),
    ...exceptionProblems(text),
    ...(isMapping(root) ? tokenProblems(root, jobs) : []),
    ...nodes.flatMap(stepProblems),
    ...permissionProblems(place, root, jobs),
    ...jobs.flatMap(([name, job]) => (isMapping(job) ? jobProblems(name, job, place) : [])),
    ...(isPrivileged(place, root) ? nodes.flatMap(privilegedProblems) : []),
    ...nodes.flatMap(({ concurrency }) =>
      /head_ref|head_branch|head\.ref/.test(JSON.stringify(concurrency ?? ""))
        ? ["T28: a concurrency group is built from a name that a fork chooses"]
        : [],
    ),
  ];
}

function triggerProblems(root: Value, text: string): string[] {
  const on = isMapping(root) ? JSON.stringify(root["on"] ?? "") : "";
  return [
    ...(/"pull_request_target"/.test(on) ? ["T1: it is started by pull_request_target"] : []),
    ...(/secrets:\s*inherit/.test(text) ? ["T11: it passes on all secrets"] : []),
  ];
}

/**
 * A comment starts a workflow with the default branch's rights, whoever wrote it. Only members may cause something by it,
 * and nothing but running jobs again, without an action, a checkout or code of the pull request.
 */
function commentProblems(root: Value, jobs: readonly (readonly [string, Value])[]): string[] {
  if (!isMapping(root) || !/"issue_comment"/.test(JSON.stringify(root["on"] ?? ""))) return [];
  return jobs.flatMap(([name, job]) => {
    if (!isMapping(job)) return [];
    const condition = String(job["if"] ?? "");
    const isOfMembers =
      condition.includes(`'["OWNER", "MEMBER", "COLLABORATOR"]'`) &&
      condition.includes("github.event.comment.author_association") &&
      !condition.includes("||");
    const isPlain = stepsOf(job).every(({ uses, run }) => uses === undefined && !fetchesCode(run));
    const writes = Object.entries(isMapping(job["permissions"]) ? job["permissions"] : {}).filter(
      ([scope, level]) => level === "write" && scope !== "actions",
    );
    return isOfMembers && isPlain && job["uses"] === undefined && writes.length === 0
      ? []
      : [`T1: the job ${name} is started by issue_comment, and does more than run jobs again for a member`];
  });
}

function pinProblems(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => /^\s*(?:- )?uses:\s*(.*)$/.exec(line)?.[1] ?? [])
    .map((uses) => uses.replaceAll(/["']/g, "").trim())
    .filter((uses) => !ours(uses.split(" ")[0] ?? ""))
    .filter((uses) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses))
    .map((uses) => `T23: ${uses} is not pinned by commit with its version beside it`);
}

/** A suppressed linter finding needs its reason in the same place. */
function exceptionProblems(text: string): string[] {
  return [...text.matchAll(/zizmor:\s*ignore(?:\[[^\]]*\])?(.*)$/gm)]
    .filter(([whole, reason = ""]) => !whole.includes("[") || !/\w+\W+\w+\W+\w+/.test(reason))
    .map(([whole]) => `zizmor: an exception without a reason: ${whole}`);
}

const token = /\bgithub\.token\b|\bsecrets\.(?:GITHUB_TOKEN|GH_\w+|\w*PAT)\b|\bgh[pousr]_|\bgithub_pat_/i;
const tokenName = /^(?:GITHUB_TOKEN|GH_TOKEN|GITHUB_PAT)$/;

/** Variables of a workflow, a job or a step reach the code under test, or its starter. */
function tokenProblems(root: Mapping, jobs: readonly (readonly [string, Value])[]): string[] {
  const hasToken = ({ env }: Mapping) =>
    isMapping(env) &&
    Object.entries(env).some(
      ([name, value]) => value !== "" && (tokenName.test(name) || token.test(String(value))),
    );
  return jobs.flatMap(([name, job]) => {
    if (!isMapping(job)) return [];
    const measuring = stepsOf(job).filter(measures);
    if (measuring.length === 0) return [];
    const given = measuring.some(
      ({ with: inputs }) =>
        isMapping(inputs) &&
        /^(?:measure|plan)$/.test(String(inputs["command"])) &&
        inputs["github-token"] !== undefined,
    );
    return [
      ...([root, job, ...measuring].some(hasToken)
        ? [`T11: a variable of the job ${name}, which measures, holds a token`]
        : []),
      ...(given ? [`T11: the job ${name} hands what measures a token`] : []),
    ];
  });
}

/**
 * True when a step runs the code under test. `run` does that too, and its report has the token from the action itself.
 */
function measures({ uses, with: inputs }: Mapping): boolean {
  const command = isMapping(inputs) ? (inputs["command"] ?? "run") : "run";
  return isAction(uses) && ["run", "measure", "plan"].includes(String(command));
}

function isAction(uses: Value | undefined): boolean {
  return typeof uses === "string" && ours(uses) && !uses.includes(".yml");
}

function stepsOf(job: Mapping): Mapping[] {
  return (Array.isArray(job["steps"]) ? job["steps"] : []).filter(isMapping);
}

function stepProblems(node: Mapping): string[] {
  const { run, uses, with: given, env } = node;
  const isCheckout = typeof uses === "string" && uses.startsWith("actions/checkout@");
  const credentials = isMapping(given) ? given["persist-credentials"] : undefined;
  const isMeasuring = typeof run === "string" && /cli\.js/.test(run) && node["id"] === "measure";
  // The input `script` of our own action is a path; any other action's counts as JavaScript.
  const isOurs = typeof uses === "string" && (uses === "$/" || uses.startsWith(`${ourRepository}@`));
  const script = isMapping(given) && !isOurs ? given["script"] : undefined;
  // One fixed line says that something was measured in this job.
  const others =
    typeof run === "string" ? run.replace('echo "LOADTEST_MEASURED=yes" >>"$GITHUB_ENV"\n', "") : "";
  const variables = /\bGITHUB_(?:ENV|PATH)\b/.exec(others)?.[0];
  return [
    ...[run, script].flatMap((text) =>
      typeof text === "string" && text.includes("${{") ? ["T13: an expression is pasted into a script"] : [],
    ),
    ...(variables === undefined ? [] : [`T10: a script writes ${variables}, which later steps run with`]),
    ...(isCheckout && credentials !== false ? ["T12: a checkout leaves its credential behind"] : []),
    ...(isMeasuring && /token|secrets\./i.test(JSON.stringify(Object.values(isMapping(env) ? env : {})))
      ? ["T11: the step that measures is given a token"]
      : []),
  ];
}

function permissionProblems(
  place: string,
  root: Value,
  jobs: readonly (readonly [string, Value])[],
): string[] {
  const isWhole = place.endsWith(".yml") && isWorkflow(place);
  const top = isMapping(root) ? root["permissions"] : undefined;
  const allowed = writable[place] ?? usuallyWritable;
  return [
    ...(isWhole && !(isMapping(top) && Object.keys(top).length === 0)
      ? ["T11: the workflow grants something to all of its jobs"]
      : []),
    ...(top === "write-all" || top === "read-all" ? ["T11: permissions are not named"] : []),
    ...jobs.flatMap(([name, job]) => {
      const permissions = isMapping(job) ? job["permissions"] : undefined;
      if (!isMapping(permissions)) return [`T11: the job ${name} does not name its permissions`];
      return Object.entries(permissions)
        .filter(([scope, level]) => level === "write" && !allowed.includes(scope))
        .map(([scope]) => `T11: the job ${name} may write ${scope}`);
    }),
  ];
}

function jobProblems(name: string, job: Mapping, place: string): string[] {
  const steps = stepsOf(job);
  const uses = steps.map((step) => String(step["uses"] ?? ""));
  const permissions = isMapping(job["permissions"]) ? job["permissions"] : {};
  // These two allow signing in the name of the workflow, but no change.
  const writes = Object.entries(permissions).some(
    ([scope, level]) => level === "write" && scope !== "id-token" && scope !== "attestations",
  );
  const hasCheckout =
    uses.some((each) => each.startsWith("actions/checkout@")) || steps.some(({ run }) => fetchesCode(run));
  // The composite form in one job: the trade-off in SECURITY.md.
  const isOneJob = steps.some(
    (step) => ours(String(step["uses"] ?? "")) && (!isMapping(step["with"]) || !step["with"]["command"]),
  );
  return [
    ...(writes && hasCheckout && !isOneJob ? [`T1: the job ${name} may write and checks out code`] : []),
    ...(job["uses"] === undefined && isWorkflow(place) && job["timeout-minutes"] === undefined
      ? [`F17: the job ${name} has no time-out`]
      : []),
  ];
}

/** A checkout by another name: of a pull request, or of any ref. */
function fetchesCode(run: Value | undefined): boolean {
  const script = typeof run === "string" ? run.replaceAll(/\\\n/g, " ") : "";
  return /\bgh\s+(?:pr\s+(?:checkout|diff)|repo\s+(?:clone|sync))\b|\bgit\b.*\s(?:fetch|pull|clone|checkout|switch|worktree)\s|\b(?:tar|zip)ball\b/.test(
    script,
  );
}

function isWorkflow(place: string): boolean {
  return place.startsWith(".github/") || place.startsWith("examples/");
}

/** True for code that runs with the default branch's rights for somebody else's run. */
function isPrivileged(place: string, root: Value): boolean {
  const on = isMapping(root) ? JSON.stringify(root["on"] ?? "") : "";
  return place.endsWith("/post-report.yml") || on.includes('"workflow_run"');
}

function privilegedProblems({ uses, run, with: given }: Mapping): string[] {
  const foreign = typeof uses === "string" && !ours(uses) ? uses.split("@")[0] : undefined;
  const command = isMapping(given) ? given["command"] : undefined;
  const posts =
    typeof uses !== "string" || (isAction(uses) ? command === "post" : /\/post-report\.yml\b/.test(uses));
  return [
    ...(foreign === undefined ? [] : [`T1: a privileged workflow uses ${foreign}`]),
    ...(posts || foreign !== undefined ? [] : [`T1: a privileged workflow does more than post: ${uses}`]),
    ...(typeof run === "string" ? ["T1: a privileged workflow runs a script"] : []),
  ];
}

function* mappingsIn(value: Value): Generator<Mapping> {
  if (Array.isArray(value)) for (const item of value) yield* mappingsIn(item);
  else if (isMapping(value)) {
    yield value;
    for (const item of Object.values(value)) yield* mappingsIn(item);
  }
}

function isMapping(value: Value | undefined): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const fence = /^([ \t>]*)(`{3,}|~{3,})[ \t]*ya?ml\b[^\n]*\n([\s\S]*?)^\1\2[ \t]*$/gim;

/** The YAML blocks of a page, including those in lists and quotes. */
export function yamlBlocks(page: string): string[] {
  return [...page.matchAll(fence)].map(([, indent = "", , text = ""]) =>
    text
      .split("\n")
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
      .join("\n"),
  );
}
