import { type ConfigurationFile, parseConfigurationFile } from "../config/file/configuration-file.ts";
import { configurationPaths } from "../config/file/keys.ts";
import { type NamedConfiguration, parseRequest, type Request } from "../config/several-apps.ts";
import { InputError } from "../errors/errors.ts";
import type { Initialisation } from "../init/options.ts";
import { nameOf, type Project } from "../init/project.ts";
import { chooseApps, isWithin, nearbyApps, type PlacedApp, placeApps } from "../init/read/apps.ts";
import { findProject, ownFiles } from "../init/read/repository.ts";
import { withTablesToFill } from "../init/repair/tables.ts";
import { renderRows } from "../init/tests/recording.ts";
import { withAdded } from "../init/write/configuration.ts";
import { packagesOf, renderWorkflow, workflowPath } from "../init/write/workflow.ts";
import { defined } from "../lists/defined.ts";
import { fewAtOnce } from "../lists/few-at-once.ts";
import { packagesOfExtensions } from "../model/workload/extensions.ts";
import { mysqlService } from "../model/workload/service-presets.ts";
import type { Progress } from "../ports/progress.ts";
import type { InitPorts } from "../ports/trial.ts";
import { shellWords } from "../text/quoting.ts";
import { configureApp } from "./app-configuration.ts";

/**
 * Writes and shows a configuration file for each app of a repository, and a workflow. Returns the request that `plan`
 * reads from them; `undefined` when an app's endpoints could not be read. An existing file keeps its contents and gets what it
 * lacks. Throws an `InputError`, before anything is written, when an existing file would no longer be read.
 */
export async function init(wanted: Initialisation, ports: InitPorts): Promise<Request | undefined> {
  const found = ports.findApps();
  const [first, ...others] = placeApps(chooseApps(nearbyApps(found, ports.here, wanted), wanted));
  const paths = [first, ...others].map(({ path }) => path);
  const present = [...paths, workflowPath].filter((path) => ports.isFile(path));
  const unread = configurationPaths.filter((path) => !paths.includes(path) && ports.isFile(path));
  if (unread.length > 0 && !wanted.overwrites)
    throw new InputError(
      unread.map((path) => `${path} would no longer be read; remove it, or add \`--overwrite\``),
    );
  const { script: chosen } = wanted;
  const isTheirs = (path: string) => [first, ...others].some(({ from }) => isWithin(path, from));
  if (chosen !== undefined && !(ports.isFile(chosen) && isTheirs(chosen)))
    throw new InputError([
      `--script: must be a file in the repository, inside an app's folder (got ${JSON.stringify(chosen)})`,
    ]);
  const files = await ports.readRepository();
  const scripts = { files: ports.readScripts(), ...defined({ chosen }) };
  const made = async (each: PlacedApp) => {
    const variables = await ports.readVariables(ownFiles(each.app, files, found));
    const project = withTablesToFill(
      findProject(each, files, found, variables, await ports.presetsHere(), scripts),
    );
    const { openRequirements: open } = project;
    const requiredOn = open.length === 0 ? undefined : await ports.changedOn(each.app.folder, open);
    const python = wanted.python === undefined ? [] : [pythonFinding(wanted.python)];
    const kept = wanted.overwrites ? undefined : ports.textOf(each.path);
    const known = { ...project, ...defined({ requiredOn }) };
    return configurationOf(each, wanted, { ...known, findings: [...project.findings, ...python] }, kept, {
      ...ports,
      progress: named(each.name, ports.progress),
    });
  };
  // The first one alone: it fetches the tools that all need.
  const configurations: [Made, ...Made[]] = [
    await made(first),
    ...(await fewAtOnce(others, mostAtOnce, made)),
  ];
  // Mistakes in the new files are reported before anything is written.
  const planned = parseRequest("plan", {}, ports.files, { pullRequest: noPullRequest, configurations });
  const services = planned.apps.flatMap(({ workload }) => [
    ...(workload.services ?? []),
    ...(workload.database.kind === "mysql" ? [mysqlService] : []),
  ]);
  const workflow = {
    name: workflowPath,
    text: renderWorkflow(paths, [
      ...packagesOf(services),
      ...packagesOfExtensions(files.map(({ text }) => text)),
    ]),
    isNew: true,
  };
  for (const { name, text, isNew } of [...configurations, workflow]) {
    const isThere = present.includes(name);
    if (isThere && !wanted.overwrites && (name === workflowPath || !isNew)) {
      ports.print(`left ${name} unchanged\n`);
      continue;
    }
    await ports.write(name, text);
    const did = !isThere ? "wrote" : wanted.overwrites ? "replaced" : "added to";
    ports.print(`${did} ${name}\n\n${indented(text)}\n`);
  }
  await ignoreResults(ports);
  for (const path of unread)
    ports.progress({ kind: "warning", text: `${path} is no longer read; remove it` });
  if (others.length > 0)
    ports.print(
      `measure them here: ${shellWords(["run", ...paths.flatMap((path) => ["--config", ports.fromHere(path)])])}\n`,
    );
  // An app whose endpoints could not be read just now would fail in `plan`, too.
  return configurations.every(({ isChecked }) => isChecked) ? planned : undefined;
}

