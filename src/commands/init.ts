import { parseConfig } from "../config/config-parser.ts";
import { type ConfigurationFile, parseConfigurationFile } from "../config/file/configuration-file.ts";
import { configurationPaths } from "../config/file/paths.ts";
import { type NamedConfiguration, parseRequest, type Request } from "../config/several-apps.ts";
import { InputError } from "../errors/errors.ts";
import { chooseApps } from "../init/choice.ts";
import { renderConfiguration } from "../init/configuration.ts";
import { candidatesOf, limited, routesIn, type SuggestedEndpoint, untried } from "../init/endpoints.ts";
import type { Initialisation } from "../init/initialisation.ts";
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
 * Writes a configuration file for each app of a repository, and a workflow; shows them, and returns what they mean to
 * `plan`. Throws an `InputError` before anything is written when one of them is there already and is not to be replaced,
 * or when one that is there would not be read any more.
 */
export async function init(wanted: Initialisation, ports: InitPorts): Promise<Request | undefined> {
  const found = ports.findApps();
  const [first, ...others] = placeApps(chooseApps(found, wanted));
  const paths = [first, ...others].map(({ path }) => path);
  const replaced = [...paths, workflowPath].filter((path) => ports.isFile(path));
  const unread = configurationPaths.filter((path) => !paths.includes(path) && ports.isFile(path));
  if (replaced.length + unread.length > 0 && !wanted.overwrites)
    throw new InputError([
      ...replaced.map(
        (path) => `${path} is there already; \`init --overwrite true\` replaces it, or move it away`,
      ),
      ...unread.map((path) => `${path} would not be read any more; remove it, or give \`--overwrite true\``),
    ]);
  const files = ports.readRepository();
  const made = async (each: PlacedApp) => {
    const variables = await ports.readVariables(ownFiles(each.app, files, found));
    return configurationOf(each, findProject(each, files, found, variables), ports);
  };
  const configurations: [Made, ...Made[]] = [await made(first)];
  for (const each of others) configurations.push(await made(each));
  // Whatever is wrong with it is told before it is there.
  const planned = parseRequest("plan", {}, ports.files, { pullRequest: noPullRequest, configurations });
  for (const { name, text } of [...configurations, { name: workflowPath, text: renderWorkflow(paths) }]) {
    await ports.write(name, text);
    ports.print(`${replaced.includes(name) ? "replaced" : "wrote"} ${name}\n\n${indented(text)}\n`);
  }
  for (const path of unread)
    ports.progress({ kind: "warning", text: `${path} is not read any more; remove it` });
  if (others.length > 0)
    ports.print(
      `measure them here: ${shellWords(["run", ...paths.flatMap((path) => ["--config", ports.fromHere(path)])])}\n`,
    );
  // What could not be asked just now would not answer `plan` either.
  return configurations.every(({ isAsked }) => isAsked) ? planned : undefined;
}

const noPullRequest = { kind: "none", reason: "nothing is measured yet" } as const;

type Made = NamedConfiguration & { readonly text: string; readonly isAsked: boolean };

/** Each change leads to another; nobody needs more. */
const mostAttempts = 6;

async function configurationOf(placed: PlacedApp, project: Project, ports: InitPorts): Promise<Made> {
  const { text, isAsked } = await asked(placed, project, ports);
  return { name: placed.path, text, file: fileOf(placed, text, ports), isAsked };
}

/** Starts the app as `run` would, again with each thing that is found to be lacking, and asks it. */
async function asked(
  placed: PlacedApp,
  first: Project,
  ports: InitPorts,
): Promise<{ readonly text: string; readonly isAsked: boolean }> {
  const called = placed.name === undefined ? "the app" : `the app ${placed.name}`;
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  for (const sentence of first.lacks) warn(sentence);
  ports.progress({ kind: "step", text: `asking ${called} for its endpoints` });
  let project = first;
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryOut(placed, project, ports);
    if (!("problem" in tried)) return { text: await withLogin(placed, project, tried, ports), isAsked: true };
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
      return { text: renderConfiguration(project, untried(tried.document)), isAsked: true };
    }
    const isOther = ["Django", "Flask", "Litestar", "Quart", "Starlette"].includes(placed.app.framework);
    const routes = isOther ? routesIn(project.files) : [];
    const instead =
      routes.length > 0
        ? "they are those that its code names"
        : "it is asked where it is measured (`endpoints: auto`)";
    warn(`${called} could not be asked for its endpoints (${why}), so ${instead}`);
    return {
      text: renderConfiguration(first, routes.length > 0 ? routes : "auto"),
      isAsked: routes.length > 0,
    };
  }
}

type Tried = { readonly document: unknown; readonly endpoints: readonly SuggestedEndpoint[] };

async function tryOut(
  placed: PlacedApp,
  project: Project,
  ports: InitPorts,
): Promise<Tried | (TrialProblem & { readonly document?: unknown })> {
  const file = fileOf(placed, renderConfiguration(project, []), ports);
  const { workload, reporting } = parseConfig("plan", {}, ports.files, { file });
  if (workload === undefined) return { problem: "nobody said which it is", said: "" };
  return await withTrial(workload, await ports.trialPorts({ workload, reporting }), async (running) => {
    const { candidates, others } = candidatesOf(running.document);
    const endpoints = limited([...(await tryCandidates(candidates, running)), ...others]);
    return { document: running.document, endpoints };
  });
}

/** The text, with the app's own first user where it has one that can log in. */
async function withLogin(
  placed: PlacedApp,
  project: Project,
  { document, endpoints }: Tried,
  ports: InitPorts,
): Promise<string> {
  const login = endpoints.some(({ reason = "" }) => reason.includes("asks for a login"))
    ? findLogin(document, project.variables, givenIn(project))
    : undefined;
  if (login === undefined) return renderConfiguration(project, endpoints);
  const withIt = { ...project, findings: [...project.findings, login] };
  const tried = await tryOut(placed, withIt, ports);
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
