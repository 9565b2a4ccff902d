import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { Files, RawInputs } from "../config/inputs.ts";
import {
  configurationNames,
  type NamedConfiguration,
  parseRequest,
  type Request,
} from "../config/several-apps.ts";
import { InputError, namingApp } from "../errors/errors.ts";
import { tokenProblem, tokenVariables } from "../forge/credentials.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { discoverEndpoints, readFiles } from "../measure/preparation/index.ts";
import type { Verb } from "../model/choices.ts";
import type { AppOfReport, Workload } from "../model/workload/workload.ts";
import type { RequestPorts, RunPorts } from "../ports/run.ts";
import type { InputsOfVerb } from "./arguments.ts";

/** Throws before anything is started: child processes can always read the environment that this process began with. */
export function refuseTokens(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment["GITHUB_EVENT_NAME"] === "pull_request_target")
    throw new InputError([
      "event: pull_request_target would run a pull request's code with the repository's permissions; use pull_request instead",
    ]);
  const found = tokenVariables(environment);
  if (found.length > 0) throw new InputError([tokenProblem(found)]);
}

type Configurations = Awaited<ReturnType<typeof readAll>>;

/** Reads the inputs and configuration files. `report` reads no file: its settings come with the plan. */
export async function readRequest(verb: Verb, given: RawInputs, ports: RequestPorts): Promise<Request> {
  const { files, pullRequest } = ports;
  const raw = given["plan"] ? { ...given, plan: ports.unpackPlan(given["plan"]) } : given;
  const configurations: Configurations =
    verb === "report" ? [{ name: "", file: undefined }] : await configurationsFor(raw, ports);
  return parseRequest(verb, raw, files, { pullRequest, configurations });
}

/** Inputs that say what is measured, so that no file is searched in the apps' folders. */
const subjects = ["config", "app", "working-directory", "base-url", "plan", "settings"];

/** The files that the inputs name, else the repository's own, else those of its apps as `init` writes them. */
async function configurationsFor(
  raw: RawInputs,
  { files, readConfigurationFile }: RequestPorts,
): Promise<Configurations> {
  const named = await readAll(configurationNames(raw["config"]), readConfigurationFile);
  if (named.some(({ file }) => file !== undefined) || subjects.some((each) => raw[each])) return named;
  const ofApps = filesOfApps(files);
  return isNonEmpty(ofApps) ? await readAll(ofApps, readConfigurationFile) : named;
}

function filesOfApps(files: Files): readonly string[] {
  const folders = new Set(files.findApps(files.resolve(".")).map(({ folder }) => folder));
  return [...folders]
    .map((folder) => `${folder}/loadtest.yml`)
    .filter((path) => files.isFile(files.resolve(path)));
}

/** Throws one `InputError` when an option cannot be read, with all that is wrong in the values of the others. */
export async function refuseOptions(
  { verb, raw, problems }: InputsOfVerb,
  ports: RequestPorts,
): Promise<void> {
  if (problems.length === 0) return;
  const others = await readRequest(verb, raw, ports).then(
    () => [],
    (error: unknown) => {
      if (error instanceof InputError) return error.problems;
      throw error;
    },
  );
  throw new InputError([...problems, ...others]);
}

/** Reads all files. Throws one `InputError` with all that is wrong in any of them. */
export async function readAll(
  names: NonEmptyArray<string>,
  read: (name: string) => Promise<ConfigurationFile | undefined>,
): Promise<NonEmptyArray<NamedConfiguration>> {
  const configurations: NamedConfiguration[] = [];
  const problems: string[] = [];
  for (const name of names) {
    try {
      configurations.push({ name, file: await read(name) });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0 || !isNonEmpty(configurations)) throw new InputError(problems);
  return configurations;
}

/** The apps with all endpoints filled in, and with the services and users that other files name. */
export async function fillInEndpoints(
  { apps, reporting }: Request,
  ports: Pick<RunPorts, "environment" | "endpointPorts">,
): Promise<NonEmptyArray<AppOfReport>> {
  const filledIn = async (workload: Workload): Promise<Workload> => {
    if (workload.discovery !== undefined) refuseTokens(ports.environment); // the app's code runs, whatever the verb
    const endpointPorts = ports.endpointPorts(reporting, workload);
    return await discoverEndpoints(await readFiles(workload, endpointPorts), endpointPorts);
  };
  const filled: AppOfReport[] = [];
  for (const app of apps) {
    try {
      filled.push({ ...app, workload: await filledIn(app.workload) });
    } catch (error) {
      throw apps.length > 1 ? namingApp(error, app.workload.name ?? "") : error;
    }
  }
  if (!isNonEmpty(filled)) throw new Error("only `report` may have no app");
  return filled;
}
