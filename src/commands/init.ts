import { parseConfig } from "../config/config-parser.ts";
import { type ConfigurationFile, parseConfigurationFile } from "../config/file/configuration-file.ts";
import { configurationPaths } from "../config/file/paths.ts";
import { type NamedConfiguration, parseRequest, type Request } from "../config/several-apps.ts";
import { InputError } from "../errors/errors.ts";
import { chooseApps } from "../init/choice.ts";
import { renderConfiguration } from "../init/configuration.ts";
import { candidatesOf, limited, routesIn, type SuggestedEndpoint, untried } from "../init/endpoints.ts";
import type { Initialisation } from "../init/initialisation.ts";
import { withAdded } from "../init/kept.ts";
import { findLogin } from "../init/login.ts";
import { mend } from "../init/mending.ts";
import { type PlacedApp, placeApps } from "../init/placing.ts";
import { findProject, ownFiles, type Project } from "../init/project.ts";
import { renderWorkflow, workflowPath } from "../init/workflow.ts";
import { type TrialProblem, withTrial } from "../measure/trial.ts";
import { tryCandidates } from "../measure/tried-endpoints.ts";
import type { InitPorts } from "../ports/init.ts";
import { shortenEnd } from "../text/length.ts";
import { shellWords } from "../text/shell-words.ts";
import { visibleLine } from "../text/visible.ts";

/**
 * Writes and shows a configuration file for each app of a repository, and a workflow. Returns the request that `plan`
 * reads from them; `undefined` when an app could not be asked. An existing file keeps its contents and gets what it
 * lacks. Throws an `InputError`, before anything is written, when an existing file would no longer be read.
 */
export async function init(wanted: Initialisation, ports: InitPorts): Promise<Request | undefined> {
  const found = ports.findApps();
  const [first, ...others] = placeApps(chooseApps(found, wanted));
  const paths = [first, ...others].map(({ path }) => path);
  const present = [...paths, workflowPath].filter((path) => ports.isFile(path));
  const unread = configurationPaths.filter((path) => !paths.includes(path) && ports.isFile(path));
  if (unread.length > 0 && !wanted.overwrites)
    throw new InputError(
      unread.map((path) => `${path} would not be read any more; remove it, or give \`--overwrite true\``),
    );
  const files = ports.readRepository();
  const made = async (each: PlacedApp) => {
    const variables = await ports.readVariables(ownFiles(each.app, files, found));
    const project = findProject(each, files, found, variables);
    const python = wanted.python === undefined ? [] : [pythonFinding(wanted.python)];
    const kept = wanted.overwrites ? undefined : ports.textOf(each.path);
    return configurationOf(each, { ...project, findings: [...project.findings, ...python] }, kept, ports);
  };
  const configurations: [Made, ...Made[]] = [await made(first)];
  for (const each of others) configurations.push(await made(each));
  // Mistakes in the new files are reported before anything is written.
  const planned = parseRequest("plan", {}, ports.files, { pullRequest: noPullRequest, configurations });
  const workflow = { name: workflowPath, text: renderWorkflow(paths), isNew: true };
  for (const { name, text, isNew } of [...configurations, workflow]) {
    const isThere = present.includes(name);
    if (isThere && !wanted.overwrites && (name === workflowPath || !isNew)) {
      ports.print(`kept ${name} as it is\n`);
      continue;
    }
    await ports.write(name, text);
    const did = !isThere ? "wrote" : wanted.overwrites ? "replaced" : "added to";
    ports.print(`${did} ${name}\n\n${indented(text)}\n`);
  }
  await ignoreResults(ports);
  for (const path of unread)
    ports.progress({ kind: "warning", text: `${path} is not read any more; remove it` });
  if (others.length > 0)
    ports.print(
      `measure them here: ${shellWords(["run", ...paths.flatMap((path) => ["--config", ports.fromHere(path)])])}\n`,
    );
  // An app that could not be asked just now would not answer `plan` either.
  return configurations.every(({ isAsked }) => isAsked) ? planned : undefined;
}

const resultsFolder = "loadtest-results/";

/** Keeps the results of `run` out of the repository. */
async function ignoreResults(ports: InitPorts): Promise<void> {
  const text = ports.textOf(".gitignore");
  if (text === undefined || /^\/?loadtest-results\/?[ \t\r]*$/m.test(text)) return;
  await ports.write(
    ".gitignore",
    `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${resultsFolder}\n`,
  );
  ports.print(`added ${resultsFolder} to .gitignore\n`);
}

function pythonFinding(value: string) {
  return { key: "python", value, reason: "as `--python` said" };
}

const noPullRequest = { kind: "none", reason: "nothing is measured yet" } as const;

