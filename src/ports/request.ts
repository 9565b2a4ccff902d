import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { Files } from "../config/inputs.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";

/** Ports that read inputs. */
export interface RequestPorts {
  readonly files: Files;
  readonly pullRequest: PullRequestOfRun;
  /** The plan that another job has handed on. Throws an `InputError` for anything else. */
  unpackPlan(text: string): string;
  /** The file of that name. An empty name means the repository's own file, `undefined` when there is none. */
  readConfigurationFile(name: string): Promise<ConfigurationFile | undefined>;
}