/** Apps that are started at once; each has a server and a Postgres of its own. */
const mostAtOnce = 3;

function named(name: string | undefined, progress: Progress): Progress {
  return (event) =>
    progress("text" in event && name !== undefined ? { ...event, text: `${name}: ${event.text}` } : event);
}

const resultsDirectory = "loadtest-results/";

/** Keeps the results of `run` out of the repository. */
async function ignoreResults(ports: InitPorts): Promise<void> {
  const text = ports.textOf(".gitignore");
  if (text === undefined || /^\/?loadtest-results\/?[ \t\r]*$/m.test(text)) return;
  await ports.write(
    ".gitignore",
    `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${resultsDirectory}\n`,
  );
  ports.print(`added ${resultsDirectory} to .gitignore\n`);
}

function pythonFinding(value: string) {
  return { key: "python", value, reason: "as `--python` said" };
}

const noPullRequest = { kind: "none", reason: "nothing has been measured yet" } as const;

type Made = NamedConfiguration & {
  readonly text: string;
  readonly isChecked: boolean;
  readonly isNew: boolean;
};

async function configurationOf(
  placed: PlacedApp,
  { tests, replacesLogin }: Initialisation,
  project: Project,
  kept: string | undefined,
  ports: InitPorts,
): Promise<Made> {
  const app = {
    placed,
    ...defined({ tests, replacesLogin }),
    render: (written: string) => merged(placed.path, kept, written),
    fileOf: (written: string) => fileOf(placed, written, ports),
  };
  const { rows, ...made } = await configureApp(app, project, ports);
  const isNew = made.text !== kept;
  if (rows !== undefined && isNew && made.text.includes(nameOf(rows.path))) {
    // The configuration names it, so it has to be there.
    const before = kept?.includes(nameOf(rows.path)) ? ports.textOf(rows.path) : undefined;
    await ports.write(rows.path, renderRows(rows.rows, before));
    ports.print(`wrote ${rows.path}\n`);
  }
  return { name: placed.path, ...made, file: fileOf(placed, made.text, ports), isNew };
}

/** The new text of a file. Nothing that somebody wrote in it is changed. */
function merged(path: string, kept: string | undefined, written: string): string {
  if (kept === undefined) return written;
  const both = withAdded(path, kept, written);
  if (typeof both === "string") throw new InputError([both]);
  return both.text;
}

function fileOf({ path, from }: PlacedApp, text: string, { folder }: InitPorts): ConfigurationFile {
  return parseConfigurationFile(path, from === "." ? folder : `${folder}/${from}`, text);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
