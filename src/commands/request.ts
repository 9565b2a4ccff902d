import type { Files, RawInputs } from "../config/inputs.ts";
import { configurationNames, parseRequest, type Request } from "../config/several-apps.ts";
import { isNonEmpty } from "../lists/non-empty.ts";
import type { Verb } from "../model/choices.ts";
import type { RequestPorts } from "../ports/request.ts";
import { readAll } from "./named-configurations.ts";

type Configurations = Awaited<ReturnType<typeof readAll>>;

/**
 * Reads the inputs, and the configuration files that they name, else the repository's own. `report` reads no file,
 * because it has no repository: its settings come with the plan.
 */
export async function readRequest(verb: Verb, given: RawInputs, ports: RequestPorts): Promise<Request> {
  const { files, pullRequest } = ports;
  const raw = given["plan"] ? { ...given, plan: ports.unpackPlan(given["plan"]) } : given;
  const configurations: Configurations =
    verb === "report" ? [{ name: "", file: undefined }] : await configurationsFor(raw, ports);
  return parseRequest(verb, raw, files, { pullRequest, configurations });
}

/** Inputs that say what is measured, so that no file is looked for in the apps' folders. */
const subjects = ["config", "app", "app-folder", "base-url", "plan", "settings"];

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
