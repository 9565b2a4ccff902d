import type { RawInputs } from "../config/raw-inputs.ts";
import { configurationNames, parseRequest, type Request } from "../config/several-apps.ts";
import type { Verb } from "../model/choices.ts";
import type { RequestPorts } from "../ports/request.ts";
import { readAll } from "./named-configurations.ts";

/**
 * Reads the inputs, and the configuration files that they name, else the repository's own. `report` reads no file,
 * because it has no repository: its settings come with the plan.
 */
export async function readRequest(verb: Verb, raw: RawInputs, ports: RequestPorts): Promise<Request> {
  const { files, pullRequest, readConfigurationFile } = ports;
  const configurations: Awaited<ReturnType<typeof readAll>> =
    verb === "report"
      ? [{ name: "", file: undefined }]
      : await readAll(configurationNames(raw["config"]), readConfigurationFile);
  return parseRequest(verb, raw, files, { pullRequest, configurations });
}
