import type { Project } from "../init/project.ts";
import type { Repair } from "../init/repair/change.ts";
import { repair } from "../init/repair/repair.ts";
import { timeForSlowStart, withOlderPackages } from "../init/repair/start.ts";
import { withModelTables } from "../init/repair/tables.ts";
import {
  documentedEndpoints,
  documentedSockets,
  routesIn,
  type SuggestedEndpoint,
} from "../init/requests/endpoints.ts";
import { lackOfExtension } from "../model/workload/extensions.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import type { AppTrial } from "./app.ts";
import { openApiPath, type TrialProblem } from "./trial.ts";

/** A start of an app, after the changes that earlier starts have shown to be necessary. */
export interface Attempt {
  readonly number: number;
  readonly project: Project;
  /** True when its framework has no OpenAPI document. */
  readonly isUndescribed: boolean;
  /** The last change was a guess: what to go on from if the failure is the same. */
  readonly guess?: { readonly otherwise: Project; readonly log: string };
  /** What the app answered before the last change, which it has to answer better. */
  readonly before?: { readonly project: Project; readonly trial: AppTrial };
}

/** What follows from an attempt: another one, or what is written down. */
type NextStep = { readonly warnings: readonly string[]; readonly next: Attempt } | Conclusion;

/** What is written down. */
export interface Conclusion {
  readonly warnings: readonly string[];
  readonly project: Project;
  readonly endpoints: readonly SuggestedEndpoint[] | "auto";
  /** True when the endpoints are known. */
  readonly isChecked: boolean;
}

/** Most starts of one app, each after one more change: its variables may be missing one by one. */
const mostAttempts = 9;

/** The step after an attempt, by what the app answered. */
export function stepAfter(attempt: Attempt, outcome: AppTrial | TrialProblem): NextStep {
  const { project, before } = attempt;
  if (before !== undefined && answersOf(outcome) <= answersOf(before.trial)) {
    const { warnings, ...conclusion } = concluded(before.project, before.trial);
    const worse = "that did not help, so it is removed again";
    return { ...conclusion, warnings: [worse, ...warnings] };
  }
  if ("problem" in outcome) return afterProblem(attempt, outcome);
  const failure = { log: outcome.failing ?? "" };
  const better = withModelTables(project, failure) ?? withOlderPackages(project, failure);
  if (better === undefined || before !== undefined) return concluded(project, outcome);
  return again(attempt, better, { before: { project: better.otherwise ?? project, trial: outcome } });
}

function again(
  { number, isUndescribed }: Attempt,
  { project, message }: Repair,
  more: Pick<Attempt, "guess" | "before">,
): NextStep {
  return { warnings: [message], next: { number: number + 1, project, isUndescribed, ...more } };
}

function afterProblem(attempt: Attempt, problem: TrialProblem): NextStep {
  const { number, isUndescribed, guess } = attempt;
  const lack = lackOfExtension(problem.log);
  if (lack !== undefined) return unstartable(attempt, { ...problem, problem: lack });
  const log = withoutNumbers(problem.log);
  const isUninstallable = guess !== undefined && problem.phase === "install";
  const project =
    guess !== undefined && (isUninstallable || guess.log === log) ? guess.otherwise : attempt.project;
  if (isUninstallable) return { warnings: [], next: { number: number + 1, project, isUndescribed } };
  const found = number < mostAttempts ? repair(project, problem) : undefined;
  if (found === undefined) return unstartable({ ...attempt, project }, problem);
  const { otherwise } = found;
  return again(attempt, found, otherwise === undefined ? {} : { guess: { otherwise, log } });
}

/** The endpoints of an app's document, or else of its code, where it could not be started. */
function unstartable({ project, isUndescribed }: Attempt, { problem, document }: TrialProblem): NextStep {
  const why = short(problem);
  if (document !== undefined)
    return {
      warnings: [
        `the app could not be started to check its endpoints (${why}), so those of its OpenAPI document are only listed`,
      ],
      ...{
        project,
        endpoints: [...documentedEndpoints(document), ...documentedSockets(document)],
        isChecked: true,
      },
    };
  const routes = isUndescribed ? routesIn(project.files) : [];
  const isNamed = routes.length > 0;
  const instead = isNamed
    ? "they are taken from its code"
    : "they are read when it is measured (`endpoints: auto`)";
  return {
    warnings: [`the app's endpoints could not be read (${why}), so ${instead}`],
    ...{ project, endpoints: isNamed ? routes : "auto", isChecked: isNamed },
  };
}

/** Each version has a database of its own, under a name of ours. */
function fixedName(log: string): readonly string[] {
  const [, name] = /\bdatabase "([\w-]{1,63})" does not exist/.exec(log) ?? [];
  return name === undefined
    ? []
    : [
        `the app connects to a database called ${name}, whatever the variables say: let it read the name from one`,
      ];
}

const rateLimit =
  "the app limits requests (it answered 429): remove the limit for the load test, or most requests will fail";

/** What an app that was tried has shown. */
export function concluded(project: Project, trial: AppTrial): Conclusion {
  const { refused, endpoints, isLimited, failing } = trial;
  const lack = lackOf(trial);
  const warnings = [
    ...(refused === undefined ? [] : [`the login failed: ${short(refused)}`]),
    ...(isLimited === undefined ? [] : [rateLimit]),
    ...fixedName(failing ?? ""),
    ...(lack === undefined ? [] : [`no endpoint of the app answers here: ${lack}`]),
  ];
  return { warnings, project: withReplies(project, trial), endpoints, isChecked: true };
}

/** What the app's own replies showed, as keys of the file. */
function withReplies(project: Project, { login, seeding, startSeconds }: AppTrial): Project {
  const reason = "requests that create rows; {n} makes 20 of each. Change them as you like";
  const requests = seeding.length === 0 ? [] : [{ key: "seed-request", value: seeding, reason }];
  const slow = timeForSlowStart(project, startSeconds);
  const found = [login, slow].flatMap((each) => each ?? []);
  return { ...project, findings: [...project.findings, ...requests, ...found] };
}

/** How many endpoints answer. */
function answersOf(outcome: AppTrial | TrialProblem): number {
  return "problem" in outcome ? -1 : outcome.endpoints.filter(({ reason }) => reason === undefined).length;
}

/** Without ports, addresses and the like, which differ from start to start. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/0x[0-9a-f]+|\d+/g, "");
}

/** What is wrong with the endpoints that are measured, as the end of a sentence. */
function lackOf({ endpoints }: AppTrial): string | undefined {
  const [first, ...others] = endpoints.filter(({ reason }) => reason === undefined);
  if (first === undefined) return "the file shows what each of them lacks";
  return first.line === openApiPath && others.length === 0
    ? "only its document is measured until you list one that does"
    : undefined;
}

function short(text: string): string {
  return shortenEnd(visibleLine(text), 300);
}