type Made = NamedConfiguration & {
  readonly text: string;
  readonly isAsked: boolean;
  /** True when the file is new or its text has changed. */
  readonly isNew: boolean;
};

/** Most starts of one app, each after one more change. No app has needed more. */
const mostAttempts = 6;

async function configurationOf(
  placed: PlacedApp,
  project: Project,
  kept: string | undefined,
  ports: InitPorts,
): Promise<Made> {
  const { text, isAsked } = await asked(placed, project, (each) => merged(placed.path, kept, each), ports);
  return { name: placed.path, text, file: fileOf(placed, text, ports), isAsked, isNew: text !== kept };
}

/** The new text of a file. Nothing that somebody wrote in it is changed. */
function merged(path: string, kept: string | undefined, written: string): string {
  if (kept === undefined) return written;
  const both = withAdded(path, kept, written);
  if (typeof both === "string") throw new InputError([both]);
  return both.text;
}

/** The text of a configuration file for what was found. */
type Rendering = (written: string) => string;

/**
 * Starts the app as `run` would and asks it for its endpoints; starts it again after each missing thing that is found.
 */
async function asked(
  placed: PlacedApp,
  first: Project,
  render: Rendering,
  ports: InitPorts,
): Promise<{ readonly text: string; readonly isAsked: boolean }> {
  const called = placed.name === undefined ? "the app" : `the app ${placed.name}`;
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  first.lacks.forEach(warn);
  ports.progress({ kind: "step", text: `asking ${called} for its endpoints` });
  let project = first;
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryOut(placed, project, render, ports);
    if (!("problem" in tried))
      return { text: render(await withLogin(placed, project, tried, render, ports)), isAsked: true };
    const mended = attempt < mostAttempts ? mend(project, tried.said) : undefined;
    if (mended !== undefined) {
      warn(mended.told);
      project = mended.project;
      continue;
    }
    const why = shortenEnd(visibleLine(tried.problem), 300);
    if (tried.document !== undefined) {
      warn(
        `${called} could not be started to try its endpoints (${why}), so they are as its document has them`,
      );
      return { text: render(renderConfiguration(project, untried(tried.document))), isAsked: true };
    }
    const isOther = ["Django", "Flask", "Litestar", "Quart", "Starlette"].includes(placed.app.framework);
    const routes = isOther ? routesIn(project.files) : [];
    const instead =
      routes.length > 0
        ? "they are those that its code names"
        : "it is asked where it is measured (`endpoints: auto`)";
    warn(`${called} could not be asked for its endpoints (${why}), so ${instead}`);
    return {
      text: render(renderConfiguration(first, routes.length > 0 ? routes : "auto")),
      isAsked: routes.length > 0,
    };
  }
}

type Tried = { readonly document: unknown; readonly endpoints: readonly SuggestedEndpoint[] };

async function tryOut(
  placed: PlacedApp,
  project: Project,
  render: Rendering,
  ports: InitPorts,
): Promise<Tried | (TrialProblem & { readonly document?: unknown })> {
  const file = fileOf(placed, render(renderConfiguration(project, [])), ports);
  const { workload, reporting } = parseConfig("plan", {}, ports.files, { file });
  return workload === undefined
    ? { problem: "no app was named", said: "" }
    : await withTrial(workload, await ports.trialPorts({ workload, reporting }), async (running) => {
        const { candidates, others } = candidatesOf(running.document);
        const endpoints = limited([...(await tryCandidates(candidates, running)), ...others]);
        return { document: running.document, endpoints };
      });
}

/** The configuration's text, with a login as the app's own first user when one is found that works. */
async function withLogin(
  placed: PlacedApp,
  project: Project,
  { document, endpoints }: Tried,
  render: Rendering,
  ports: InitPorts,
): Promise<string> {
  const login = endpoints.some(({ reason = "" }) => reason.includes("asks for a login"))
    ? findLogin(document, project.variables, givenIn(project))
    : undefined;
  if (login === undefined) return renderConfiguration(project, endpoints);
  const withIt = { ...project, findings: [...project.findings, login] };
  const tried = await tryOut(placed, withIt, render, ports);
  if (!("problem" in tried)) return renderConfiguration(withIt, tried.endpoints);
  ports.progress({
    kind: "warning",
    text: `logging in did not work: ${shortenEnd(visibleLine(tried.problem), 300)}`,
  });
  return renderConfiguration(project, endpoints);
}

function givenIn({ findings }: Project): Readonly<Record<string, string>> {
  const value: unknown = findings.find(({ key }) => key === "app-env")?.value;
  return Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, String(each)]));
}

function fileOf({ path, from }: PlacedApp, text: string, { folder }: InitPorts): ConfigurationFile {
  return parseConfigurationFile(path, from === "." ? folder : `${folder}/${from}`, text);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
