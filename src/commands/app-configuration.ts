import { parseConfig } from "../config/config-parser.ts";
import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { Project } from "../init/project.ts";
import type { PlacedApp } from "../init/read/apps.ts";
import { findFirstUser } from "../init/read/users.ts";
import { variablesOf } from "../init/repair/change.ts";
import { routesIn } from "../init/requests/endpoints.ts";
import { renderConfiguration } from "../init/write/configuration.ts";
import type { InitPorts } from "../ports/init.ts";
import { isDescribed } from "../repository/frameworks.ts";
import { type AppTrial, tryApp } from "../trial/app.ts";
import { type Attempt, stepAfter } from "../trial/attempts.ts";
import { type TrialProblem, withTrial } from "../trial/trial.ts";

/** An app whose configuration file is made. */
export interface ConfiguredApp {
  readonly placed: PlacedApp;
  /** The text of the file for what was found: it keeps what somebody wrote. */
  render(written: string): string;
  fileOf(written: string): ConfigurationFile;
}

/**
 * Starts the app as `run` would and requests its endpoints; starts it again after each missing thing that is found.
 */
export async function configureApp(
  app: ConfiguredApp,
  project: Project,
  ports: InitPorts,
): Promise<{ readonly text: string; readonly isChecked: boolean }> {
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  project.lacks.forEach(warn);
  ports.progress({ kind: "step", text: "reading the app's endpoints" });
  let attempt: Attempt = { number: 1, project, isUndescribed: !isDescribed(app.placed.app.framework) };
  for (;;) {
    const step = stepAfter(attempt, await tryOut(app, attempt.project, ports));
    step.warnings.forEach(warn);
    if (!("next" in step))
      return {
        text: app.render(renderConfiguration(step.project, step.endpoints)),
        isChecked: step.isChecked,
      };
    attempt = step.next;
  }
}

async function tryOut(
  app: ConfiguredApp,
  project: Project,
  ports: InitPorts,
): Promise<AppTrial | TrialProblem> {
  const file = app.fileOf(app.render(renderConfiguration(project, [])));
  const { workload, reporting } = parseConfig("plan", {}, ports.files, { file });
  return workload === undefined
    ? { phase: "import", problem: "no app was named", log: "" }
    : await withTrial(workload, await ports.trialPorts({ workload, reporting }, ports.progress), (running) =>
        tryApp(running, {
          identities: project.identities,
          firstUser: findFirstUser(project.variables, variablesOf(project)),
          hasLogin: workload.login !== undefined,
          hidden: routesIn(project.files).map(({ line }) => line),
        }),
      );
}
