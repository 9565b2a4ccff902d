import type { RawInputs } from "../config/inputs.ts";
import { InputError } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { endpointLabel } from "../model/plan/cell.ts";
import { labelsMeant } from "../model/thresholds/threshold.ts";
import type { AppOfReport } from "../model/workload/workload.ts";
import type { BisectPorts, CommitRange, RunPorts } from "../ports/run.ts";
import { withOnly } from "./again.ts";

export function endpointOf(
  apps: NonEmptyArray<AppOfReport>,
  name: string | undefined,
): NonEmptyArray<AppOfReport> {
  const chosen = apps.flatMap((app): AppOfReport[] => {
    const { endpoints, workerCounts } = app.workload;
    const meant = name === undefined ? undefined : labelsMeant(name, endpoints);
    const own = endpoints.filter((each) => meant === undefined || meant.has(endpointLabel(each)));
    return isNonEmpty(own) ? [withOnly(app, own, workerCounts[0])] : [];
  });
  if (isNonEmpty(chosen)) return chosen;
  const known = apps.flatMap(({ workload }) => workload.endpoints.map(endpointLabel));
  throw new InputError([
    `endpoint: ${JSON.stringify(name)} is not measured; choose from ${known.slice(0, 20).join(", ")}`,
  ]);
}

/** An environment that lies in the user's folder is in no commit. */
export function environmentOf(apps: readonly AppOfReport[]): RawInputs {
  const [only, ...others] = apps;
  const install = only?.workload.app.install;
  return others.length === 0 && typeof install === "object" && "environmentFolder" in install
    ? { install: install.environmentFolder }
    : {};
}

/** Settings of now, and all other files of the commit that is checked out. */
export async function portsWithin(
  range: CommitRange,
  apps: readonly AppOfReport[],
  ports: BisectPorts,
): Promise<RunPorts> {
  const { files, readConfigurationFile } = ports.request;
  const kept = new Map(
    await Promise.all(apps.map(async ({ config }) => [config, await readConfigurationFile(config)] as const)),
  );
  const here = range.at(files.resolve("."));
  return {
    ...ports,
    request: {
      ...ports.request,
      files: {
        ...files,
        resolve: (path, folder) =>
          files.resolve(path, folder === undefined ? here : files.resolve(folder, here)),
      },
      readConfigurationFile: async (name) => {
        const file = kept.get(name);
        return file && { ...file, folder: range.at(file.folder) };
      },
    },
  };
}
