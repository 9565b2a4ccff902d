import { parseConfig } from "../config/config-parser.ts";
import { type ConfigurationFile, parseConfigurationFile } from "../config/file/configuration-file.ts";
import { configurationPaths } from "../config/file/paths.ts";
import { type NamedConfiguration, parseRequest, type Request } from "../config/several-apps.ts";
import { EnvironmentError, InputError } from "../errors/errors.ts";
import { chooseApps } from "../init/choice.ts";
import { renderConfiguration } from "../init/configuration.ts";
import { routesIn, type SuggestedEndpoint, suggestEndpoints } from "../init/endpoints.ts";
import type { Initialisation } from "../init/initialisation.ts";
import { type PlacedApp, placeApps } from "../init/placing.ts";
import { findProject, type Project } from "../init/project.ts";
import { renderWorkflow, workflowPath } from "../init/workflow.ts";
import { placeholderUrl } from "../measure/preparation.ts";
import { variablesFor } from "../measure/seed-commands.ts";
import type { Config } from "../model/workload/workload.ts";
import type { InitPorts } from "../ports/init.ts";
import { shellWords } from "../text/shell-words.ts";

/**
 * Writes a configuration file for each app of a repository, and a workflow; shows them, and returns what they mean to
 * `plan`. Throws an `InputError` before anything is written when one of them is there already and is not to be replaced,
 * or when one that is there would not be read any more.
 */
export async function init(wanted: Initialisation, ports: InitPorts): Promise<Request> {
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
  const made = (each: PlacedApp) => configurationOf(each, findProject(each, files, found), ports);
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
  return planned;
}

const noPullRequest = { kind: "none", reason: "nothing is measured yet" } as const;

type Made = NamedConfiguration & { readonly text: string };

async function configurationOf(placed: PlacedApp, project: Project, ports: InitPorts): Promise<Made> {
  const file = fileOf(placed, renderConfiguration(project, []), ports);
  const config = parseConfig("plan", {}, ports.files, { file });
  const text = renderConfiguration(project, await endpointsOf(config, placed, project, ports));
  return { name: placed.path, text, file: fileOf(placed, text, ports) };
}

function fileOf({ path, from }: PlacedApp, text: string, { folder }: InitPorts): ConfigurationFile {
  return parseConfigurationFile(path, from === "." ? folder : `${folder}/${from}`, text);
}

/** Of the app itself; where it cannot be asked, of its code. */
async function endpointsOf(
  config: Config,
  { name }: PlacedApp,
  { files, hasData }: Project,
  ports: InitPorts,
): Promise<readonly SuggestedEndpoint[]> {
  const called = name === undefined ? "the app" : `the app ${name}`;
  ports.progress({ kind: "step", text: `asking ${called} for its endpoints` });
  const read = await readOpenApi(config, ports);
  if ("document" in read) return suggestEndpoints(read.document, hasData);
  const why = `${called} could not be asked for its endpoints (${read.problem}), so they are those that its code names`;
  ports.progress({ kind: "warning", text: why });
  return routesIn(files);
}

/** What cannot be installed here may be on GitHub, so that is no reason to write nothing. */
async function readOpenApi(
  { workload, reporting }: Config,
  ports: InitPorts,
): ReturnType<InitPorts["readOpenApi"]> {
  try {
    return workload === undefined
      ? { problem: "nobody said which it is" }
      : await ports.readOpenApi(
          { workload, reporting },
          variablesFor(workload, workload.app, placeholderUrl),
        );
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return { problem: `${error.phase}: ${error.message}` };
  }
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
