import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { Files } from "../config/raw-inputs.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";

/** What is asked of the outside to read inputs. */
export interface RequestPorts {
  readonly files: Files;
  readonly pullRequest: PullRequestOfRun;
  /** The file of that name; of an empty one the repository's own, `undefined` where there is none. */
  readConfigurationFile(name: string): Promise<ConfigurationFile | undefined>;
}
