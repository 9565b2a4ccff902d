import type { Config } from "../core/config/config.ts";
import { parseConfig } from "../core/config/config-parser.ts";
import { configurationPaths, parseConfigurationFile } from "../core/config/file/configuration-file.ts";
import { EnvironmentError, InputError } from "../core/errors.ts";
import { chooseApp } from "../core/init/choice.ts";
import { renderConfiguration } from "../core/init/configuration.ts";
import { routesIn, type SuggestedEndpoint, suggestEndpoints } from "../core/init/endpoints.ts";
import type { ProjectFile } from "../core/init/finding.ts";
import type { Initialisation } from "../core/init/initialisation.ts";
import { findProject, type Project } from "../core/init/project.ts";
import { renderWorkflow, workflowPath } from "../core/init/workflow.ts";
import type { InitPorts } from "../ports.ts";
import { placeholderUrl } from "./ground.ts";
import { variablesFor } from "./seed-commands.ts";

const [configurationPath] = configurationPaths;

/**
 * Writes a configuration file and a workflow for a repository, shows them, and returns what they mean to `plan`. Throws an `InputError` before anything is written when one of them is there already and is not to be replaced.
 */
export async function init(wanted: Initialisation, ports: InitPorts): Promise<Config> {
  const before = [...configurationPaths, workflowPath].filter((path) => ports.isFile(path));
  if (before.length > 0 && !wanted.overwrites)
    throw new InputError(
      before.map(
        (path) => `${path} is there already; \`init --overwrite true\` replaces it, or move it away`,
      ),
    );
  const files = ports.readRepository();
  const project = findProject(chooseApp(ports.findApps(), wanted), files);
  const endpoints = await endpointsOf(project, files, ports);
  const configuration = renderConfiguration(project, endpoints);
  const texts = { [configurationPath]: configuration, [workflowPath]: renderWorkflow() };
  const planned = plannedBy(configuration, ports); // whatever is wrong with it is told before it is there
  for (const [path, text] of Object.entries(texts)) {
    await ports.write(path, text);
    ports.print(`${before.includes(path) ? "replaced" : "wrote"} ${path}\n\n${indented(text)}\n`);
  }
  const shadowed = before.find((path) => path !== configurationPath && path !== workflowPath);
  if (shadowed !== undefined)
    ports.progress({ kind: "warning", text: `${shadowed} is not read any more; remove it` });
  return planned;
}

/** Of the app itself; where it cannot be asked, of its code. */
async function endpointsOf(
  project: Project,
  files: readonly ProjectFile[],
  ports: InitPorts,
): Promise<readonly SuggestedEndpoint[]> {
  const planned = plannedBy(renderConfiguration(project, []), ports);
  ports.progress({ kind: "step", text: "asking the app for its endpoints" });
  const read = await readOpenApi(planned, ports);
  if ("document" in read) return suggestEndpoints(read.document, project.hasData);
  const why = `the app could not be asked for its endpoints (${read.problem}), so they are those that its code names`;
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

function plannedBy(text: string, { folder, files }: InitPorts): Config {
  const file = parseConfigurationFile(configurationPath, folder, text);
  return parseConfig("plan", {}, files, { file });
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
