import type { AppFailure, Project } from "../project.ts";
import type { Repair, RepairRule } from "./change.ts";
import {
  withExtension,
  withOtherDriver,
  withoutCommand,
  withoutSeedFile,
  withTestDatabase,
} from "./database.ts";
import {
  withAddedPackage,
  withEmptyFolder,
  withEnvironmentFile,
  withImportFolder,
  withOlderPackages,
  withOtherLoop,
  withOtherRequirements,
  withOtherServer,
  withoutProcess,
  withReadyPath,
  withTimeToStart,
} from "./start.ts";
import { withModelTables } from "./tables.ts";
import { withAccepted, withCloud, withExamples, withMissing, withNamed } from "./values.ts";

/** What names its change comes first, what is guessed later, what leaves something out last. */
const rules: readonly RepairRule[] = [
  withMissing,
  withAccepted,
  withCloud,
  withEnvironmentFile,
  withEmptyFolder,
  withExtension,
  withModelTables,
  withOtherDriver,
  withTestDatabase,
  withImportFolder,
  withReadyPath,
  withTimeToStart,
  withOtherLoop,
  withOtherServer,
  withOtherRequirements,
  withOlderPackages,
  withAddedPackage,
  withNamed,
  withExamples,
  withoutCommand,
  withoutSeedFile,
  withoutProcess,
];

/** The change to try after a failure; `undefined` when there is no new one. */
export function repair(project: Project, failure: AppFailure): Repair | undefined {
  const { phase, detail } = failure;
  // Another start changes nothing about packages.
  if (phase === "install") return undefined;
  // A command that waits for something does not fail for a missing value.
  if (detail?.kind === "command" && detail.stopped !== undefined) return withoutCommand(project, failure);
  for (const rule of rules) {
    const found = rule(project, failure);
    if (found !== undefined) return found;
  }
  return undefined;
}
