import { parseConfig } from "../config/config-parser.ts";
import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import { renderConfiguration } from "../init/configuration.ts";
import { routesIn, untried } from "../init/endpoints.ts";
import { findFirstUser } from "../init/login.ts";
import { timeForSlowStart } from "../init/mended-start.ts";
import { mend } from "../init/mending.ts";
import { withOlderPackages } from "../init/older-packages.ts";
import type { PlacedApp } from "../init/placing.ts";
import type { Project } from "../init/project.ts";
import { untriedSockets } from "../init/sockets.ts";
import type { FoundSetting } from "../init/source-file.ts";
import { withStubAnswers } from "../init/stub-answers.ts";
import type { InitPorts } from "../ports/init.ts";
import { shortenEnd } from "../text/length.ts";
import { count } from "../text/numbers.ts";
import { visibleLine } from "../text/visible.ts";
import { openApiPath, type TriedApp, tryApp } from "../trial/app.ts";
import { type TrialProblem, withTrial } from "../trial/trial.ts";

/** An app whose configuration file is made. */
export interface AskedApp {
  readonly placed: PlacedApp;
  /** The text of the file for what was found: it keeps what somebody wrote. */
  render(written: string): string;
  fileOf(written: string): ConfigurationFile;
}

/** Most starts of one app, each after one more change. No app has needed more. */
const mostAttempts = 6;

/**
 * Starts the app as `run` would and asks it for its endpoints; starts it again after each missing thing that is found.
 */
export async function askApp(
  app: AskedApp,
  first: Project,
  ports: InitPorts,
): Promise<{ readonly text: string; readonly isAsked: boolean }> {
  const { app: found } = app.placed;
  const warn = (text: string) => ports.progress({ kind: "warning", text });
  const written = (project: Project, endpoints: Parameters<typeof renderConfiguration>[1]) =>
    app.render(renderConfiguration(project, endpoints));
  first.lacks.forEach(warn);
  ports.progress({ kind: "step", text: "asking the app for its endpoints" });
  let project = first;
  let guess: { readonly otherwise: Project; readonly said: string } | undefined;
  let before: { readonly project: Project; readonly tried: TriedApp } | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const now = await tryOut(app, project, ports);
    const isBetter = before === undefined || answersOf(now) > answersOf(before.tried);
    if (before !== undefined && !isBetter) {
      warn("that changed nothing for the better, so the newest packages are taken");
      project = before.project;
    }
    const tried = isBetter ? now : (before?.tried ?? now);
    if (!("problem" in tried)) {
      const answering = attempt < mostAttempts ? withStubAnswers(project, tried.failing ?? "") : undefined;
      if (answering !== undefined) {
        warn(answering.told);
        project = answering.project;
        continue;
      }
      const older = before === undefined ? withOlderPackages(project, tried.failing ?? "") : undefined;
      if (older?.otherwise !== undefined) {
        warn(older.told);
        before = { project: older.otherwise, tried };
        project = older.project;
        continue;
      }
      if (tried.refused !== undefined) warn(`logging in did not work: ${short(tried.refused)}`);
      if (tried.limit !== undefined)
        warn(
          `the app answers 429 (too many requests) after ${count(tried.limit)} in a row; switch its limit off for the load test (\`app-env\`), or nearly all of the load is refused`,
        );
      const lack = lackOf(tried);
      if (lack !== undefined) warn(`the app has no endpoint that answers here: ${lack}`);
      return { text: written(withFound(project, tried), tried.endpoints), isAsked: true };
    }
    if (guess !== undefined) {
      const { otherwise, said } = guess;
      guess = undefined;
      const isUninstallable = tried.said.startsWith("install: ");
      if (isUninstallable || said === withoutNumbers(tried.said)) project = otherwise;
      if (isUninstallable) continue;
    }
    const mended = attempt < mostAttempts ? mend(project, tried.said, tried.document) : undefined;
    if (mended !== undefined) {
      warn(mended.told);
      const { otherwise } = mended;
      if (otherwise !== undefined) guess = { otherwise, said: withoutNumbers(tried.said) };
      project = mended.project;
      continue;
    }
    const why = short(tried.problem);
    if (tried.document !== undefined) {
      warn(
        `the app could not be started to try its endpoints (${why}), so they are as its document has them`,
      );
      const endpoints = [...untried(tried.document), ...untriedSockets(tried.document)];
      return { text: written(project, endpoints), isAsked: true };
    }
    const isOther = ["Django", "Flask", "Litestar", "Quart", "Starlette"].includes(found.framework);
    const routes = isOther ? routesIn(project.files) : [];
    const instead =
      routes.length > 0
        ? "they are those that its code names"
        : "it is asked where it is measured (`endpoints: auto`)";
    warn(`the app could not be asked for its endpoints (${why}), so ${instead}`);
    return {
      text: written(project, routes.length > 0 ? routes : "auto"),
      isAsked: routes.length > 0,
    };
  }
}

/** How many endpoints answer. */
function answersOf(tried: TriedApp | TrialProblem): number {
  return "problem" in tried ? -1 : tried.endpoints.filter(({ reason }) => reason === undefined).length;
}

/** Without ports, addresses and the like, which differ from start to start. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/0x[0-9a-f]+|\d+/g, "");
}

/** What is wrong with the endpoints that are measured, as the end of a sentence. */
function lackOf({ endpoints }: TriedApp): string | undefined {
  const [first, ...others] = endpoints.filter(({ reason }) => reason === undefined);
  if (first === undefined) return "the file says what each of them lacks";
  return first.line === openApiPath && others.length === 0
    ? "only its document is measured, until you name one that does"
    : undefined;
}

function short(text: string): string {
  return shortenEnd(visibleLine(text), 300);
}

/** What the app's own replies showed, as keys of the file. */
function withFound(project: Project, { login, seeding, startSeconds }: TriedApp): Project {
  const slow = timeForSlowStart(project, startSeconds);
  const requests: readonly FoundSetting[] =
    seeding.length === 0
      ? []
      : [
          {
            key: "seed-request",
            value: seeding,
            reason: "the app makes its rows itself; {n} makes 20 of them. Change them as you like",
          },
        ];
  return {
    ...project,
    findings: [...project.findings, ...requests, ...[login, slow].flatMap((each) => each ?? [])],
  };
}

async function tryOut(
  app: AskedApp,
  project: Project,
  ports: InitPorts,
): Promise<TriedApp | (TrialProblem & { readonly document?: unknown })> {
  const file = app.fileOf(app.render(renderConfiguration(project, [])));
  const { workload, reporting } = parseConfig("plan", {}, ports.files, { file });
  return workload === undefined
    ? { problem: "no app was named", said: "" }
    : await withTrial(workload, await ports.trialPorts({ workload, reporting }, ports.progress), (running) =>
        tryApp(running, {
          identities: project.identities,
          firstUser: findFirstUser(project.variables, givenIn(project)),
          hasLogin: workload.login !== undefined,
          hidden: routesIn(project.files).map(({ line }) => line),
        }),
      );
}

function givenIn({ findings }: Project): Readonly<Record<string, string>> {
  const value: unknown = findings.find(({ key }) => key === "app-env")?.value;
  return Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, String(each)]));
}
